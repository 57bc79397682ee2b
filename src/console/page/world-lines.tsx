import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { LinesView, LineView } from "../views/chats-views.ts";
import { callServer } from "./call-server.ts";
import { connection } from "./live.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";
import { WorldFork } from "./world-fork.tsx";

/** The branches of a conversation: a drawing, each with its last words, and the way to it. */
export function WorldLines({
  session,
  open,
  version,
  words,
  time,
}: {
  readonly session: string;
  /** The number of open questions; leaving the line cancels them. */
  readonly open: number;
  /** Changes whenever a message may have been added. */
  readonly version: number;
  readonly words: PageWords;
  readonly time: ShowTime;
}) {
  const say = words.worldlines;
  const path = `/sessions/${encodeURIComponent(session)}` as const;
  const lines = useSignal<readonly LineView[]>([]);
  const chosen = useSignal<number | undefined>(undefined);
  const isBusy = useSignal(false);
  const told = useSignal("");
  const asked = useRef(0);

  async function read(): Promise<void> {
    const mine = (asked.current += 1);
    const answer = await callServer<LinesView>("GET", `${path}/branches`);
    if (mine === asked.current && answer.kind === "ok") lines.value = answer.view.items;
  }
  useEffect(() => void read(), [version]);

  async function enter(number: number): Promise<void> {
    chosen.value = undefined;
    isBusy.value = true;
    told.value = "";
    const answer = await callServer("POST", `${path}/branch`, { number });
    isBusy.value = false;
    if (answer.kind !== "ok") told.value = answer.kind === "refused" && answer.status === 409 ? say.busy : say.notDone;
    await read();
  }

  if (lines.value.length === 0) return null;
  const isOff = isBusy.value || connection.value.kind !== "live";
  return (
    <section class="worlds" aria-labelledby="worlds">
      <h3 id="worlds">{say.title}</h3>
      <WorldFork lines={lines.value} />
      <ul>
        {lines.value.map(({ from, isCurrent, last, name, number }) => (
          <li key={number} class={isCurrent ? "here" : ""}>
            <p class="which">
              <b>{name}</b>
              <span class="soft">
                {from === undefined ? say.first : from.point < 0 ? say.fromStart : say.from(from.point)}
              </span>
              {isCurrent ? (
                <span class="chip acc">{say.here}</span>
              ) : (
                <button
                  type="button"
                  class="btn sm"
                  disabled={isOff}
                  onClick={() => void (open > 0 && chosen.value !== number ? (chosen.value = number) : enter(number))}
                >
                  {chosen.value === number ? say.enterAnyway : say.enter}
                  <span class="sr"> {name}</span>
                </button>
              )}
            </p>
            {last !== undefined && (
              <p class="lastly">
                <span class="soft">{say.point(last.point)}</span> {last.text}
                <i class="sep" />
                <span class="soft">{time.short(last.at, Date.now())}</span>
              </p>
            )}
            {chosen.value === number && (
              <p class="wait" role="alert">
                {say.cancels(open)}
              </p>
            )}
          </li>
        ))}
      </ul>
      <p class="soft small" role="status">
        {told.value}
      </p>
    </section>
  );
}
