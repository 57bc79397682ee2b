import type { JsonObject, Taint } from "../../core/conversation.ts";
import type { CallDecision } from "../../store/queries/decisions.ts";
import type { Grant } from "../../store/queries/grants.ts";
import type { GrantScope } from "../../store/queries/questions.ts";
import { describeRuleMatch } from "./describe-rule-match.ts";
import { coverByGrant, findGrantScope } from "./grant-scope.ts";
import { askForNetwork, grantNetwork } from "./network-grant.ts";
import { parseArguments } from "./parse-arguments.ts";
import { explainCall, versionOf, type PermissionRules } from "./permission.ts";
import type { SessionMode } from "./session-mode.ts";
import type { ApprovalTerms, KnownTool, Person, Verdict } from "./types.ts";

/** A call as requested. */
interface AskedFor<Tool extends KnownTool> {
  /** undefined when no tool has that name. */
  readonly tool: Tool | undefined;
  readonly arguments: JsonObject;
  readonly session: string;
  /** The version of the rules when the call's turn or question began. */
  readonly policy: string;
  readonly rules: PermissionRules;
  /** Hosts that the turn's skills declare. */
  readonly hosts: readonly string[];
}

/**
 * A call that can be assessed. `input`, `session`, `policy` and `network` go into its hash, together with the tool's
 * name.
 */
export interface ReadCall<Tool extends KnownTool = KnownTool> {
  readonly tool: Tool;
  /** The parsed arguments. */
  readonly input: unknown;
  readonly session: string;
  readonly policy: string;
  /** The hosts it may reach. */
  readonly network: readonly string[];
  readonly rules: PermissionRules;
}

/** Why a call cannot be assessed at all. */
export type CallFault =
  | { readonly kind: "rules-changed" }
  | { readonly kind: "no-tool" }
  | { readonly kind: "wrong-arguments"; readonly error: string };

/** The current facts besides the call itself. */
export interface CallFacts {
  /** With the current role. */
  readonly person: Person;
  readonly chatKind: "private" | "group" | undefined;
  readonly mode: SessionMode;
  readonly taint: Taint;
  /** The sources that made the turn untrusted, and the web addresses that the person named or a search found. */
  readonly sources?: readonly string[];
  readonly addresses?: readonly string[];
  /** The tools of the calling sub-agent. */
  readonly only?: readonly string[];
  /** The grants that apply to this person in this chat. */
  readonly grants?: readonly Grant[];
  /** An owner pulled the kill switch. */
  readonly paused?: boolean;
}

export interface Assessment {
  readonly verdict: Verdict;
  /** The deciding part and the rule line, for the audit. */
  readonly origin: string;
  /** The scope of a grant for this call; absent when none is possible. */
  readonly scope?: GrantScope;
}

/** Parses the arguments of a call and adds the hosts it may reach. Pure. */
export function readCall<Tool extends KnownTool>(
  asked: AskedFor<Tool>,
): { readonly ok: true; readonly call: ReadCall<Tool> } | { readonly ok: false; readonly fault: CallFault } {
  const { hosts, policy, rules, session, tool } = asked;
  if (versionOf(rules) !== policy) return { ok: false, fault: { kind: "rules-changed" } };
  if (!tool) return { ok: false, fault: { kind: "no-tool" } };
  const parsed = parseArguments(tool, asked.arguments);
  if (!parsed.ok) return { ok: false, fault: { kind: "wrong-arguments", error: parsed.error } };
  const network = grantNetwork(tool, hosts);
  return { ok: true, call: { tool, input: parsed.input, session, policy, network, rules } };
}

/**
 * The one assessment of a call: role, rules, mode, taint, hosts and grants. The judge records its verdict; the executor
 * assesses again with the facts at that time. Pure: the same facts give the same verdict.
 */
export function assessCall(call: ReadCall, facts: CallFacts): Assessment {
  const { input, network, rules, session, tool } = call;
  const { grants = [], paused = false, person, taint, ...situation } = facts;
  const judgement = explainCall(tool, person, taint, rules, { ...situation, input, session });
  const origin = `${judgement.by}: ${describeRuleMatch(judgement.ruleMatch)}`;
  if (paused) return { verdict: { kind: "deny", reason: pausedReason }, origin: "kill switch" };
  const asked = askForNetwork(judgement.verdict, network);
  const scope = findGrantScope(tool, input, { verdict: asked, taint });
  const verdict = noteRestingGrant(coverByGrant(asked, { tool: tool.name, scope, grants }), call, { taint, grants });
  return { verdict, origin, ...(scope && { scope }) };
}

/** Explains to a person with a grant why the call still asks: the turn has read untrusted content. */
function noteRestingGrant(
  verdict: Verdict,
  { input, tool }: ReadCall,
  { grants, taint }: { readonly grants: readonly Grant[]; readonly taint: Taint },
): Verdict {
  if (verdict.kind !== "ask" || taint !== "untrusted" || grants.length === 0) return verdict;
  const because = verdict.because.filter(({ kind }) => kind !== "taint");
  const unread = { ...verdict, because };
  const scope = findGrantScope(tool, input, { verdict: unread, taint: "user" });
  const covered = coverByGrant(unread, { tool: tool.name, scope, grants });
  const resting = covered.kind === "allow" ? grants.find(({ id }) => id === covered.grant) : undefined;
  return resting ? { ...verdict, because: [...verdict.because, { kind: "grant", code: resting.code }] } : verdict;
}

/** The condition under which a call with a recorded verdict runs now. */
export type Confirmation =
  | { readonly kind: "denied"; readonly reason: string }
  /** The verdict belongs to another call. */
  | { readonly kind: "undecided" }
  | { readonly kind: "free" }
  | { readonly kind: "needs-grant"; readonly grant: string }
  /** `terms` are the current ones; absent means those of the question. */
  | { readonly kind: "needs-approval"; readonly terms?: ApprovalTerms };

/** Whether this verdict belongs to a call of this tool under these rules and is no denial. */
export function isDecided(
  decision: CallDecision | undefined,
  { policy, tool }: Pick<ReadCall, "policy" | "tool">,
): decision is CallDecision {
  return decision?.tool === tool.name && decision.policy === policy && decision.verdict !== "deny";
}

/**
 * The second, stricter check: a decision counts only as far as the current verdict allows. A call that asked needs its
 * approval even if the rules have been relaxed since.
 */
export function confirmDecision(decision: CallDecision, hash: string, now: Verdict): Confirmation {
  if (now.kind === "deny") return { kind: "denied", reason: now.reason };
  if (decision.verdict === "deny" || decision.hash !== hash) return { kind: "undecided" };
  if (decision.verdict === "ask") return { kind: "needs-approval", ...(now.kind === "ask" && { terms: now.terms }) };
  if (now.kind === "allow") return { kind: "free" };
  if (decision.grant !== null) return { kind: "needs-grant", grant: decision.grant };
  return { kind: "needs-approval", terms: now.terms };
}

const pausedReason = "An owner pulled the kill switch: no tool runs until everything goes on.";
