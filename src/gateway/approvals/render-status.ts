import type { Words } from "../../core/words/dictionary.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { AskedTerms, Question } from "../../store/queries/questions.ts";
import { placeOf } from "../../policy/may-decide.ts";
import type { DecisionFault } from "../../policy/types.ts";
import { type AnswerWords, addCode } from "./approval-words.ts";
import type { AnswerStatus } from "./bind-answer.ts";

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

/** Why a decision was not carried out; the question stays open. */
export function describeDecisionFault(fault: DecisionFault, { approval }: Words): string {
  switch (fault.kind) {
    case "no-such-number":
      return approval.noSuchNumber(fault);
    case "whole-only":
      return approval.wholeOnly;
    case "no-grant":
      return approval.noGrant;
    case "grant-time":
      return approval.grantTime;
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

/** The answer to the wish for a preview. started = the result comes as a message of its own. */
export type PreviewStart =
  | { readonly kind: "started" }
  | { readonly kind: "running" }
  | { readonly kind: "unsupported"; readonly calls: string }
  | { readonly kind: "expired"; readonly told: boolean }
  | { readonly kind: "closed"; readonly question: Question };

/** The text for the one who asked for a preview, at once. */
export function describePreviewStart(start: PreviewStart, code: string, words: Words): string {
  const texts = words.preview;
  switch (start.kind) {
    case "started":
      return texts.startedToast;
    case "running":
      return texts.running(code);
    case "unsupported":
      return texts.unsupported({ code, calls: makeVisible(start.calls) });
    case "expired":
      return words.decision.lateForExpired(code);
    case "closed":
      return describeClosed(start.question, words);
  }
}
