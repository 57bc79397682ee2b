import { defaultTerms, meetTerms } from "./approval-terms.ts";
import { matchPattern } from "./match-pattern.ts";
import type { ApprovalTerms, KnownTool, ToolLevel } from "./types.ts";
import { matchRule, type RuleFacts } from "./match-rule.ts";
import type { Fit, Rule } from "./rule.ts";

/** A line of tools.yaml that gives tools a level. `index` counts from 0 in its list. */
export type Entry =
  | { readonly kind: "rule"; readonly index: number; readonly rule: Rule }
  | { readonly kind: "list"; readonly index: number; readonly rule: Pick<Rule, "tool" | "level"> };

/** The origin of a tool's level when no line gave one. */
type Fallback = "excluded" | "mcp" | "definition" | "unlisted";

export interface RuleMatch {
  readonly level: ToolLevel;
  readonly terms: ApprovalTerms;
  /** The line that decided; with it those before it that may fit or not, of which the strictest counts. */
  readonly by: Entry | Fallback;
  /** Every line about the tool, in the order in which they were looked at, and whether it fits this call. */
  readonly considered: readonly { readonly entry: Entry; readonly fit: Fit }[];
}

/** Joins the matches of a call that is two tools at once: the stricter level, and on equal levels the terms that satisfy both. */
export function joinRuleMatches(a: RuleMatch, b: RuleMatch): RuleMatch {
  return { ...stricter(a, b), considered: [...a.considered, ...b.considered] };
}

const strictness: Record<ToolLevel, number> = { safe: 0, confirm: 1, deny: 2 };

/**
 * The lines about a tool, the one that counts first: the more exact name (a name, then the longer pattern), then the one
 * that tests more arguments, then the one that names a chat, then roles; of equals a denial, then a rule before a list,
 * then the stricter, then the earlier.
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

/** An id is more exact than a pattern, a pattern than a kind of chat. Of several the least exact counts. */
function exactnessOfChat(chat: string): number {
  if (chat === "private" || chat === "group") return 1;
  return chat.includes("*") ? 1 + chat.length : 1_000;
}

function compareExactness(a: readonly number[], b: readonly number[]): number {
  return a.map((value, index) => value - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/**
 * The level of a call. The first line that fits decides; lines before it of which that cannot be said can only make it
 * stricter. `fallback` = the level when no line fits.
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

/** Every level that calls of a tool can get, with any arguments. */
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
