import { hashJson, type JsonValue } from "../../core/canonical-json.ts";
import type { Taint } from "../../core/conversation.ts";
import { defaultTerms, meetTerms } from "./approval-terms.ts";
import { findRuleMatch, joinRuleMatches, listPossibleLevels, type Entry, type RuleMatch } from "./find-rule-match.ts";
import type { RuleFacts } from "./match-rule.ts";
import type { Rule } from "./rule.ts";
import { judgeMode, type SessionMode } from "./session-mode.ts";
import { findTaintReason } from "./taint-reason.ts";
import { matchPattern } from "./match-pattern.ts";
import type { ApprovalTerms, AskReason, KnownTool, Person, ToolLevel, Verdict } from "./types.ts";

/**
 * The levels by name or glob (`mcp__github__*`), as in config/system/tools.yaml. A missing list means the tools whose
 * own definition has that level.
 */
export interface PermissionRules {
  readonly permissions: { readonly [Level in ToolLevel]?: readonly string[] };
  readonly rules: readonly Rule[];
  readonly exclude: readonly string[];
}

/** A new version closes every open question, because people approved under other rules. 16 hexadecimal characters. */
export function versionOf({ permissions, rules, exclude }: PermissionRules): string {
  const written = {
    permissions: {
      safe: permissions.safe ?? null,
      confirm: permissions.confirm ?? null,
      deny: permissions.deny ?? null,
    },
    rules,
    exclude,
  };
  return hashJson(written as unknown as JsonValue).slice(0, 16);
}

/** Rules and lists in one list. */
export function listEntries({ permissions, rules }: Pick<PermissionRules, "permissions" | "rules">): readonly Entry[] {
  const listed = (["safe", "confirm", "deny"] as const).flatMap((level) =>
    (permissions[level] ?? []).map((tool, index): Entry => ({ kind: "list", index, rule: { tool, level } })),
  );
  return [...rules.map((rule, index): Entry => ({ kind: "rule", index, rule })), ...listed];
}

/**
 * The level of a tool by the lines without arguments, people or chats. `findRuleMatch` may decide otherwise for a call.
 */
export function findLevel(tool: KnownTool, rules: PermissionRules): ToolLevel {
  return findLevelMatch(tool, rules).level;
}

/** The same with the line that sets it. */
export function findLevelMatch(tool: KnownTool, rules: PermissionRules): Pick<RuleMatch, "level" | "by"> {
  const { permissions, exclude } = rules;
  const plain = rules.rules.filter(
    ({ when, chat, role }) => when === undefined && chat === undefined && role === undefined,
  );
  const { by, level } = rule(tool, { permissions, exclude, rules: plain }, {});
  if (typeof by === "string" || by.kind === "list") return { level, by };
  // Its number counts those that were left out.
  return { level, by: { ...by, index: rules.rules.indexOf(by.rule) } };
}

/** The match of the rules for a call. No line makes an always-asking tool safe. */
function rule(tool: KnownTool, rules: PermissionRules, facts: RuleFacts): RuleMatch {
  if (tool.override) {
    const { replaced, by } = tool.override;
    return joinRuleMatches(rule(replaced, rules, facts), rule(by, rules, facts));
  }
  if (rules.exclude.includes(tool.name)) return { level: "deny", terms: defaultTerms, by: "excluded", considered: [] };
  const ruleMatch = findRuleMatch(tool, listEntries(rules), facts, findFallback(tool, rules));
  const alwaysAsks = tool.alwaysAsks === true || (facts.input !== undefined && tool.asksFor?.(facts.input) === true);
  return { ...ruleMatch, level: raise({ alwaysAsks }, ruleMatch.level) };
}

function raise(tool: Pick<KnownTool, "alwaysAsks">, level: ToolLevel): ToolLevel {
  return tool.alwaysAsks === true && level === "safe" ? "confirm" : level;
}

/**
 * A tool without a line has the level of its definition, unless the list of that level exists and omits it: then it is
 * denied. MCP tools ask.
 */
function findFallback(tool: KnownTool, { permissions }: PermissionRules) {
  if (tool.source === "mcp") return { level: "confirm", by: "mcp" } as const;
  return permissions[tool.level] === undefined
    ? ({ level: tool.level, by: "definition" } as const)
    : ({ level: "deny", by: "unlisted" } as const);
}

interface JudgedFacts extends Omit<RuleFacts, "role" | "input"> {
  readonly mode: SessionMode;
  readonly input: unknown;
  /** The tools of the calling sub-agent, which never exceed the person's rights. */
  readonly only?: readonly string[];
  /** The sources that made the turn untrusted, and the web addresses of the person or of a search. */
  readonly sources?: readonly string[];
  readonly addresses?: readonly string[];
}

