import type { Question } from "../../store/queries/questions.ts";
import type { Decider } from "../gate/may-decide.ts";
import type { AnswerWords } from "./approval-words.ts";

/** The meaning of an answer for the questions of its chat. */
export type Binding =
  | { readonly kind: "decide"; readonly question: Question }
  | { readonly kind: "again"; readonly question: Question }
  | { readonly kind: "preview"; readonly question: Question }
  /** A fixed text answers; the words never reach the model. */
  | { readonly kind: "status"; readonly status: AnswerStatus }
  | { readonly kind: "ordinary" };

export type AnswerStatus =
  | { readonly kind: "several"; readonly codes: readonly string[] }
  | { readonly kind: "code-needed"; readonly code: string }
  | { readonly kind: "not-sent-yet"; readonly code: string }
  | { readonly kind: "not-yours"; readonly asker: string }
  | { readonly kind: "not-allowed" }
  /** Its terms name others. */
  | { readonly kind: "not-approver"; readonly question: Question }
  | { readonly kind: "unknown-code"; readonly code: string }
  | { readonly kind: "quote-the-prompt" }
  | { readonly kind: "closed"; readonly question: Question };

export interface AnswerSituation {
  readonly words: AnswerWords;
  readonly quote: { readonly messageId: string; readonly fromUs: boolean } | undefined;
  /** Sequence number of the message's inbox row. */
  readonly seq: number;
  /** When it was written by the platform's clock, milliseconds. */
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

/** Which question an answer is for. Pure. */
export function bindAnswer(situation: AnswerSituation): Binding {
  if (situation.words.kind === "again") return bindAgain(situation);
  const binding = bindToQuestion(situation);
  // Who may not decide it may not look into it, and what is not clear enough for a yes is not clear enough for this.
  return binding.kind === "decide" && situation.words.kind === "preview" ? { ...binding, kind: "preview" } : binding;
}

function bindToQuestion(situation: AnswerSituation): Binding {
  return situation.quote ? bindQuote(situation, situation.quote) : bindUnquoted(situation);
}

function bindUnquoted(situation: AnswerSituation): Binding {
  if (situation.words.code !== undefined) return bindCode(situation, situation.words.code);
  return bindBare(situation);
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
  // A no is for what waits, whatever it quotes; but people say everyday ones to one another.
  if (words.kind === "reject" && (!words.plain || quote.fromUs)) return bindUnquoted(situation);
  return status({ kind: "quote-the-prompt" });
}

function bindCode(situation: AnswerSituation, code: string): Binding {
  const [meant, another] = situation.open.filter((question) => question.code === code);
  // Two that were asked at one moment in different chats can have the same, where both are answered.
  if (another) return status({ kind: "quote-the-prompt" });
  if (meant && isUnseen(situation, meant)) return status({ kind: "not-sent-yet", code });
  if (meant) return decideIfAllowed(situation, meant);
  const past = situation.closed.find((question) => question.code === code);
  return status(past ? { kind: "closed", question: past } : { kind: "unknown-code", code });
}

/** A yes with the code (the model or /status may have named it), or a wish for a preview, still needs a prompt that was there to be read. */
function isUnseen(situation: AnswerSituation, question: Question): boolean {
  return situation.words.kind !== "reject" && situation.mayDecide(question) && !cameAfter(situation, question);
}

/**
 * The words came after the prompt was sent, by the order of our inbox and by the platform's clock: words that were
 * written before it may be handed in late (after a reconnect). The platform counts whole seconds.
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
    // In a group people say no to one another all day.
    if (foreign && words.kind === "reject" && words.plain) return { kind: "ordinary" };
    if (foreign) return status(refusal(foreign, decider.id));
    return bindPast(situation);
  }
  // A no always wins: it does no harm to what was not read, and whatever closed before, nothing else is left to mean.
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

/** A word for a question that is over gets its status, unless it is something people say anyway and time has passed. */
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

/** Questions that were not carried out and that nobody else forbade. */
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
