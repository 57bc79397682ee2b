import type { MeasuredMessage } from "../../../store/queries/messages.ts";
import type { SummaryPlace } from "../../../store/queries/summaries.ts";

/** How much of a conversation a prompt contains, in tokens unless noted. */
export interface ContextPlan {
  /** Above one of these, the older part is summarised. */
  readonly history: number;
  readonly messages: number;
  /** The recent messages that stay verbatim. */
  readonly kept: number;
  /** All summaries together, and a single one. */
  readonly summaries: number;
  readonly summary: number;
  /** The messages that one summary covers. */
  readonly piece: number;
}

/** models.yaml: window. */
export interface WindowOptions {
  /** Tokens of the conversation; absent for a share of the model's context. */
  readonly tokens?: number;
  readonly messages: number;
}

/** The rest is for the persona, the tools and the steps of the turn. */
const shareOfModel = 0.4;
const minTokens = 1_000;
const maxTokens = 24_000;

/** Depends on the context size of the model in use. */
export function planContext({ messages, tokens }: WindowOptions, contextTokens: number): ContextPlan {
  const share = Math.min(maxTokens, Math.max(minTokens, Math.floor(contextTokens * shareOfModel)));
  const all = tokens ?? share;
  const kept = Math.floor(all * 0.35);
  const summaries = Math.floor(all * 0.25);
  return {
    history: all - summaries,
    messages,
    kept,
    summaries,
    summary: clamp(Math.floor(summaries / 6), 100, 500),
    piece: clamp(Math.floor(kept / 3), 300, 1_500),
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** Summaries leave the prompt in groups of this size, so that its beginning stays the same for a while. */
const summariesAtOnce = 4;

/** The newest summaries that fit, oldest first. */
export function pickSummaries(newestFirst: readonly SummaryPlace[], plan: ContextPlan): readonly SummaryPlace[] {
  const picked: SummaryPlace[] = [];
  let tokens = 0;
  for (const summary of newestFirst) {
    tokens += summary.tokens;
    if (tokens > plan.summaries) break;
    picked.unshift(summary);
  }
  if (picked.length === newestFirst.length || picked.length <= summariesAtOnce) return picked;
  return picked.slice(picked.findIndex(({ number }) => number % summariesAtOnce === 1));
}

/** How many messages `findKept` needs measured. */
export function countMeasured({ messages }: ContextPlan): number {
  return 2 * messages + 1;
}

/** Whether the older part must be summarised. */
export function isTooLong(newestFirst: readonly MeasuredMessage[], plan: ContextPlan): boolean {
  return sum(newestFirst) > plan.history || newestFirst.length > plan.messages;
}

/** Whether a turn that is about to add messages must check again at its end. */
export function isNearlyTooLong(newestFirst: readonly MeasuredMessage[], plan: ContextPlan): boolean {
  return sum(newestFirst) > plan.history / 2 || newestFirst.length > plan.messages / 2;
}

/**
 * Returns the position after which messages stay verbatim. It begins with a person's message or a record if one is
 * near, and always keeps the newest message.
 */
export function findKept(newestFirst: readonly MeasuredMessage[], plan: ContextPlan): number {
  let tokens = 0;
  let start = newestFirst[0]?.position ?? 0;
  for (const [index, { position, role, tokens: own }] of newestFirst.entries()) {
    tokens += own;
    if (index > 0 && (tokens > plan.kept || index >= plan.messages / 2)) break;
    if (index === 0 || role === "user" || role === "note") start = position;
  }
  return start - 1;
}

/**
 * Returns the start of a turn's window: after the summaries, or later while a summary is overdue, so that the prompt
 * stays within its bound.
 */
export function findStart(newestFirst: readonly MeasuredMessage[], covered: number, plan: ContextPlan): number {
  const isBounded = sum(newestFirst) <= plan.history + plan.summaries && newestFirst.length < countMeasured(plan);
  return isBounded ? covered : Math.max(covered, findKept(newestFirst, plan));
}

function sum(messages: readonly MeasuredMessage[]): number {
  return messages.reduce((all, { tokens }) => all + tokens, 0);
}
