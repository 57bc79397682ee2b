import { computed, signal } from "@preact/signals";
import type { QuestionsView, QuestionView } from "../views/question-views.ts";
import { callServer } from "./call-server.ts";
import { connection, followChanges } from "./live.ts";

/** The questions as the server last sent them, for every part of the page. */
export const questions = signal<QuestionsView | undefined>(undefined);
const hadNoAnswer = signal(false);
/** While the shown questions may be outdated, none can be decided. */
export const isCutOff = computed(() => hadNoAnswer.value || connection.value.kind !== "live");
export const openCount = computed(() => questions.value?.open.length ?? 0);

/** After a failed read; the stream may be fine, so no event would cause another. */
const againMs = 2_000;
let again: ReturnType<typeof setTimeout> | undefined;
let begun = 0;
let shown = 0;

export async function readQuestions(): Promise<void> {
  clearTimeout(again);
  const turn = (begun += 1);
  const answer = await callServer<QuestionsView>("GET", "/questions");
  // A read that began earlier may come back later.
  if (turn < shown) return;
  shown = turn;
  hadNoAnswer.value = answer.kind !== "ok";
  if (answer.kind === "refused" && answer.status === 401) return;
  if (answer.kind !== "ok") return void (again = setTimeout(() => void readQuestions(), againMs));
  questions.value = answer.view;
}

/** Answers how to end it. */
export function followQuestions(): () => void {
  void readQuestions();
  const unfollow = followChanges(["questions"], () => void readQuestions());
  return () => {
    clearTimeout(again);
    unfollow();
  };
}

/** Puts in a question that the server has just sent. Reads that are already on their way are older, and are ignored. */
export function replaceQuestion(question: QuestionView): void {
  shown = begun += 1;
  const { value } = questions;
  if (value === undefined) return;
  const isOther = ({ id }: QuestionView): boolean => id !== question.id;
  questions.value =
    question.state === "open"
      ? { ...value, open: value.open.map((one) => (isOther(one) ? one : question)) }
      : { ...value, open: value.open.filter(isOther), closed: [question, ...value.closed.filter(isOther)] };
  void readQuestions();
}
