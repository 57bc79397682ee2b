import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { MemoriesView, PersonView } from "../../views/her-views.ts";
import { callServer } from "../call-server.ts";
import { followChanges } from "../live.ts";
import { go, pathTo, readValue } from "../router.ts";
import { Empty } from "./empty.tsx";
import type { HerParts } from "./her-parts.ts";
import { MemoryRow } from "./memory-row.tsx";
import { PersonActs } from "./person-acts.tsx";

/** A person as the owner sees them, or an account of the member who looks. */
type ShownPerson =
  | {
      readonly kind: "other";
      readonly id: string;
      readonly view: PersonView;
      readonly onErased: (told: string) => void;
    }
  | { readonly kind: "own"; readonly id: string };

/** The memories of one person, the newest first, or those that a search finds. */
export function PersonMemories({
  now,
  person,
  ...parts
}: HerParts & { readonly person: ShownPerson; readonly now: number }) {
  const { onSignedOut, time, words } = parts;
  const say = parts.say.memories;
  const rows = useSignal<MemoriesView["items"] | undefined>(undefined);
  const next = useSignal<string | undefined>(undefined);
  const pages = useSignal(1);
  const begun = useSignal(0);
  const isLost = useSignal(false);
  const told = useSignal("");
  const asked = readValue("q") ?? "";
  const field = useSignal(asked);

  async function read(): Promise<void> {
    const turn = (begun.value += 1);
    const found: MemoriesView["items"][number][] = [];
    let cursor: string | undefined;
    for (let page = 1; page <= pages.value; page += 1) {
      const values = new URLSearchParams({ ...(asked !== "" && { q: asked }), ...(cursor && { cursor }) });
      const path = `/people/${encodeURIComponent(person.id)}/memories?${values.toString()}` as const;
      const answer = await callServer<MemoriesView>("GET", path);
      if (answer.kind === "refused" && answer.status === 401) return onSignedOut();
      // Another read has begun since.
      if (turn !== begun.value) return;
      isLost.value = answer.kind !== "ok";
      if (answer.kind !== "ok") return;
      found.push(...answer.view.items);
      cursor = answer.view.next;
      if (cursor === undefined) break;
    }
    rows.value = found;
    next.value = cursor;
  }
  useEffect(() => {
    void read();
    return followChanges(["memories"], () => void read(), 1_000);
  }, [asked]);

  const find = (words: string): void => go(pathTo(["her", "memory", person.id], { q: words || undefined }), "replace");
  const list = rows.value;
  const { own } = parts.say;
  const hasSome = person.kind === "other" ? person.view.memories > 0 : (list?.length ?? 0) > 0;
  return (
    <section class="her-one" aria-labelledby="her-person">
      <div class="her-top">
        <h2 id="her-person">{person.kind === "own" ? own.title : say.of(person.view.name)}</h2>
        {person.kind === "other" && <PersonActs {...parts} person={person.view} onErased={person.onErased} />}
      </div>
      {(hasSome || asked !== "") && (
        <form
          class="her-find"
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            find(field.value.trim());
          }}
        >
          <input
            type="search"
            value={field.value}
            aria-label={say.find}
            placeholder={say.find}
            onInput={({ currentTarget }) => {
              field.value = currentTarget.value;
              if (currentTarget.value === "") find("");
            }}
          />
          <button class="btn" type="submit">
            {say.search}
          </button>
        </form>
      )}
      <p role="status" class={told.value === "" ? "sr" : "her-told small soft"}>
        {told.value}
      </p>
      {list === undefined && (
        <p class="her-none" role="status">
          {isLost.value ? words.lost : words.loading}
        </p>
      )}
      {list?.length === 0 && asked === "" && person.kind === "own" && <Empty title={own.none} how={own.noneHow} />}
      {list?.length === 0 && asked === "" && person.kind === "other" && <Empty title={say.none} how={say.noneHow} />}
      {list?.length === 0 && asked !== "" && (
        <p class="her-none">
          {say.nothing(asked)}
          <span>
            <button class="btn sm" type="button" onClick={() => find((field.value = ""))}>
              {say.all}
            </button>
          </span>
        </p>
      )}
      {list !== undefined && list.length > 0 && (
        <ul class="her-list">
          {list.map((one) =>
            "isForgotten" in one ? (
              <li key={one.id} class="her-gone small">
                {say.forgotten(time.day(one.at, now))}
              </li>
            ) : (
              <MemoryRow
                key={one.id}
                {...parts}
                memory={one}
                now={now}
                onDone={(words) => {
                  told.value = words;
                  void read();
                }}
              />
            ),
          )}
        </ul>
      )}
      {next.value !== undefined && (
        <button
          class="btn her-more"
          type="button"
          onClick={() => {
            pages.value += 1;
            void read();
          }}
        >
          {say.more}
        </button>
      )}
      {isLost.value && list !== undefined && <p role="status">{words.lost}</p>}
    </section>
  );
}
