import { matchPattern } from "./match-pattern.ts";
import { compareEntries, type Entry } from "./find-rule-match.ts";
import type { Rule } from "./rule.ts";

/**
 * Tools whose definitions say `alwaysAsks`, listed here because the configuration is checked before tools exist. A test
 * compares both.
 */
export const toolsThatAlwaysAsk: readonly string[] = [
  "shell",
  "file_delete",
  "use_skill",
  "use_tool",
  "write_skill",
  "install_extension",
  "import_card",
];

/** Finds the lines that would exempt such a tool from its question, with the tool. */
export function findLaxEntries(entries: readonly Entry[]): readonly { readonly entry: Entry; readonly tool: string }[] {
  return toolsThatAlwaysAsk.flatMap((tool) => {
    const about = entries.filter(({ rule }) => matchPattern(rule.tool, tool));
    const isKept = (lax: Entry): boolean =>
      lax.rule.tool !== tool &&
      about.some((other) => other.rule.level !== "safe" && isPlain(other) && compareEntries(other, lax) < 0);
    return about.filter((entry) => entry.rule.level === "safe" && !isKept(entry)).map((entry) => ({ entry, tool }));
  });
}

/** Applies to every call of its tools. */
function isPlain({ rule }: Entry): boolean {
  const { when, chat, role }: Partial<Rule> = rule;
  return when === undefined && chat === undefined && role === undefined;
}
