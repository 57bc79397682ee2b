import type { Language } from "../conversation.ts";
import type { ReasonWords } from "./reasons/reason-words.ts";

/** A longer one is not a sentence of ours. */
const maxReasonLength = 4_000;
/** A sentence in a sentence in a sentence. */
const deepest = 3;

interface Template {
  /** The literal text before, between and after the values. */
  readonly literals: readonly string[];
  readonly zh: string;
  readonly ja: string;
  /** Undefined for a sentence that English people read as it is. */
  readonly en: string | undefined;
}

function measure({ literals }: Template): number {
  return literals.join("").length;
}

/** Answers a sentence of ours in a language, or undefined for any other sentence. */
export type FindReason = (reason: string, language: Language, depth?: number) => string | undefined;

/** `showOther` shows a value that is no sentence of ours. */
export function createFinder(words: readonly ReasonWords[], showOther: (value: string) => string): FindReason {
  const templates: readonly Template[] = words
    .map(([sentence, zh, ja, en]) => ({ literals: sentence.split(/\{~?\}/), zh, ja, en }))
    // Longer literal text first: it is the more specific match.
    .toSorted((one, other) => measure(other) - measure(one));

  function find(reason: string, language: Language, depth = 0): string | undefined {
    const text = reason.trim();
    if (text === "" || text.length > maxReasonLength || depth > deepest) return undefined;
    for (const template of templates) {
      const values = readValues(text, template.literals);
      if (!values) continue;
      const told = template[language];
      return told === undefined ? text : fill(told, values, language, depth);
    }
    return undefined;
  }

  function fill(text: string, values: readonly string[], language: Language, depth: number): string {
    let next = 0;
    return text.replaceAll(/`\{(?:~|\d)?\}`|\{(?:~|\d)?\}/g, (placeholder) => {
      const mark = /[~\d]/.exec(placeholder)?.[0];
      const value = values[mark === undefined || mark === "~" ? next++ : Number(mark)] ?? "";
      if (mark === "~") return find(value, language, depth + 1) ?? showOther(value);
      return placeholder.startsWith("`") ? quoteReason(value) : value;
    });
  }

  return find;
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

/** Another person's words on one line, marked as such. */
export function quoteReason(text: string): string {
  const shown = text.trim().replaceAll("`", "'").replaceAll(/\s+/g, " ");
  return `\`${shown.length > 300 ? `${shown.slice(0, 300)}…` : shown}\``;
}
