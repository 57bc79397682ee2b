import type { ClosedHow, Question } from "../../store/queries/questions.ts";

/** For the model, in later turns: it was told that the question waits. */
export function noteClosedQuestion(question: Question, how: ClosedHow): string {
  const calls = question.calls.map((call) => `${call.tool}: ${JSON.stringify(call.summary)}`).join("; ");
  return `Question ${question.code} is closed (${how}) without an answer. Nothing of it ran: ${calls}`;
}
