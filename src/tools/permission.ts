import { hashJson } from "../core/canonical-json.ts";
import type { Taint } from "../core/conversation.ts";
import { defaultTerms } from "./approval-terms.ts";
import { judgeMode, type SessionMode } from "./session-mode.ts";
import { toToolPattern } from "./tool-pattern.ts";
import type { AskReason, Person, Tool, ToolLevel, Verdict } from "./types.ts";

/**
 * The levels by name or glob (`mcp__github__*`), as config/system/tools.yaml writes them. A list that is not written stands
 * for the tools whose own definition has that level.
 */
export interface PermissionRules {
  readonly permissions: { readonly [Level in ToolLevel]?: readonly string[] };
  readonly rules: readonly { readonly tool: string; readonly level: ToolLevel }[];
  readonly exclude: readonly string[];
}

const strictness: Record<ToolLevel, number> = { safe: 0, confirm: 1, deny: 2 };

/** A change of it closes every open question: people said yes under other rules. 16 hexadecimal characters. */
export function versionOf(rules: PermissionRules): string {
  const { permissions, rules: extra, exclude } = rules;
  return hashJson({
    permissions: {
      safe: permissions.safe ?? null,
      confirm: permissions.confirm ?? null,
      deny: permissions.deny ?? null,
    },
    rules: extra.map(({ tool, level }) => ({ tool, level })),
    exclude,
  }).slice(0, 16);
}

/**
 * The level of a tool. The most specific pattern wins; of equals a denial, then a rule before a list, then the
 * stricter. A tool that nothing names has the level of its definition, unless the list of that level was written and leaves
 * it out: then it is denied. MCP tools ask.
 */
export function findLevel(tool: Tool, rules: PermissionRules): ToolLevel {
  if (rules.exclude.includes(tool.name)) return "deny";
  const listed = (["safe", "confirm", "deny"] as const).flatMap((level) =>
    (rules.permissions[level] ?? []).map((pattern) => ({ pattern, level, rank: 0 })),
  );
  const ruled = rules.rules.map(({ tool: pattern, level }) => ({ pattern, level, rank: 1 }));
  const [winner] = [...listed, ...ruled]
    .filter(({ pattern }) => toToolPattern(pattern).test(tool.name) || tool.aliases.includes(pattern))
    .map((match) => ({ ...match, specificity: match.pattern.includes("*") ? match.pattern.length : 1_000 }))
    .sort(
      (a, b) =>
        b.specificity - a.specificity ||
        Number(b.level === "deny") - Number(a.level === "deny") ||
        b.rank - a.rank ||
        strictness[b.level] - strictness[a.level],
    );
  if (winner) return winner.level;
  if (tool.source === "mcp") return "confirm";
  return rules.permissions[tool.level] === undefined ? tool.level : "deny";
}

interface JudgedFacts {
  readonly mode: SessionMode;
  readonly input: unknown;
  /** Where the person is; absent = not known. */
  readonly chatKind?: "private" | "group" | undefined;
  /** The tools of the sub-agent that makes the call; it may never more than the person. */
  readonly only?: readonly string[];
}

/** May this call be made for this person now? Pure: the same question gets the same answer. */
export function judgeCall(
  tool: Tool,
  person: Person,
  taint: Taint,
  rules: PermissionRules,
  { mode, input, chatKind, only }: JudgedFacts,
): Verdict {
  if (only !== undefined && !only.includes(tool.name))
    return { kind: "deny", reason: `${tool.name} is not among your tools; you have ${only.join(", ")}.` };
  if (tool.ownerOnly === true && person.role !== "owner")
    return { kind: "deny", reason: `${tool.name} is for owners only.` };
  const found = findLevel(tool, rules);
  const level = found === "confirm" && isOwnChat(tool, person, rules, chatKind) ? "safe" : found;
  const availability = tool.availability?.() ?? { ok: true };
  if (!availability.ok) return { kind: "deny", reason: availability.reason };
  const planned = judgeMode(tool, input, mode);
  if (planned) return planned;
  switch (level) {
    case "deny":
      return { kind: "deny", reason: `The tool ${tool.name} is not permitted here.` };
    case "confirm":
      return person.role === "guest" ? refuseGuest(tool) : ask({ kind: "level" });
    case "safe":
      if (tool.readOnly) return { kind: "allow" };
      if (person.role === "guest") return refuseGuest(tool);
      return taint === "untrusted" ? ask({ kind: "taint", sources: [] }) : { kind: "allow" };
  }
}

/** What goes to the owner alone needs no yes, unless the operator has named the tool. */
function isOwnChat(tool: Tool, person: Person, rules: PermissionRules, chatKind: string | undefined): boolean {
  if (tool.safeInOwnChat !== true || person.role !== "owner" || chatKind !== "private") return false;
  const { safe = [], confirm = [], deny = [] } = rules.permissions;
  const named = [...safe, ...confirm, ...deny, ...rules.rules.map(({ tool: pattern }) => pattern)];
  return !named.some((pattern) => toToolPattern(pattern).test(tool.name));
}

function refuseGuest(tool: Tool): Verdict {
  return { kind: "deny", reason: `${tool.name} needs a person the owner has let in; guests may only use what reads.` };
}

function ask(...because: readonly AskReason[]): Verdict {
  return { kind: "ask", because, terms: defaultTerms };
}
