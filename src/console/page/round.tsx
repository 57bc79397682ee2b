import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { TurnView } from "../views/turn-views.ts";
import { callServer } from "./call-server.ts";
import { followChanges } from "./live.ts";
import { BottomSheet } from "./bottom-sheet.tsx";
import { readValue } from "./router.ts";
import { RoundCards, RoundFacts, RoundRecord } from "./round-facts.tsx";
import { RoundPath } from "./round-path.tsx";
import type { ShowTime } from "./show-time.ts";
import { showTurn } from "./turn-link.tsx";
import type { PageWords } from "./words/zh.ts";

const topics = ["turns", "questions", "messages", "grants"];
/** A change of usage names no conversation. */
const topicsOfLiving = [...topics, "usage"];

const wide = matchMedia("(min-width: 1100px)");
const isWide = signal(wide.matches);
wide.addEventListener("change", () => (isWide.value = wide.matches));

interface RoundParts {
  readonly session: string;
  readonly turn: string;
  readonly words: PageWords;
  readonly time: ShowTime;
}

/** The turn of the address, else the newest: a column beside the conversation, or a sheet when there is no room for it. */
export function Round({
  newest,
  children,
  ...parts
}: Omit<RoundParts, "turn"> & {
  readonly newest: string | undefined;
  /** Sections about the conversation, shown below the turn. */
  readonly children: ComponentChildren;
}) {
  const { session, words } = parts;
  const asked = readValue("turn");
  const turn = asked ?? newest;
  if (isWide.value)
    return (
      <aside class="look" aria-labelledby="round-title" tabIndex={0}>
        {turn === undefined ? (
          <>
            <h2 id="round-title">{words.round.title}</h2>
            <p class="soft small">{words.round.none}</p>
          </>
        ) : (
          <Turn key={turn} {...parts} turn={turn} />
        )}
        {children}
      </aside>
    );
  if (asked === undefined) return null;
  const leave = () => readValue("turn") === asked && showTurn(session, undefined, "replace");
  return (
    <BottomSheet labelledBy="round-title" close={words.round.close} onClose={() => void leave()}>
      <Turn key={asked} {...parts} turn={asked} />
      {children}
    </BottomSheet>
  );
}

function Turn({ session, turn, words, time }: RoundParts) {
  const read = useSignal<TurnView | "lost" | "missing" | undefined>(undefined);
  const shown = typeof read.value === "object" ? read.value : undefined;
  const isAlive = shown !== undefined && shown.ended === undefined;

  useEffect(() => {
    let asked = 0;
    async function look(): Promise<void> {
      asked += 1;
      const mine = asked;
      const answer = await callServer<TurnView>("GET", `/turns/${encodeURIComponent(turn)}`);
      // An answer that comes back after a newer question is stale.
      if (mine !== asked) return;
      if (answer.kind === "ok") read.value = answer.view;
      else if (answer.kind === "refused" && answer.status === 404) read.value = "missing";
      else if (typeof read.value !== "object") read.value = "lost";
    }
    void look();
    const end = followChanges(isAlive ? topicsOfLiving : topics, (change) => {
      if (change?.session === undefined || change.session === session) void look();
    });
    return () => {
      asked = -1;
      end();
    };
  }, [turn, isAlive]);

  const say = words.round;
  return (
    <div class="round" aria-busy={read.value === undefined}>
      <h2 id="round-title">
        {say.title}
        {shown !== undefined && (
          <time dateTime={new Date(shown.began).toISOString()}>{time.short(shown.began, Date.now())}</time>
        )}
        {shown !== undefined && shown.state !== "replied" && (
          <span class={`chip ${shown.state === "running" ? "acc" : shown.state === "parked" ? "hold" : ""}`}>
            {say.states[shown.state]}
          </span>
        )}
      </h2>
      {shown === undefined ? (
        <p class="soft small">
          {read.value === "missing" ? say.missing : read.value === "lost" ? words.lost : words.loading}
        </p>
      ) : (
        <>
          <RoundFacts turn={shown} words={words} />
          <RoundPath turn={shown} words={words} />
          <RoundCards turn={shown} words={words} time={time} />
          <RoundRecord turn={shown} words={words} />
        </>
      )}
    </div>
  );
}