/** A verdict with its origin. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly ruleMatch: RuleMatch;
  /** The part that made the final decision; `rules` is the level from the rules. */
  readonly by: "agent" | "availability" | "mode" | "role" | "taint" | "own chat" | "rules";
}

/** Decides whether this call may run for this person now, and why. Pure: the same question gets the same answer. */
export function explainCall(
  tool: KnownTool,
  person: Person,
  taint: Taint,
  rules: PermissionRules,
  facts: JudgedFacts,
): Judgement {
  const { chatKind, input, mode, only } = facts;
  const ruleMatch = rule(tool, rules, { ...facts, role: person.role });
  const end = (by: Judgement["by"], verdict: Verdict): Judgement => ({ verdict, ruleMatch, by });
  if (only !== undefined && !only.includes(tool.name))
    return end("agent", deny(`${tool.name} is not among your tools; you have ${only.join(", ")}.`));
  if (!isForRole(tool, person)) return end("role", deny(`${tool.name} is for owners only.`));
  // Rights come first: a person without them does not learn what else is missing.
  if (ruleMatch.level === "deny") return end("rules", deny(`The tool ${tool.name} is not permitted here.`));
  const isGuest = person.role === "guest";
  if (isGuest && !isForGuests(tool, ruleMatch.level)) return end("role", refuseGuest(tool));
  const availability = tool.availability?.() ?? { ok: true };
  if (!availability.ok) return end("availability", deny(availability.reason));
  const planned = judgeMode(tool, input, mode);
  if (planned) return end("mode", planned);
  const tainted = findTaintReason(tool, input, { taint, ...facts });
  if (isGuest && tainted) return end("role", refuseGuest(tool));
  const own = ruleMatch.level === "confirm" && isOwnChat(tool, person, rules, chatKind);
  const read = tainted ? [tainted] : [];
  const isAskersAlone = chatKind !== "private" && input !== undefined && tool.onlyAskerConfirms?.(input) === true;
  const terms = isAskersAlone
    ? meetTerms(ruleMatch.terms, { ...defaultTerms, approvers: [person.id] })
    : ruleMatch.terms;
  if (ruleMatch.level === "confirm" && !own) return end("rules", ask(terms, { kind: "level" }, ...read));
  if (tainted) return end("taint", ask(terms, tainted));
  return end(own ? "own chat" : "rules", { kind: "allow" });
}

/** Whether this person could call the tool with some arguments, at once or after approval. */
export function canEverRun(
  tool: KnownTool,
  { role }: Pick<Person, "role">,
  rules: PermissionRules,
  place: Pick<RuleFacts, "session" | "chatKind">,
): boolean {
  const { override } = tool;
  if (override) return [override.replaced, override.by].every((one) => canEverRun(one, { role }, rules, place));
  if (rules.exclude.includes(tool.name) || !isForRole(tool, { role })) return false;
  const fallback = findFallback(tool, rules).level;
  return listPossibleLevels(tool, listEntries(rules), { ...place, role }, fallback)
    .map((level) => raise(tool, level))
    .some((level) => level !== "deny" && (role !== "guest" || isForGuests(tool, level)));
}

function isForRole(tool: KnownTool, { role }: Pick<Person, "role">): boolean {
  return tool.ownerOnly !== true || role === "owner";
}

/** Guests may read where no approval is needed. No rule lets them cause effects. */
function isForGuests(tool: KnownTool, level: ToolLevel): boolean {
  return level === "safe" && tool.readOnly;
}

/** A result that only the owner sees needs no approval, unless the operator's rules name the tool. */
function isOwnChat(tool: KnownTool, person: Person, rules: PermissionRules, chatKind: string | undefined): boolean {
  if (tool.safeInOwnChat !== true || tool.alwaysAsks === true) return false;
  if (person.role !== "owner" || chatKind !== "private") return false;
  const named = listEntries(rules).map(({ rule: { tool: pattern } }) => pattern);
  return !named.some((pattern) => matchPattern(pattern, tool.name));
}

function refuseGuest(tool: KnownTool): Verdict {
  return deny(`${tool.name} needs a person the owner has let in; guests may only use what reads.`);
}

function deny(reason: string): Verdict {
  return { kind: "deny", reason };
}

function ask(terms: ApprovalTerms, ...because: readonly AskReason[]): Verdict {
  return { kind: "ask", because, terms };
}
