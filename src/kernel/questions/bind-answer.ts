import type { Question } from "../../store/queries/questions.ts";
import type { Decider } from "../gate/may-decide.ts";
import type { AnswerWords } from "./approval-words.ts";

/** How an answer applies to the questions of its chat. */
export type Binding =
  | { readonly kind: "decide"; readonly question: Question }
  | { readonly kind: "again"; readonly question: Question }
  | { readonly kind: "preview"; readonly question: Question }
  /** Gets a fixed reply; the words never reach the model. */
  | { readonly kind: "status"; readonly status: AnswerStatus }
  | { readonly kind: "ordinary" };

export type AnswerStatus =
  | { readonly kind: "several"; readonly codes: readonly string[] }
  | { readonly kind: "code-needed"; readonly code: string }
  | { readonly kind: "not-sent-yet"; readonly code: string }
  | { readonly kind: "not-yours"; readonly asker: string }
  | { readonly kind: "not-allowed" }
  /** The question's terms name other approvers. */
  | { readonly kind: "not-approver"; readonly question: Question }
  | { readonly kind: "unknown-code"; readonly code: string }
  | { readonly kind: "quote-the-prompt" }
  | { readonly kind: "closed"; readonly question: Question };

export interface AnswerSituation {
  readonly words: AnswerWords;
  readonly quote: { readonly messageId: string; readonly fromUs: boolean } | undefined;
  /** Sequence number of the message's inbox row. */
  readonly seq: number;
  /** When the message was written by the platform's clock, in milliseconds. */
  readonly sentAt: number;
  readonly now: number;
  readonly decider: Pick<Decider, "id">;
  readonly mayDecide: (question: Question) => boolean;
  /** Open questions of this chat, oldest first. */
  readonly open: readonly Question[];
  /** Questions of this chat that closed within the last day, newest first. */
  readonly closed: readonly Question[];
}

const foreignClosingMs = 60_000;
const decidedEchoMs = 30 * 60_000;

/** Finds the question that an answer is for. Pure. */
export function bindAnswer(situation: AnswerSituation): Binding {
  if (situation.words.kind === "again") return bindAgain(situation);
  const { quote } = situation;
  const binding = quote ? bindQuote(situation, quote) : bindUnquoted(situation);
  // A preview reads the workspace, so it needs the permission and the certainty of an approval.
  return binding.kind === "decide" && situation.words.kind === "preview" ? { ...binding, kind: "preview" } : binding;
}

function bindUnquoted(situation: AnswerSituation): Binding {
  const { code } = situation.words;
  return code === undefined ? bindBare(situation) : bindCode(situation, code);
}

function bindQuote(situation: AnswerSituation, quote: { messageId: string; fromUs: boolean }): Binding {
  const { words, open, closed } = situation;
  const meant = open.find((question) => question.promptMessage === quote.messageId);
  if (meant) {
    if (words.code !== undefined && words.code !== meant.code) return status({ kind: "quote-the-prompt" });
    return decideIfAllowed(situation, meant);
  }
  const past = closed.find((question) => question.promptMessage === quote.messageId);
  if (past) return status({ kind: "closed", question: past });
  if (!open.some(situation.mayDecide)) return { kind: "ordinary" };
  // A rejection applies to the open question whatever it quotes, but everyday words may be meant for another member.
  if (words.kind === "reject" && (!words.plain || quote.fromUs)) return bindUnquoted(situation);
  return status({ kind: "quote-the-prompt" });
}

function bindCode(situation: AnswerSituation, code: string): Binding {
  const [meant, another] = situation.open.filter((question) => question.code === code);
  // Two questions asked at the same moment in different chats can share a code in a chat that shows both.
  if (another) return status({ kind: "quote-the-prompt" });
  if (meant && isUnseen(situation, meant)) return status({ kind: "not-sent-yet", code });
  if (meant) return decideIfAllowed(situation, meant);
  const past = situation.closed.find((question) => question.code === code);
  return status(past ? { kind: "closed", question: past } : { kind: "unknown-code", code });
}

