import { readWhen } from "./read-han-when.ts";
import type { TimeParts } from "../../core/schedule/time-parts.ts";
import { createTokenReader } from "./token-reader.ts";
import { readTimeTokens, type TimeToken } from "./time-words.ts";

/** The parts of the time in a text, and the places that name it. */
export interface FoundTime {
  readonly parts: TimeParts;
  readonly spans: readonly { readonly from: number; readonly to: number }[];
}

interface Fragment extends FoundTime {
  readonly start: number;
  readonly next: number;
}

/** The first time that a Chinese or Japanese text names; a day and an hour may be separated. */
export function findHanTime(text: string): FoundTime | undefined {
  const tokens = readTimeTokens(text);
  const first = findFragment(tokens, 0, text);
  if (first === undefined) return undefined;
  const { parts } = first;
  if (parts.doubt) return first;
  const isWhole = parts.clocks !== undefined || parts.after !== undefined;
  let found: FoundTime = first;
  let unread = parts.every !== undefined && isBounded(tokens.slice(0, first.start));
  for (let at = first.next; at < tokens.length;) {
    const other = findFragment(tokens, at, text);
    if (other === undefined) break;
    const merged = found === first ? mergeParts(parts, other.parts, isWhole) : undefined;
    if (merged) found = { parts: merged, spans: [...first.spans, ...other.spans] };
    else unread ||= isUnread(parts, other.parts, tokens.slice(at, other.start));
    at = other.next;
  }
  return unread ? { ...found, parts: { ...found.parts, doubt: "unread" } } : found;
}

/** 这周每天, 三天内每天, 12月每天: words before a repetition would end it some day. */
function isBounded(before: readonly TimeToken[]): boolean {
  return before.some((token, index) => {
    if (token.kind === "year") return true;
    if (token.kind === "shift") return token.unit !== undefined || isUnitOfDays(before[index + 1]);
    if (token.kind !== "number") return false;
    return isUnitOfDays(before[index + (before[index + 1]?.kind === "measure" ? 2 : 1)]);
  });
}

const isUnitOfDays = (token: TimeToken | undefined): boolean =>
  token?.kind === "unit" && ["day", "week", "month", "year"].includes(token.unit);

/** Whether a later time in the text belongs to the first one, which has no place for it. */
function isUnread(first: TimeParts, other: TimeParts, between: readonly TimeToken[]): boolean {
  if (other.every) return true;
  const isDated = (other.day ?? other.after) !== undefined;
  const isJoined =
    between.length > 0 &&
    between.length <= 2 &&
    between.every(
      (token) =>
        ["and", "to", "of", "before"].includes(token.kind) ||
        (token.kind === "sign" && "、-~—–或及又，,".includes(token.sign)),
    );
  if (isJoined && (isDated || first.every)) return true;
  if (first.every === undefined) return false;
  const saysHours =
    first.clocks !== undefined ||
    first.part !== undefined ||
    (first.every.kind === "interval" && first.every.interval.milliseconds > 0);
  return !saysHours && (isDated || other.doubt !== undefined);
}

/** A later fragment counts when it says only what the first leaves open. */
function mergeParts(first: TimeParts, other: TimeParts, isWhole: boolean): TimeParts | undefined {
  if (other.ahead && !first.ahead) return { ...first, ahead: other.ahead };
  const repeats = other.day ?? other.after ?? other.every ?? other.doubt;
  if (isWhole || repeats !== undefined || (first.part && other.part)) return undefined;
  return { ...first, ...other };
}

function findFragment(tokens: readonly TimeToken[], start: number, text: string): Fragment | undefined {
  for (let at = start; at < tokens.length; at += 1) {
    const reader = createTokenReader(tokens, at, text);
    const parts = readWhen(reader);
    const next = reader.place();
    const [head, last] = [tokens[at], tokens[next - 1]];
    if (parts && head && last) return { parts, spans: [{ from: head.from, to: last.to }], start: at, next };
  }
  return undefined;
}
