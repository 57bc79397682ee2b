import type { Language } from "../conversation.ts";
import { fileReasons } from "./reasons/file-reasons.ts";
import { gateReasons } from "./reasons/gate-reasons.ts";
import { otherReasons } from "./reasons/other-reasons.ts";
import { memoryReasons } from "./reasons/memory-reasons.ts";
import type { ReasonWords } from "./reasons/reason-words.ts";
import { sandboxReasons } from "./reasons/sandbox-reasons.ts";
import { webReasons } from "./reasons/web-reasons.ts";

export const reasons: readonly ReasonWords[] = [
  ...gateReasons,
  ...fileReasons,
  ...sandboxReasons,
  ...webReasons,
  ...memoryReasons,
  ...otherReasons,
];

/** A longer one is not a sentence of ours. */
const longestReason = 4_000;
/** A sentence in a sentence in a sentence. */
const deepest = 3;

interface Template {
  /** The literal text before, between and after the values. */
  readonly literals: readonly string[];
  readonly zh: string;
  readonly ja: string;
}

const templates: readonly Template[] = reasons
  .map(([sentence, zh, ja]) => ({ literals: sentence.split(/\{~?\}/), zh, ja }))
  // The more of a sentence is ours, the surer it is that one.
  .toSorted((one, other) => measure(other) - measure(one));

function measure({ literals }: Template): number {
  return literals.join("").length;
}

/**
 * A reason that was written for the model, for people: in their language where it is one of ours, else as a quotation, since it
 * is somebody else's words or a technical detail.
 */
export function tellReason(reason: string, language: Language): string {
  return findReason(reason, language) ?? quote(reason);
}

/** undefined = it is none of our sentences. */
export function findReason(reason: string, language: Language, depth = 0): string | undefined {
  const text = reason.trim();
  if (text === "" || text.length > longestReason || depth > deepest) return undefined;
  for (const template of templates) {
    const values = readValues(text, template.literals);
    if (values) return language === "en" ? text : fill(template[language], values, language, depth);
  }
  return undefined;
}

/** Each value ends where the next literal begins first: linear in the text. */
function readValues(text: string, literals: readonly string[]): readonly string[] | undefined {
  const [first = "", ...rest] = literals;
  if (!text.startsWith(first)) return undefined;
  const last = rest.pop();
  if (last === undefined) return text === first ? [] : undefined;
  const values: string[] = [];
  let from = first.length;
  for (const literal of rest) {
    const at = text.indexOf(literal, from);
    if (at < 0) return undefined;
    values.push(text.slice(from, at));
    from = at + literal.length;
  }
  if (!text.endsWith(last) || text.length - last.length < from) return undefined;
  return [...values, text.slice(from, text.length - last.length)];
}

function fill(words: string, values: readonly string[], language: Language, depth: number): string {
  let next = 0;
  return words.replaceAll(/`\{(?:~|\d)?\}`|\{(?:~|\d)?\}/g, (placeholder) => {
    const mark = /[~\d]/.exec(placeholder)?.[0];
    const value = values[mark === undefined || mark === "~" ? next++ : Number(mark)] ?? "";
    if (mark === "~") return findReason(value, language, depth + 1) ?? quote(value);
    return placeholder.startsWith("`") ? quote(value) : value;
  });
}

function quote(text: string): string {
  const shown = text.trim().replaceAll("`", "'").replaceAll(/\s+/g, " ");
  return `\`${shown.length > 300 ? `${shown.slice(0, 300)}…` : shown}\``;
}
