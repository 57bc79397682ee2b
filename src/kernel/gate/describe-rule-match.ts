import type { RuleMatch } from "./find-rule-match.ts";

/** The origin of a level: a key of tools.yaml, or words. */
export function describeRuleMatch({ by }: Pick<RuleMatch, "by">): string {
  switch (by) {
    case "excluded":
      return "exclude";
    case "mcp":
      return "the default for tools of MCP servers";
    case "definition":
      return "the tool's own default";
    case "unlisted":
      return "no list or rule names it, and the list of its own level was written without it";
    default:
      return findKey(by).join(".");
  }
}

/** The path of a line in tools.yaml. */
export function findKey(entry: Exclude<RuleMatch["by"], string>): readonly (string | number)[] {
  return entry.kind === "rule" ? ["rules", entry.index] : ["permissions", entry.rule.level, entry.index];
}