/**
 * The model or /status may have named the code. An approval or a preview still requires that the prompt was visible
 * before.
 */
function isUnseen(situation: AnswerSituation, question: Question): boolean {
  return situation.words.kind !== "reject" && situation.mayDecide(question) && !cameAfter(situation, question);
}

/**
 * Requires that the words came after the prompt, both by our inbox order and by the platform's clock: after a reconnect
 * the platform may deliver words that were written before it. The platform's clock has whole seconds.
 */
function cameAfter({ seq, sentAt }: AnswerSituation, { shownAfter, shownAt }: Question): boolean {
  return shownAfter !== null && seq > shownAfter && (shownAt === null || sentAt + 999 >= shownAt);
}

function bindBare(situation: AnswerSituation): Binding {
  const { words, open, closed, now, decider } = situation;
  const mine = open.filter(situation.mayDecide);
  const [only, ...others] = mine;
  if (others.length > 0) return status({ kind: "several", codes: mine.map((question) => question.code) });
  if (!only) {
    const [foreign] = open;
    // Members of a group reject one another's proposals all day.
    if (foreign && words.kind === "reject" && words.plain) return { kind: "ordinary" };
    if (foreign) return status(refusal(foreign, decider.id));
    return bindPast(situation);
  }
  // A rejection always counts: it is safe even if the prompt was not read, and only this question is left.
  if (words.kind === "reject") return { kind: "decide", question: only };
  if (!cameAfter(situation, only)) return status({ kind: "not-sent-yet", code: only.code });
  const confusing = closed.some(
    (question) =>
      (question.asker === decider.id || situation.mayDecide(question)) &&
      now - (question.closedAt ?? 0) < foreignClosingMs &&
      !((question.closedHow === "words" || question.closedHow === "changed") && question.closedBy === decider.id),
  );
  if (confusing) return status({ kind: "code-needed", code: only.code });
  return { kind: "decide", question: only };
}

/**
 * A word for a closed question gets the status of that question, unless it is an everyday word and some time has
 * passed.
 */
function bindPast({ words, closed, now, mayDecide }: AnswerSituation): Binding {
  const last = closed.find(mayDecide);
  if (!last) return { kind: "ordinary" };
  const age = now - (last.closedAt ?? 0);
  const everyday = words.kind === "reject" && words.plain;
  const limit = everyday ? foreignClosingMs : last.state === "decided" ? decidedEchoMs : Number.POSITIVE_INFINITY;
  return age < limit ? status({ kind: "closed", question: last }) : { kind: "ordinary" };
}

function bindAgain({ words, quote, closed, decider }: AnswerSituation): Binding {
  const repeatable = closed.filter((question) => question.asker === decider.id && isRepeatable(question, decider.id));
  const coded = repeatable.filter((question) => words.code === undefined || question.code === words.code);
  const meant = quote ? coded.find((question) => question.promptMessage === quote.messageId) : coded[0];
  if (meant) return { kind: "again", question: meant };
  return words.code === undefined ? { kind: "ordinary" } : status({ kind: "unknown-code", code: words.code });
}

/** Questions that did not run and that no other person rejected. */
function isRepeatable({ state, decision, closedBy }: Question, by: string): boolean {
  if (state === "decided") return decision === "rejected" && closedBy === by;
  return state === "expired" || state === "cancelled";
}

function decideIfAllowed(situation: AnswerSituation, question: Question): Binding {
  if (situation.mayDecide(question)) return { kind: "decide", question };
  return status(refusal(question, situation.decider.id));
}

function refusal(question: Question, decider: string): AnswerStatus {
  if (question.terms) return { kind: "not-approver", question };
  return question.asker === decider ? { kind: "not-allowed" } : { kind: "not-yours", asker: question.askerName };
}

function status(of: AnswerStatus): Binding {
  return { kind: "status", status: of };
}
