import type { JsonObject } from "../../../core/conversation.ts";
import { compileLinearPattern } from "../../../core/linear-pattern.ts";
import { isJsonObject } from "../../../core/is-json-object.ts";
import { describe } from "./describe.ts";

const maxPatternLength = 200;
/** Engines without backtracking refuse more. */
const maxRepeats = 1_000;
/** Look-around and flags, classes and anchors that not every engine knows, references back, possessive repetition. */
const foreignPattern = /\(\?(?!:)|\\[pPkAZzGQERhHXK1-9]|\[\[:|[*+?}]\+/;
const counted = /\{(\d{1,9})(?:,(\d{0,9}))?\}/g;

/** Moves a pattern that some engine refuses into the description; names by such a pattern are left out. */
export function mendPattern(
  { pattern, patternProperties, ...rest }: JsonObject,
  note: (keyword: string) => void,
): JsonObject {
  const keys = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
  const goodKeys = keys.filter(([key]) => isGood(key));
  if (goodKeys.length < keys.length) note("patternProperties");
  const named = goodKeys.length > 0 ? { patternProperties: Object.fromEntries(goodKeys) } : {};
  if (typeof pattern !== "string") return { ...rest, ...named };
  if (isGood(pattern)) return { ...rest, pattern, ...named };
  note("pattern");
  return describe({ ...rest, ...named }, pattern.length <= maxPatternLength ? `Pattern: ${pattern}` : "");
}

/** Whether every engine accepts it. */
function isGood(pattern: string): boolean {
  if (pattern.length > maxPatternLength || foreignPattern.test(pattern)) return false;
  // Counted repetitions are written out when they are compiled; their place is all that has to be right.
  let isCounted = true;
  const plain = pattern.replace(counted, (_, least: string, most: string | undefined) => {
    const upper = most === undefined || most === "" ? Number(least) : Number(most);
    isCounted &&= Number(least) <= upper && upper <= maxRepeats;
    return "*";
  });
  return isCounted && compileLinearPattern(plain).kind === "pattern";
}
