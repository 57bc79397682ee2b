import { AppError } from "../../core/errors.ts";
import { listOpenQuestions, type QuestionDecision, type Question } from "../../store/queries/questions.ts";
import { findPause } from "../../store/queries/pause.ts";
import type { Store } from "../../store/open-store.ts";
import { aloneAs } from "../gate/find-person.ts";
import type { DecideQuestion } from "./decide-question.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";

/**
 * The operator decides from the command line, as an owner. A question that needs more votes stays open. Throws AppError
 * APPROVAL_NOT_FOUND, APPROVAL_NOT_YOURS, PAUSED.
 */
export type DecideAsOperator = (idOrCode: string, decision: QuestionDecision, by: string) => Promise<Question>;

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
      throw new AppError("APPROVAL_NOT_FOUND", `${reason} ${kurisuCommand} approvals list shows them.`);
    }
    const cause = `command:${question.id}`;
    const operator = { id: by, name: by, role: "owner", person: aloneAs(by), place: "command" } as const;
    const decided = await decide({ question, decision, by: operator, how: "command", cause });
    if (decided.kind === "decided" || decided.kind === "voted") return decided.question;
    if (decided.kind === "forbidden") {
      const { approvers = [] } = question.terms ?? {};
      const whose =
        approvers.length > 0 ? `It needs the yes of: ${approvers.join(", ")}.` : "It needs another person's yes.";
      throw new AppError("APPROVAL_NOT_YOURS", `You may not confirm question ${question.code}. ${whose}`);
    }
    const state = decided.kind === "expired" ? "expired" : decided.question.state;
    throw new AppError("APPROVAL_NOT_FOUND", `Question ${question.code} is closed (${state}).`);
  };
}

/** For the terminal: `K7 approved`, or `K7 1/2` while votes are missing. */
export function describeDecision({ code, decision, terms, votes }: Question): string {
  return decision === null ? `${code} ${votes.length}/${terms?.votes ?? 1}` : `${code} ${decision}`;
}
