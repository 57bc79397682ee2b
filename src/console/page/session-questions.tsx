import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { serverNow } from "./live.ts";
import { QuestionCard } from "./question-card.tsx";
import { isCutOff, questions, readQuestions, replaceQuestion } from "./questions-store.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

/** The questions of one conversation that wait, below its last row. */
export function SessionQuestions({
  session,
  words,
  time,
}: {
  readonly session: string;
  readonly words: PageWords;
  readonly time: ShowTime;
}) {
  const now = useSignal(serverNow());
  const open = (questions.value?.open.filter((question) => question.session === session) ?? [])
    // A later question is never put above a card that is there.
    .toSorted((one, other) => one.created - other.created);
  const isAny = open.length > 0;
  useEffect(() => {
    if (!isAny) return undefined;
    now.value = serverNow();
    const timer = setInterval(() => (now.value = serverNow()), 1000);
    return () => clearInterval(timer);
  }, [isAny]);
  return (
    <>
      {open.map((question) => (
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
    </>
  );
}
