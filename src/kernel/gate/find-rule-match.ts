import { defaultTerms, meetTerms } from "./approval-terms.ts";
import { matchPattern } from "./match-pattern.ts";
import type { ApprovalTerms, KnownTool, ToolLevel } from "./types.ts";
import { matchRule, type RuleFacts } from "./match-rule.ts";
import type { Fit, Rule } from "./rule.ts";

/** A line of tools.yaml that sets the level of tools. `index` counts from 0 in its list. */
export type Entry =
  | { readonly kind: "rule"; readonly index: number; readonly rule: Rule }
  | { readonly kind: "list"; readonly index: number; readonly rule: Pick<Rule, "tool" | "level"> };

/** The origin of a level that no line sets. */
type Fallback = "excluded" | "mcp" | "definition" | "unlisted";

export interface RuleMatch {
  readonly level: ToolLevel;
  readonly terms: ApprovalTerms;
  /** The deciding line. Earlier lines with an unknown fit count too, and the strictest wins. */
  readonly by: Entry | Fallback;
  /** Every line about the tool in order of precedence, with its fit for this call. */
  readonly considered: readonly { readonly entry: Entry; readonly fit: Fit }[];
}

/**
 * Joins the matches of a call that is two tools at once: the stricter level wins, and equal levels need the terms that
 * satisfy both.
 */
export function joinRuleMatches(a: RuleMatch, b: RuleMatch): RuleMatch {
  return { ...stricter(a, b), considered: [...a.considered, ...b.considered] };
}

const strictness: Record<ToolLevel, number> = { safe: 0, confirm: 1, deny: 2 };

/**
 * The lines about a tool in order of precedence: more exact names first (a name, then longer patterns), then lines that
 * test more arguments, then those with a chat, then those with roles. Among equals: denials, rules before lists,
 * stricter levels, earlier lines.
 */
function listEntriesOf(tool: Pick<KnownTool, "name" | "aliases">, entries: readonly Entry[]): readonly Entry[] {
  return entries
    .filter(({ rule }) => matchPattern(rule.tool, tool.name) || tool.aliases.includes(rule.tool))
    .toSorted((a, b) => compareEntries(a, b));
}

export function compareEntries(a: Entry, b: Entry): number {
  return (
    compareExactness(exactnessOf(b), exactnessOf(a)) ||
    Number(b.rule.level === "deny") - Number(a.rule.level === "deny") ||
    Number(b.kind === "rule") - Number(a.kind === "rule") ||
    strictness[b.rule.level] - strictness[a.rule.level] ||
    a.index - b.index
  );
}

function exactnessOf({ rule }: Entry): readonly number[] {
  const { tool, when = {}, chat, role }: Partial<Rule> & Pick<Rule, "tool"> = rule;
  return [
    tool.includes("*") ? tool.length : 1_000,
    Object.keys(when).length,
    Math.min(...(chat?.map(exactnessOfChat) ?? [0])),
    role === undefined ? 0 : 10 - role.length,
  ];
}

/** An id is more exact than a pattern, and a pattern more exact than a kind of chat. The least exact entry counts. */
function exactnessOfChat(chat: string): number {
  if (chat === "private" || chat === "group") return 1;
  return chat.includes("*") ? 1 + chat.length : 1_000;
}

function compareExactness(a: readonly number[], b: readonly number[]): number {
  return a.map((value, index) => value - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/**
 * The level of a call. The first line that certainly fits decides; earlier lines with an unknown fit can only make it
 * stricter. `fallback` applies when no line fits.
 */
export function findRuleMatch(
  tool: KnownTool,
  entries: readonly Entry[],
  facts: RuleFacts,
  fallback: { readonly level: ToolLevel; readonly by: Fallback },
): RuleMatch {
  const considered = listEntriesOf(tool, entries).map((entry) => ({ entry, fit: fitOf(entry, facts) }));
  const last = considered.findIndex(({ fit }) => fit === "yes");
  const reached = (last === -1 ? considered : considered.slice(0, last + 1)).filter(({ fit }) => fit !== "no");
  const found: Omit<RuleMatch, "considered">[] = reached.map(({ entry }) => ({
    level: entry.rule.level,
    terms: (entry.rule as Partial<Rule>).approval ?? defaultTerms,
    by: entry,
  }));
  if (last === -1) found.push({ ...fallback, terms: defaultTerms });
  return { ...found.reduceRight(stricter), considered };
}

function stricter(a: Omit<RuleMatch, "considered">, b: Omit<RuleMatch, "considered">): Omit<RuleMatch, "considered"> {
  if (a.level === b.level) return { ...a, terms: meetTerms(a.terms, b.terms) };
  return strictness[a.level] > strictness[b.level] ? a : b;
}

function fitOf({ rule }: Entry, facts: RuleFacts): Fit {
  const { chat, role, when }: Partial<Rule> = rule;
  return matchRule({ ...(chat && { chat }), ...(role && { role }), ...(when && { when }) }, facts);
}

/** Every level that calls of a tool can get, over all arguments. */
export function listPossibleLevels(
  tool: KnownTool,
  entries: readonly Entry[],
  facts: Omit<RuleFacts, "input">,
  fallback: ToolLevel,
): readonly ToolLevel[] {
  const levels: ToolLevel[] = [];
  for (const { rule } of listEntriesOf(tool, entries)) {
    const { chat, role, when }: Partial<Rule> = rule;
    const fit = matchRule({ ...(chat && { chat }), ...(role && { role }) }, facts);
    if (fit === "no") continue;
    levels.push(rule.level);
    if (fit === "yes" && when === undefined) return levels;
  }
  return [...levels, fallback];
}
