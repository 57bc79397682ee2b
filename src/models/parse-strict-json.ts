import { describeError } from "../core/errors.ts";
import type { JsonObject } from "../core/conversation.ts";

export type StrictJson =
  | { readonly kind: "object"; readonly value: JsonObject }
  | { readonly kind: "faulty"; readonly fault: string };

const deepest = 64;
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d[\d.eE+-]*|true|false|null/g;

/**
 * Reads the arguments of a call as one JSON object (RFC 8259) and refuses what two readers could understand
 * differently: repeated keys, numbers that lose digits, halves of surrogate pairs (RFC 7493), endless nesting.
 */
export function parseStrictJson(text: string): StrictJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: "faulty", fault: `The arguments are not valid JSON (${describeError(error).slice(0, 120)}).` };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "faulty", fault: "The arguments must be one JSON object." };
  }
  const fault = findAmbiguity(text);
  return fault === undefined ? { kind: "object", value: value as JsonObject } : { kind: "faulty", fault };
}

/** `text` is valid JSON. Walks its tokens, because JSON.parse silently keeps only the last of two equal keys. */
function findAmbiguity(text: string): string | undefined {
  const open: (Set<string> | null)[] = [];
  let keyExpected = false;
  for (const [found] of text.matchAll(token)) {
    const first = found[0];
    if (first === "{" || first === "[") {
      open.push(first === "{" ? new Set() : null);
      if (open.length > deepest) return `The arguments are nested deeper than ${deepest} levels.`;
      keyExpected = first === "{";
    } else if (first === "}" || first === "]") {
      open.pop();
      keyExpected = false;
    } else if (first === ",") {
      keyExpected = open.at(-1) instanceof Set;
    } else if (first === ":") {
      keyExpected = false;
    } else if (first === '"') {
      const content = String(JSON.parse(found));
      if (!content.isWellFormed()) return "The arguments contain half of a surrogate pair.";
      if (!keyExpected) continue;
      if (content === "__proto__") return "The arguments use the key __proto__.";
      const keys = open.at(-1);
      if (keys?.has(content) === true) return `The arguments name the key ${JSON.stringify(content)} twice.`;
      keys?.add(content);
    } else if (first !== "t" && first !== "f" && first !== "n" && losesDigits(found)) {
      return `The number ${found.slice(0, 40)} cannot be kept exactly; send it as a string.`;
    }
  }
  return undefined;
}

function losesDigits(digits: string): boolean {
  const value = Number(digits);
  return !Number.isFinite(value) || (/^-?\d+$/.test(digits) && !Number.isSafeInteger(value));
}
