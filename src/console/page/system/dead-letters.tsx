import { useSignal } from "@preact/signals";
import type { DeadLettersView, DeadLetterView } from "../../views/system-views.ts";
import { callServer } from "../call-server.ts";
import { connection, serverNow } from "../live.ts";
import { pathTo } from "../router.ts";
import { useView } from "../use-view.ts";
import type { SystemPageParts } from "./system-parts.ts";

/** Messages that their platforms did not take, the newest first: sent again, or dropped. */
export function DeadLetters({ onSignedOut, say: { letters: say }, time, words }: SystemPageParts) {
  const { isLost, read, view } = useView<DeadLettersView>("/dead-letters", ["outbox"], onSignedOut, 1_000);
  const told = useSignal("");
  const busy = useSignal<string | undefined>(undefined);
  const items = view.value?.items ?? [];

  async function act(letter: DeadLetterView, how: "retry" | "drop"): Promise<void> {
    busy.value = letter.id;
    const path = `/dead-letters/${encodeURIComponent(letter.id)}` as const;
    const answer = how === "retry" ? await callServer("POST", `${path}/retry`, {}) : await callServer("DELETE", path);
    busy.value = undefined;
    if (answer.kind === "ok") told.value = how === "retry" ? say.queued : say.dropped;
    else if (answer.kind === "refused" && answer.status === 404) told.value = say.gone;
    else told.value = answer.kind === "refused" ? say.cannot : say.failed;
    await read();
  }

  return (
    <section class="sheet side" aria-labelledby="letters">
      <h2 class="head" id="letters">
        {say.title}
      </h2>
      {items.length === 0 && (
        <p class="small soft">{view.value !== undefined ? say.none : isLost.value ? words.lost : words.loading}</p>
      )}
      <ul class="sys-list">
        {items.map((letter) => (
          <li key={letter.id}>
            <div>
              <a href={pathTo(["chats", letter.session])}>{letter.chat}</a>
              <i class="sep" />
              <span class="small soft">{time.short(letter.at, serverNow())}</span>
              <span class="d">{letter.text}</span>
              <span class="d small soft">
                {letter.reason}
                {letter.isPartlySent && <> {say.partly}</>}
              </span>
            </div>
            <span class="acts">
              {letter.mayRetry && (
                <button
                  class="btn sm"
                  type="button"
                  disabled={busy.value !== undefined || connection.value.kind !== "live"}
                  onClick={() => void act(letter, "retry")}
                >
                  {say.retry}
                </button>
              )}
              <button
                class="btn sm no"
                type="button"
                disabled={busy.value !== undefined || connection.value.kind !== "live"}
                onClick={() => void act(letter, "drop")}
              >
                {say.drop}
              </button>
            </span>
          </li>
        ))}
      </ul>
      {view.value?.next !== undefined && <p class="small soft">{say.more(items.length)}</p>}
      <p role="status" class={told.value === "" ? "sr" : "small soft"}>
        {told.value}
      </p>
    </section>
  );
}
