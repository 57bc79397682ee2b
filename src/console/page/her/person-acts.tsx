import { useSignal } from "@preact/signals";
import type { ErasedView, PersonView } from "../../views/her-views.ts";
import { callServer, downloadFile } from "../call-server.ts";
import { connection } from "../live.ts";
import { go, pathTo } from "../router.ts";
import type { HerParts } from "./her-parts.ts";

/** Everything of a large person, slice by slice. */
const eraseMs = 10 * 60_000;

/** All that is kept of a person: as a file, or erased. */
export function PersonActs({
  onErased,
  onSignedOut,
  person,
  say: { person: say },
}: HerParts & { readonly person: PersonView; readonly onErased: (told: string) => void }) {
  const isOpen = useSignal(false);
  const typed = useSignal("");
  const busy = useSignal<"export" | "erase" | undefined>(undefined);
  const told = useSignal("");
  const isOff = busy.value !== undefined || connection.value.kind !== "live";
  const path = `/people/${encodeURIComponent(person.id)}` as const;
  const isTyped = [person.name, person.id].includes(typed.value.trim());

  async function take(): Promise<void> {
    busy.value = "export";
    const end = await downloadFile(`${path}/export`, `kurisu-${person.id.replaceAll(/[^\w-]+/g, "-")}.json`);
    busy.value = undefined;
    told.value = end === "ok" ? say.exported : say.failed;
  }

  async function erase(): Promise<void> {
    busy.value = "erase";
    const answer = await callServer<ErasedView>("POST", `${path}/erase`, { name: typed.value.trim() }, eraseMs);
    busy.value = undefined;
    if (answer.kind === "refused" && answer.status === 401) return onSignedOut();
    const isGone = answer.kind === "refused" && answer.status === 404;
    // The order is kept, and is carried out without us.
    if (answer.kind === "lost") return void (told.value = say.ordered);
    if (answer.kind !== "ok" && !isGone) return void (told.value = say.failed);
    const count = answer.kind === "ok" ? Object.values(answer.view.counts).reduce((sum, one) => sum + one, 0) : 0;
    go(pathTo(["her", "memory"]), "replace");
    onErased(isGone ? say.gone : say.erased(person.name, count));
  }

  return (
    <>
      <span class="her-acts">
        <button class="btn sm" type="button" disabled={isOff} onClick={() => void take()}>
          {say.export}
        </button>
        <button
          class="btn sm no"
          type="button"
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          {say.erase}
        </button>
      </span>
      {isOpen.value && (
        <form
          class="her-step"
          onSubmit={(event) => {
            event.preventDefault();
            if (isTyped && !isOff) void erase();
          }}
        >
          <p class="small">{say.eraseWhat(person.name)}</p>
          <label class="small">
            {say.typeName(person.name)}
            <input
              type="text"
              autocomplete="off"
              value={typed.value}
              onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
            />
          </label>
          <span class="her-acts">
            <button class="btn sm no" type="submit" disabled={isOff || !isTyped}>
              {busy.value === "erase" ? say.erasing : say.eraseYes}
            </button>
            <button class="btn sm" type="button" onClick={() => (isOpen.value = false)}>
              {say.no}
            </button>
          </span>
        </form>
      )}
      <p role="status" class={told.value === "" ? "sr" : "her-told small soft"}>
        {told.value}
      </p>
    </>
  );
}
