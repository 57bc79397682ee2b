import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { QuestionsView, QuestionView } from "../views/question-views.ts";
import { serverNow } from "./live.ts";
import { QuestionCard } from "./question-card.tsx";
import { isCutOff, questions, readQuestions, replaceQuestion } from "./questions-store.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

/** An ended question keeps its place for this time. */
const lineMs = 60_000;

interface ShownQuestions {
  /** Undefined until they were read. */
  readonly shown: readonly QuestionView[] | undefined;
  /** The server's time, which goes on while one is shown. */
  readonly now: number;
}

/** The open questions of one conversation, or of all, and those that ended a moment ago. New ones appear below. */
export function useShownQuestions(session?: string): ShownQuestions {
  const now = useSignal(serverNow());
  const order = useSignal<readonly string[] | undefined>(undefined);
  const view = questions.value;

  useEffect(() => {
    if (view === undefined) return;
    now.value = serverNow();
    const known = order.peek();
    const open = view.open.filter((question) => session === undefined || question.session === session);
    const fresh = open.filter(({ id }) => known?.includes(id) !== true);
    const sorted = session === undefined ? fresh : fresh.toSorted((one, other) => one.created - other.created);
    order.value = [...(known ?? []), ...sorted.map(({ id }) => id)];
  }, [view]);

  const shown = view && order.value?.flatMap((id) => findShown(view, id, now.value));
  const isAny = (shown?.length ?? 0) > 0;
  useEffect(() => {
    if (!isAny) return undefined;
    const timer = setInterval(() => (now.value = serverNow()), 1000);
    return () => clearInterval(timer);
  }, [isAny]);
  return { shown, now: now.value };
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

export function QuestionCards({
  shown,
  now,
  words,
  time,
}: ShownQuestions & { readonly words: PageWords; readonly time: ShowTime }) {
  return (
    <>
      {shown?.map((question) => (
        <QuestionCard
          key={question.id}
          words={words}
          question={question}
          time={time}
          now={now}
          isStale={isCutOff.value}
          onDecided={(decided) => {
            if (decided) replaceQuestion(decided);
            else void readQuestions();
          }}
        />
      ))}
    </>
  );
}
