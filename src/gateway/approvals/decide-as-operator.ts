import { AppError } from "../../core/errors.ts";
import { listOpenQuestions, type Decision, type Question } from "../../store/queries/questions.ts";
import { findPause } from "../../store/queries/pause.ts";
import type { Store } from "../../store/open-store.ts";
import type { DecideQuestion } from "./decide-question.ts";

/** The operator decides from the command line. Throws AppError APPROVAL_NOT_FOUND, PAUSED. */
export type DecideAsOperator = (idOrCode: string, decision: Decision, by: string) => Promise<Question>;

export function createDecideAsOperator(store: Store, decide: DecideQuestion): DecideAsOperator {
  return async (idOrCode, decision, by) => {
    if (await findPause(store.main)) {
      throw new AppError("PAUSED", "Everything is paused by the kill switch; an answer runs nothing. /resume goes on.");
    }
    const open = await listOpenQuestions(store.main);
    const matching = open.filter((question) => question.id === idOrCode || question.code === idOrCode.toUpperCase());
    const [question, ...others] = matching;
    if (!question || others.length > 0) {
      const reason = question
        ? `${matching.length} questions have the code ${idOrCode}; use the id.`
        : `No open question ${idOrCode}.`;
      throw new AppError("APPROVAL_NOT_FOUND", `${reason} kurisu approvals list shows them.`);
    }
    const cause = `command:${question.id}`;
    const decided = await decide({ question, decision, by: { id: by, name: by }, how: "command", cause });
    if (decided.kind === "decided") return decided.question;
    const state = decided.kind === "expired" ? "expired" : decided.question.state;
    throw new AppError("APPROVAL_NOT_FOUND", `Question ${question.code} is closed (${state}).`);
  };
}
