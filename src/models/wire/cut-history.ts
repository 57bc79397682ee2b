import { estimateTokens, tokensAroundMessage } from "../../core/estimate-tokens.ts";
import type { WireMessage } from "./wire-message.ts";

export interface HistoryLimits {
  readonly maxMessages?: number;
  /** Estimated tokens. */
  readonly maxTokens?: number;
}

interface CutHistory {
  readonly messages: readonly WireMessage[];
  /** There is nothing left to drop. */
  readonly isShortest: boolean;
}

const perPart = 1_000;

/**
 * The conversation within what a server takes. What is answered now stays; of what was before whole exchanges go, the oldest
 * first, and in blocks, so that the next request begins the same. When that is not enough, the oldest rounds of the turn
 * itself go. What does not fit then goes as it is.
 */
export function cutHistory(messages: readonly WireMessage[], limits: HistoryLimits): CutHistory {
  const fits = (list: readonly WireMessage[]): boolean =>
    list.length <= (limits.maxMessages ?? Number.POSITIVE_INFINITY) &&
    measureMessages(list) <= (limits.maxTokens ?? Number.POSITIVE_INFINITY);
  if (fits(messages)) return { messages, isShortest: isLast(messages) };
  const system = messages.filter(({ role }) => role === "system");
  const rest = messages.filter(({ role }) => role !== "system");
  const newest = Math.max(0, findNewest(rest));
  const history = rest.slice(0, newest);
  const turn = rest.slice(newest);
  const starts = history.flatMap((message, index) => (beginsExchange(message) ? [index] : []));
  // A quarter of what there is at a time.
  const step = Math.max(1, Math.ceil(starts.length / 4));
  for (let dropped = step; dropped < starts.length; dropped += step) {
    const cut = [...system, ...history.slice(starts[dropped]), ...turn];
    if (fits(cut)) return { messages: cut, isShortest: false };
  }
  if (fits([...system, ...turn])) return { messages: [...system, ...turn], isShortest: isLast(turn) };
  return cutRounds(system, turn, fits);
}

function cutRounds(
  system: readonly WireMessage[],
  [asked, ...rounds]: readonly WireMessage[],
  fits: (list: readonly WireMessage[]) => boolean,
): CutHistory {
  if (asked === undefined) return { messages: system, isShortest: true };
  const starts = rounds.flatMap((message, index) => (message.role === "assistant" ? [index] : []));
  let cut = [...system, asked, ...rounds];
  for (const [dropped, start] of starts.entries()) {
    if (dropped === 0) continue;
    cut = [...system, asked, leftOut(dropped), ...rounds.slice(start)];
    if (fits(cut)) return { messages: cut, isShortest: dropped === starts.length - 1 };
  }
  return { messages: cut, isShortest: true };
}

/** A single message of a person and what belongs to its last round. */
function isLast(messages: readonly WireMessage[]): boolean {
  const people = messages.filter((message) => message.role === "user" && message.isRecord !== true).length;
  return people <= 1 && messages.filter(({ role }) => role === "assistant").length <= 1;
}

function leftOut(rounds: number): WireMessage {
  const text = `[record] ${rounds} earlier ${rounds === 1 ? "step" : "steps"} of this turn left out, because the model server takes no more. Do not begin anew.`;
  return { role: "user", text, parts: [], isRecord: true };
}

function findNewest(messages: readonly WireMessage[]): number {
  const marked = messages.findLastIndex((message) => message.role === "user" && message.isNewest === true);
  return marked >= 0
    ? marked
    : messages.findLastIndex((message) => message.role === "user" && message.isRecord !== true);
}

function beginsExchange(message: WireMessage): boolean {
  return message.role === "user" && message.isRecord !== true;
}

/** Estimated tokens. */
export function measureMessages(messages: readonly WireMessage[]): number {
  return messages.reduce((sum, message) => sum + tokensAroundMessage + measureMessage(message), 0);
}

function measureMessage(message: WireMessage): number {
  switch (message.role) {
    case "user":
      return estimateTokens(message.text) + message.parts.length * perPart;
    case "assistant":
      return (
        estimateTokens(message.text) + (message.calls.length === 0 ? 0 : estimateTokens(JSON.stringify(message.calls)))
      );
    case "system":
    case "result":
      return estimateTokens(message.text);
  }
}
