import type { ClosedHow, Question } from "../../store/queries/questions.ts";

/** For the model, in later turns: it was told that the question waits. */
export function noteClosedQuestion(question: Question, how: ClosedHow): string {
  const calls = question.calls.map((call) => `${call.tool}: ${JSON.stringify(call.summary)}`).join("; ");
  return `Question ${question.code} is closed (${how}) without an answer. Nothing of it ran: ${calls}`;
}

/** For the model, right before the words of the person who wants it otherwise. */
export function noteChangedQuestion(question: Question): string {
  const calls = question.calls.map(({ tool, arguments: given }) => ({ tool, arguments: given }));
  return `The person took question ${question.code} back to have it another way; nothing of it ran. What was asked: ${JSON.stringify(calls)}. Their next message says what they want instead: make the changed call, and they are asked again.`;
}
