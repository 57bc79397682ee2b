import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { describeCalls } from "./describe-question.ts";
import { EndedLine } from "./question-card.tsx";
import { createKeepStill } from "./keep-still.ts";
import { QuestionCards, useShownQuestions } from "./question-cards.tsx";
import { isCutOff, questions } from "./questions-store.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

/** A question with this much time left is announced. */
const soonMs = 60_000;

/** The questions that wait for an answer, and those that got one. New ones appear below. */
export function Waiting({ words, time }: { readonly words: PageWords; readonly time: ShowTime }) {
  const asks = useShownQuestions();
  const { now, shown } = asks;
  const told = useSignal("");
  const box = useRef<HTMLElement>(null);
  const still = useRef<ReturnType<typeof createKeepStill>>(undefined);
  const view = questions.value;

  useLayoutEffect(() => {
    const room = box.current?.closest<HTMLElement>(".two");
    if (!room) return undefined;
    still.current = createKeepStill(room);
    return still.current.end;
  }, []);
  useLayoutEffect(() => still.current?.settle());

  const before = useRef(now);
  useEffect(() => {
    const soon = view?.open.find(({ deadline }) => deadline - before.current > soonMs && deadline - now <= soonMs);
    before.current = now;
    if (soon && !isCutOff.value) told.value = words.questions.minuteLeft(soon.code);
  }, [now]);

  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (view === undefined) return;
    const newest = view.open.find(({ id }) => known.current?.has(id) === false);
    known.current = new Set([...(known.current ?? []), ...view.open.map(({ id }) => id)]);
    if (newest) told.value = words.questions.asked(newest.code, describeCalls(newest));
  }, [view]);

  const last = view?.closed[0];
  return (
    <section class="waiting" ref={box} aria-labelledby="waiting">
      <h2 class="head" id="waiting">
        {words.questions.title}
      </h2>
      <div class="sr" aria-live="polite">
        {told.value}
      </div>
      <QuestionCards {...asks} words={words} time={time} />
      {isCutOff.value && (shown?.length ?? 0) > 0 && <p class="small soft">{words.questions.cutOff}</p>}
      {shown?.length === 0 && (
        <div class="sheet empty">
          <b>{words.questions.none}</b>
          {last && <EndedLine question={last} words={words} time={time} now={now} />}
        </div>
      )}
      {view !== undefined && view.closed.length > 0 && (
        <details class="answered">
          <summary>{words.questions.answered(view.closed.length)}</summary>
          <div class="sheet">
            {view.closed.map((question) => (
              <EndedLine key={question.id} question={question} words={words} time={time} now={now} />
            ))}
          </div>
        </details>
      )}
    </section>
  );
}
