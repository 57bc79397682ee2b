import type { ToolCall } from "../../core/conversation.ts";
import type { Decision } from "../../store/queries/decisions.ts";
import type { TurnLease } from "../../store/queries/turns.ts";
import { hashCallNow } from "../../policy/call-hash.ts";
import { explainCall, versionOf, type PermissionRules } from "../../policy/permission.ts";
import { resolveCurrentRole, type FindRole } from "../../policy/resolve-current-role.ts";
import { parseArguments, type ToolRegistry } from "../../tools/registry.ts";
import { describeRuleMatch } from "../../policy/describe-rule-match.ts";
import type { Verdict } from "../../policy/types.ts";
import { servedPerson, servedTaint } from "./begin-served-turn.ts";

interface Judged {
  readonly verdict: Verdict;
  /** As it has to be written down before the call runs. */
  readonly decision: Decision;
}

/** The gate on the one call of a served turn. It has no plan mode, no hosts and nobody to ask. */
export function createServedJudge(parts: {
  readonly registry: ToolRegistry;
  readonly rules: () => PermissionRules;
  readonly findRole: FindRole;
}) {
  return async (asked: {
    readonly call: ToolCall;
    readonly lease: TurnLease;
    readonly policy: string;
    readonly session: string;
  }): Promise<Judged> => {
    const { call, policy, session } = asked;
    const rules = parts.rules();
    const decide = (verdict: Verdict, hash: string, reason: string): Judged => {
      const grant = (verdict.kind === "allow" ? verdict.grant : undefined) ?? null;
      return {
        verdict,
        decision: { call: call.id, tool: call.name, hash, verdict: verdict.kind, reason, policy, grant },
      };
    };
    const deny = (reason: string): Judged => decide({ kind: "deny", reason }, "", reason);
    if (policy !== versionOf(rules)) return deny("The rules changed just now. Ask again.");
    const tool = parts.registry.find(call.name);
    if (!tool) return deny(`There is no tool ${call.name}.`);
    const parsed = parseArguments(tool, call.arguments);
    if (!parsed.ok) return deny(parsed.error);
    const { input } = parsed;
    const person = await resolveCurrentRole(parts.findRole, servedPerson, session);
    const facts = { mode: { kind: "act" }, input, session, chatKind: "private" } as const;
    const { by, ruleMatch, verdict } = explainCall(tool, person, servedTaint, rules, facts);
    if (verdict.kind === "deny") return deny(verdict.reason);
    const hash = await hashCallNow(tool, { input, session, policy, network: [] });
    return decide(verdict, hash, `${by}: ${describeRuleMatch(ruleMatch)}`);
  };
}
