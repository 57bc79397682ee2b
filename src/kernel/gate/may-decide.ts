import type { QuestionDecision, Question } from "../../store/queries/questions.ts";
import { defaultTerms } from "./approval-terms.ts";
import type { LinkedPerson } from "./find-person.ts";
import type { Person } from "./types.ts";

/**
 * A person who wants to decide, and from where. `same-chat` is a chat that shows the question, `own-chat` the
 * requesting chat while the question is asked elsewhere, `elsewhere` any other.
 */
export interface Decider {
  readonly id: string;
  readonly role: Person["role"];
  /** The person behind the account. */
  readonly person: LinkedPerson;
  readonly place: "same-chat" | "own-chat" | "elsewhere" | "console" | "command";
}

/** The relation of a chat to a question. */
export function placeOf(question: Question, session: string): "same-chat" | "own-chat" | "elsewhere" {
  if (question.terms?.ask === "owner" && question.routed.some((prompt) => prompt.session === session))
    return "same-chat";
  if (question.session !== session) return "elsewhere";
  return question.terms?.ask === "owner" ? "own-chat" : "same-chat";
}

/**
 * The one rule for who may approve or reject, by any means. An approval needs a person named by the terms; a rejection
 * may also come from the requester and from owners, since it runs nothing. All accounts of a human are one person here,
 * but requesters with several accounts approve their own request only from the account that made it.
 */
export function mayDecide(question: Question, decider: Decider, decision: QuestionDecision): boolean {
  const { approvers, ask, askerMayApprove } = question.terms ?? defaultTerms;
  const isAsker = decider.person.since(question.createdAt).includes(question.asker);
  const isOperator = decider.place === "console" || decider.place === "command";
  if (decider.place === "elsewhere") return false;
  if (decision === "rejected") {
    if (isOperator || decider.role === "owner") return true;
    if (isAsker && decider.role !== "guest") return true;
  }
  if (decider.place === "own-chat" || (isAsker && !askerMayApprove)) return false;
  const names = [decider.id, decider.role, ...decider.person.acting];
  if (approvers) return names.some((name) => approvers.includes(name));
  if (isOperator || decider.role === "owner") return true;
  return ask === "chat" && decider.id === question.asker && decider.role !== "guest";
}
