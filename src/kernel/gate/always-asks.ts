import { matchPattern } from "./match-pattern.ts";
import { compareEntries, type Entry } from "./find-rule-match.ts";
import type { Rule } from "./rule.ts";

/** Tools whose definitions say `alwaysAsks`; the configuration is checked before tools are made. A test compares. */
export const toolsThatAlwaysAsk: readonly string[] = [
  "shell",
  "file_delete",
  "use_skill",
  "use_tool",
  "write_skill",
  "install_extension",
  "import_card",
];

/** The lines that would spare such a tool its question, and which tool. */
export function findLaxEntries(entries: readonly Entry[]): readonly { readonly entry: Entry; readonly tool: string }[] {
  return toolsThatAlwaysAsk.flatMap((tool) => {
    const about = entries.filter(({ rule }) => matchPattern(rule.tool, tool));
    const isKept = (lax: Entry): boolean =>
      lax.rule.tool !== tool &&
      about.some((other) => other.rule.level !== "safe" && isPlain(other) && compareEntries(other, lax) < 0);
    return about.filter((entry) => entry.rule.level === "safe" && !isKept(entry)).map((entry) => ({ entry, tool }));
  });
}

/** It is about every call of its tools. */
function isPlain({ rule }: Entry): boolean {
  const { when, chat, role }: Partial<Rule> = rule;
  return when === undefined && chat === undefined && role === undefined;
}
