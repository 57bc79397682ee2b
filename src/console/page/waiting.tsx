import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { QuestionsView, QuestionView } from "../views/question-views.ts";
import { describeCalls } from "./describe-question.ts";
import { EndedLine, QuestionCard } from "./question-card.tsx";
import { createKeepStill } from "./keep-still.ts";
import { serverNow } from "./live.ts";
import { isCutOff, questions, readQuestions, replaceQuestion } from "./questions-store.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

/** A question that has ended keeps its place for so long. */
const lineMs = 60_000;

/** Shows what waits for the owner, and what was answered. Nothing comes in above a card that is there. */
export function Waiting({ words, time }: { readonly words: PageWords; readonly time: ShowTime }) {
  const now = useSignal(serverNow());
  const order = useSignal<readonly string[] | undefined>(undefined);
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

  useEffect(() => {
    const tick = () => {
      const before = now.value;
      now.value = serverNow();
      const soon = questions.value?.open.find(
        ({ deadline }) => deadline - before > lineMs && deadline - now.value <= lineMs,
      );
      if (soon && !isCutOff.value) told.value = words.questions.minuteLeft(soon.code);
    };
    const timer = setInterval(tick, 1000);
    document.addEventListener("keydown", moveFocus);
    return () => {
      clearInterval(timer);
      document.removeEventListener("keydown", moveFocus);
    };
  }, []);

  useEffect(() => {
    if (view === undefined) return;
    now.value = serverNow();
    const known = order.peek();
    const fresh = view.open.filter(({ id }) => known?.includes(id) !== true);
    order.value = [...(known ?? []), ...fresh.map(({ id }) => id)];
    const [newest] = known === undefined ? [] : fresh;
    if (newest) told.value = words.questions.asked(newest.code, describeCalls(newest));
  }, [view]);

  const shown = view === undefined ? [] : (order.value ?? []).flatMap((id) => findShown(view, id, now.value));
  const last = view?.closed[0];
  return (
    <section class="waiting" ref={box} aria-labelledby="waiting">
      <h2 class="head" id="waiting">
        {words.questions.title}
      </h2>
      <div class="sr" aria-live="polite">
        {told.value}
      </div>
      {shown.map((question) => (
        <QuestionCard
          key={question.id}
          words={words}
          question={question}
          time={time}
          now={now.value}
          isStale={isCutOff.value}
          onDecided={(decided) => {
            if (decided) replaceQuestion(decided);
            else void readQuestions();
          }}
        />
      ))}
      {isCutOff.value && shown.length > 0 && <p class="small soft">{words.questions.cutOff}</p>}
      {order.value !== undefined && shown.length === 0 && (
        <div class="sheet empty">
          <b>{words.questions.none}</b>
          {last && <EndedLine question={last} words={words} time={time} now={now.value} />}
        </div>
      )}
      {view !== undefined && view.closed.length > 0 && (
        <details class="answered">
          <summary>{words.questions.answered(view.closed.length)}</summary>
          <div class="sheet">
            {view.closed.map((question) => (
              <EndedLine key={question.id} question={question} words={words} time={time} now={now.value} />
            ))}
          </div>
        </details>
      )}
    </section>
  );
}

/** An open question, or one that ended a moment ago or has the focus still. */
function findShown({ closed, open }: QuestionsView, id: string, now: number): readonly QuestionView[] {
  const waiting = open.find((question) => question.id === id);
  if (waiting) return [waiting];
  const ended = closed.find((question) => question.id === id);
  const isFresh = ended?.end !== undefined && now - ended.end.at < lineMs;
  const hasFocus = document.getElementById(id)?.contains(document.activeElement) === true;
  return ended && (isFresh || hasFocus) ? [ended] : [];
}

/** `j` and `k` go from card to card. */
function moveFocus(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== "j" && event.key !== "k")) return;
  if (event.target instanceof Element && event.target.closest("input, textarea, select") !== null) return;
  const cards = [...document.querySelectorAll<HTMLElement>(".waiting > article")];
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  const next = at < 0 ? cards[0] : cards[at + (event.key === "j" ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
