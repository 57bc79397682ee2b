import { RE2JS, RE2JSException } from "re2js";

/** A regular expression out of a file, run in time proportional to the text, for any pattern. */
export interface LinearPattern {
  /** Whether some part of the text is like it; case makes no difference. */
  test(text: string): boolean;
}

type LinearPatternResult =
  | { readonly kind: "pattern"; readonly pattern: LinearPattern }
  | { readonly kind: "faulty"; readonly problem: string };

/** Anything that only a backtracking engine can do is refused with what to write instead. */
export function compileLinearPattern(source: string): LinearPatternResult {
  try {
    const pattern = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE | RE2JS.LOOKBEHINDS);
    return { kind: "pattern", pattern: { test: (text) => pattern.test(text) } };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { kind: "faulty", problem: describeFault(error.message) };
  }
}

function describeFault(message: string): string {
  const [, reason = "", part = ""] = /^error parsing regexp: ([^:]*)(?:: `(.*)`)?$/s.exec(message) ?? ["", message];
  if (/^\(\?[=!]/.test(part)) return `lookahead (${part}) is not taken: use unless, or match the letters that follow`;
  if (/^\\(?:[1-9]|k)/.test(part)) return `a reference back (${part}) is not taken: write the alternatives out`;
  if (part.startsWith(String.raw`\u`))
    return `${part} is not taken: write the letter itself, or \\x{4E00} with its number`;
  if (reason.includes("repeat")) return `${part} repeats too much: 1000 times in all is the most`;
  if (reason === "invalid character class range" && /^\\p/i.test(part))
    return `${part} is not known: scripts are written as \\p{Han}`;
  const shown = part.replace(/^\(\?i\)/, "");
  return `is no valid regular expression: ${shown === "" ? reason : `${reason}, at ${shown}`}`;
}
