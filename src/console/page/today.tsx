import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { TodayView } from "../views/today-views.ts";
import { callServer } from "./call-server.ts";
import { CostBars } from "./cost-bars.tsx";
import { ComesNext, DayRecord } from "./day-record.tsx";
import { Devices } from "./devices.tsx";
import { connection, followChanges, serverNow } from "./live.ts";
import { NotUrgent } from "./not-urgent.tsx";
import { openCount } from "./questions-store.ts";
import { SetupList } from "./setup-list.tsx";
import type { ShowTime } from "./show-time.ts";
import { Strangers } from "./strangers.tsx";
import { OddParts, Readings } from "./today-readings.tsx";
import { Waiting } from "./waiting.tsx";
import type { PageWords } from "./words/zh.ts";

/** On a busy day changes arrive many times a second. */
const pauseMs = 1_000;
const againMs = 2_000;
const topics = ["health", "pause", "people", "questions", "turns", "usage", "reminders", "mcp"];

/** How she is, what waits, and what the day was like. `onSignedOut` = the login is no longer valid. */
export function Today({
  words,
  time,
  onSignedOut,
}: {
  readonly words: PageWords;
  readonly time: ShowTime;
  readonly onSignedOut: () => void;
}) {
  const today = useSignal<TodayView | undefined>(undefined);
  const hadNoAnswer = useSignal(false);
  const reads = useRef({ begun: 0, shown: 0 }).current;
  const again = useRef<ReturnType<typeof setTimeout>>(undefined);

  async function read(): Promise<void> {
    clearTimeout(again.current);
    const mine = (reads.begun += 1);
    const answer = await callServer<TodayView>("GET", "/today");
    // A read that began earlier may come back later.
    if (mine < reads.shown) return;
    reads.shown = mine;
    if (answer.kind === "refused" && answer.status === 401) return onSignedOut();
    hadNoAnswer.value = answer.kind !== "ok";
    if (answer.kind === "ok") today.value = answer.view;
    else again.current = setTimeout(() => void read(), againMs);
  }
  useEffect(() => {
    void read();
    const end = followChanges(topics, () => void read(), pauseMs);
    return () => {
      end();
      reads.shown = Infinity;
      clearTimeout(again.current);
    };
  }, []);

  const shown = today.value;
  const isOld = hadNoAnswer.value || connection.value.kind === "lost";
  const sentence = shown && describeState(shown, openCount.value, words, time);
  useEffect(() => {
    const count = openCount.value > 0 ? `(${openCount.value}) ` : "";
    document.title = sentence === undefined ? "Kurisu" : `${count}${sentence} · Kurisu`;
  }, [sentence, openCount.value]);

  return (
    <>
      <section class={`state ${isOld ? "stale" : ""}`} aria-label={words.today.parts}>
        {shown === undefined ? (
          <h1>{hadNoAnswer.value ? words.lost : words.loading}</h1>
        ) : (
          <>
            <p class="when">{isOld ? words.today.asOf(time.short(shown.now, serverNow())) : time.long(shown.now)}</p>
            <h1>{sentence}</h1>
            {shown.well.state === "paused" && <p class="soft small">{words.today.pausedHint}</p>}
            {shown.well.state === "model" && <p class="soft small">{words.today.modelHint}</p>}
            {shown.setup?.isOffline === true && <p class="soft small">{words.today.offlineHint}</p>}
            <Readings today={shown} questions={openCount.value} words={words} time={time} />
            <OddParts today={shown} words={words} time={time} />
          </>
        )}
      </section>
      {shown && (
        <div class="two">
          <div>
            <Waiting words={words} time={time} />
            <Strangers today={shown} words={words} time={time} isOld={isOld} onAnswered={() => void read()} />
            <NotUrgent later={shown.later} words={words} />
            <SetupList today={shown} words={words} />
          </div>
          <div>
            <DayRecord today={shown} words={words} time={time} />
            <CostBars today={shown} words={words} />
            <ComesNext today={shown} words={words} time={time} />
            <Devices words={words} time={time} />
          </div>
        </div>
      )}
    </>
  );
}

function describeState(
  { now, pause, requests, strangers, well }: TodayView,
  questions: number,
  { today }: PageWords,
  time: ShowTime,
): string {
  const waits = questions + strangers.length + requests.length;
  switch (well.state) {
    case "well":
      return today.well(waits);
    case "watch":
      return today.watch(well.parts.filter(({ state }) => state === "failed" || state === "degraded").length, waits);
    case "model":
      return today.model;
    case "paused":
      return today.paused(pause?.name ?? "", pause ? time.short(pause.since, now) : "");
  }
}
