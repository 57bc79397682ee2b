import type { Words } from "../core/words/dictionary.ts";
import { makeVisible } from "../core/persona/show-payload.ts";
import type { AskedTerms, Question } from "../store/queries/questions.ts";
import { placeOf } from "../tools/may-decide.ts";
import type { RulingFault } from "../tools/ruling-fault.ts";
import { addCode, type AnswerWords } from "./approvals/approval-words.ts";
import type { AnswerStatus } from "./approvals/bind-answer.ts";

/** An answer that decided nothing, as it was typed and where. */
interface StatusAsked {
  readonly words: Words;
  readonly said: AnswerWords["kind"];
  readonly typed: string;
  readonly session: string;
}

/** The fixed text for an answer that decides nothing. Its hints are the words that were typed, so a no is never told how to say yes. */
export function describeStatus(status: AnswerStatus, { words, said, typed, session }: StatusAsked): string {
  const texts = words.decision;
  switch (status.kind) {
    case "several":
      return texts.severalOpen({ codes: status.codes, example: addCode(typed, status.codes[0] ?? "") });
    case "code-needed":
      return texts.codeNeeded({ example: addCode(typed, status.code) });
    case "not-sent-yet":
      return texts.notSentYet({ code: status.code, example: addCode(typed, status.code) });
    case "not-yours":
      return texts.notYours(status.asker);
    case "not-allowed":
      return texts.notAllowed;
    case "not-approver":
      return describeWhoMay(status.question, session, words);
    case "unknown-code":
      return texts.unknownCode(status.code);
    case "quote-the-prompt":
      return texts.quoteThePrompt;
    case "closed":
      return describeClosed(status.question, words, said);
  }
}

/** For somebody in `session` who may not decide a question that is not on the usual terms. */
export function describeWhoMay(question: Question, session: string, { approval }: Words): string {
  const isAskedHere = placeOf(question, session) === "same-chat";
  const who = isAskedHere ? approval.notApprover : approval.waitsElsewhere(question.code);
  return [who, ...describeTerms(question.terms, { approval })].join("\n");
}

/** Whose yes it needs; nothing for the usual terms. */
export function describeTerms(terms: AskedTerms | null, { approval }: Pick<Words, "approval">): readonly string[] {
  if (terms === null) return [];
  const names: Readonly<Record<string, string>> = { owner: approval.roleOwner, trusted: approval.roleTrusted };
  const approvers = (terms.approvers ?? []).map((one) => makeVisible(names[one] ?? one));
  return [
    ...(terms.ask === "owner" && approvers.length === 0 ? [approval.needsOwner] : []),
    ...(approvers.length > 0 ? [approval.approvers({ names: approvers.join(", ") })] : []),
    ...(terms.votes > 1 ? [approval.needsVotes({ needed: terms.votes })] : []),
    ...(terms.askerMayApprove ? [] : [approval.askerHasNoSay]),
  ];
}

/** Why a ruling was not carried out; the question stays open. */
export function describeRulingFault(fault: RulingFault, { approval }: Words): string {
  switch (fault.kind) {
    case "no-such-number":
      return approval.noSuchNumber(fault);
    case "whole-only":
      return approval.wholeOnly;
    case "no-standing":
      return approval.noStanding;
    case "standing-time":
      return approval.standingTime;
  }
}

/** How many have said yes of those it needs. */
export function describeVotes({ code, votes, terms }: Question, again: boolean, { approval }: Words): string {
  const count = { code, count: votes.length, needed: terms?.votes ?? 1 };
  return again ? approval.votedAlready(count) : approval.voted(count);
}

/** `said` = what was to be done to it; a no hears that nothing is left to forbid. */
export function describeClosed(question: Question, words: Words, said?: AnswerWords["kind"]): string {
  const texts = words.decision;
  switch (question.state) {
    case "open":
      return texts.noneOpen;
    case "decided":
      if (said === "reject" && question.decision === "approved") return texts.noForApproved(question.code);
      return question.decision === "approved"
        ? texts.lateForApproved(question.code)
        : texts.lateForRejected(question.code);
    case "expired":
      return said === undefined || said === "approve"
        ? texts.lateForExpired(question.code)
        : texts.alreadyExpired(question.code);
    case "cancelled":
      return texts.lateForVoided(question.code);
  }
}

/** What a question's card becomes once it is closed. */
export function describeCard(
  question: Question,
  by: { readonly name: string; readonly time: string },
  words: Words,
): string {
  const texts = words.outcome;
  switch (question.state) {
    case "open":
      return "";
    case "decided":
      return describePart(question, by, words) ?? texts[question.decision ?? "rejected"](by);
    case "expired":
      return texts.expired;
    case "cancelled":
      return question.closedHow === "changed" ? words.approval.changed : texts.voided;
  }
}

/** Of several calls, when not all were decided alike. */
function describePart(
  { calls, decision }: Question,
  by: { readonly name: string; readonly time: string },
  { approval }: Words,
): string | undefined {
  const list = (rejected: boolean) =>
    calls.flatMap(({ state }, index) => ((state === "rejected") === rejected ? [index + 1] : [])).join(", ");
  if (calls.every(({ state }) => (state === "rejected") === (decision === "rejected"))) return undefined;
  return decision === "approved"
    ? approval.partApproved({ ...by, numbers: list(false) })
    : approval.partRejected({ ...by, numbers: list(true) });
}
