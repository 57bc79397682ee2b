import type { MeasuredMessage } from "../../../store/queries/messages.ts";
import type { SummaryPlace } from "../../../store/queries/summaries.ts";

/** How much of a conversation stands in a prompt, in tokens where nothing else is said. */
export interface ContextPlan {
  /** Above one of these its older part is summarised. */
  readonly history: number;
  readonly messages: number;
  /** The messages that stay as they were said. */
  readonly kept: number;
  /** All summaries together, and one of them. */
  readonly summaries: number;
  readonly summary: number;
  /** The messages of one summary. */
  readonly piece: number;
}

/** models.yaml: window. */
export interface WindowOptions {
  /** Tokens of the conversation; absent = a share of what the model takes. */
  readonly tokens?: number;
  readonly messages: number;
}

/** The rest is for the persona, the tools and what happens in the turn. */
const shareOfModel = 0.4;
const minTokens = 1_000;
const maxTokens = 24_000;

/** By the size of the model in use. */
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

/** Summaries leave the prompt this many at a time, so that its beginning stays for a while. */
const summariesAtOnce = 4;

/** The newest that there is room for, oldest first. */
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

/** How many messages must be measured for `findKept` to know. */
export function countMeasured({ messages }: ContextPlan): number {
  return 2 * messages + 1;
}

/** The older part has to be summarised. */
export function isTooLong(newestFirst: readonly MeasuredMessage[], plan: ContextPlan): boolean {
  return sum(newestFirst) > plan.history || newestFirst.length > plan.messages;
}

/** The turn that is about to add to it has to look at its end. */
export function isNearlyTooLong(newestFirst: readonly MeasuredMessage[], plan: ContextPlan): boolean {
  return sum(newestFirst) > plan.history / 2 || newestFirst.length > plan.messages / 2;
}

/**
 * The position after which messages stay as they were said. It begins with a person's message, or a record, where one
 * is near, and never holds less than the newest message.
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
 * The start of a turn's window: after the summaries. While a summary is late it begins later, so that the prompt
 * never grows above its bound.
 */
export function findStart(newestFirst: readonly MeasuredMessage[], covered: number, plan: ContextPlan): number {
  const isBounded = sum(newestFirst) <= plan.history + plan.summaries && newestFirst.length < countMeasured(plan);
  return isBounded ? covered : Math.max(covered, findKept(newestFirst, plan));
}

function sum(messages: readonly MeasuredMessage[]): number {
  return messages.reduce((all, { tokens }) => all + tokens, 0);
}
