import type { PreviewStart } from "./previews.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { AskedTerms, Question } from "../../store/queries/questions.ts";
import { placeOf } from "../gate/may-decide.ts";
import type { DecisionFault } from "../gate/types.ts";
import { type AnswerWords, addCode } from "./approval-words.ts";
import type { AnswerStatus } from "./bind-answer.ts";
import { type Reader, tellAs, type Told } from "../outbox/tell-as.ts";

/** An answer that decided nothing, as typed, and where. */
interface StatusAsked extends Reader {
  readonly said: AnswerWords["kind"];
  readonly typed: string;
  readonly session: string;
}

/**
 * The fixed reply to an answer that decides nothing. Its hints repeat the typed words, so that a rejection never gets
 * instructions for approving.
 */
export function describeStatus(status: AnswerStatus, { said, typed, session, ...to }: StatusAsked): Told {
  const { language, words } = to;
  const texts = words.decision;
  switch (status.kind) {
    case "several":
      return { text: texts.severalOpen({ codes: status.codes, example: addCode(typed, status.codes[0] ?? "") }) };
    case "code-needed":
      return { text: texts.codeNeeded({ example: addCode(typed, status.code) }) };
    case "not-sent-yet":
      return { text: texts.notSentYet({ code: status.code, example: addCode(typed, status.code) }) };
    case "not-yours":
      return tellAs("notYours", language, texts.notYours(status.asker));
    case "not-allowed":
      return tellAs("notYours", language, texts.notAllowed);
    case "not-approver":
      return describeWhoMay(status.question, session, to);
    case "unknown-code":
      return { text: texts.unknownCode(status.code) };
    case "quote-the-prompt":
      return { text: texts.quoteThePrompt };
    case "closed":
      return describeClosed(status.question, to, said);
  }
}

/** For a person in `session` who may not decide a question with terms of its own. */
export function describeWhoMay(question: Question, session: string, { language, words }: Reader): Told {
  const { approval } = words;
  const isAskedHere = placeOf(question, session) === "same-chat";
  const who = isAskedHere ? approval.notApprover : approval.waitsElsewhere(question.code);
  return tellAs("notYours", language, [who, ...describeTerms(question.terms, { approval })].join("\n"));
}

/** Describes whose approval is needed. Returns nothing for the default terms. */
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

/** Explains why a decision was not carried out; the question stays open. */
export function describeDecisionFault(fault: DecisionFault, { words }: Reader): Told {
  const { approval } = words;
  switch (fault.kind) {
    case "no-such-number":
      return { text: approval.noSuchNumber(fault) };
    case "whole-only":
      return { text: approval.wholeOnly };
    case "no-grant":
      return { text: approval.noGrant };
    case "grant-time":
      return { text: approval.grantTime };
  }
}

/** Counts the approvals against the number needed. */
export function describeVotes({ code, votes, terms }: Question, again: boolean, { approval }: Words): string {
  const count = { code, count: votes.length, needed: terms?.votes ?? 1 };
  return again ? approval.votedAlready(count) : approval.voted(count);
}

/** `said` is the attempted action. A rejection gets the reply that nothing is left to reject. */
export function describeClosed(question: Question, { language, words }: Reader, said?: AnswerWords["kind"]): Told {
  const texts = words.decision;
  switch (question.state) {
    case "open":
      return { text: texts.noneOpen };
    case "decided":
      if (said === "reject" && question.decision === "approved") return { text: texts.noForApproved(question.code) };
      return question.decision === "approved"
        ? { text: texts.lateForApproved(question.code) }
        : { text: texts.lateForRejected(question.code) };
    case "expired":
      return said === undefined || said === "approve"
        ? tellAs("expired", language, texts.lateForExpired(question.code))
        : tellAs("expired", language, texts.alreadyExpired(question.code));
    case "cancelled":
      return tellAs("voided", language, texts.lateForVoided(question.code));
  }
}

/** The immediate reply to a preview request. */
export function describePreviewStart(start: PreviewStart, code: string, to: Reader): Told {
  const { language, words } = to;
  const texts = words.previews;
  switch (start.kind) {
    case "started":
      return { text: texts.startedToast };
    case "running":
      return { text: texts.running(code) };
    case "unsupported":
      return { text: texts.unsupported({ code, calls: makeVisible(start.calls) }) };
    case "expired":
      return tellAs("expired", language, words.decision.lateForExpired(code));
    case "closed":
      return describeClosed(start.question, to);
  }
}
