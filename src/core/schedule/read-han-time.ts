import { readWhen } from "./read-han-parts.ts";
import type { TimeParts } from "./time-parts.ts";
import { createTokenReader } from "./token-reader.ts";
import { readTimeTokens, type TimeToken } from "./time-words.ts";

/** The parts of the time in a text, and the places that name it. */
export interface FoundTime {
  readonly parts: TimeParts;
  readonly spans: readonly { readonly from: number; readonly to: number }[];
}

interface Fragment extends FoundTime {
  readonly next: number;
}

/** The first time that a Chinese or Japanese text names; a day and an hour may stand apart. */
export function findHanTime(text: string): FoundTime | undefined {
  const tokens = readTimeTokens(text);
  const first = findFragment(tokens, 0, text);
  if (first === undefined) return undefined;
  const { parts } = first;
  const isWhole = parts.clocks !== undefined || parts.after !== undefined || parts.doubt !== undefined;
  for (let at = first.next; at < tokens.length;) {
    const other = findFragment(tokens, at, text);
    if (other === undefined) break;
    const merged = mergeParts(parts, other.parts, isWhole);
    if (merged) return { parts: merged, spans: [...first.spans, ...other.spans] };
    at = other.next;
  }
  return first;
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
    if (parts && head && last) return { parts, spans: [{ from: head.from, to: last.to }], next };
  }
  return undefined;
}
