import type { ToolCall } from "../../../core/conversation.ts";
import type { CallFault } from "../../../kernel/gate/assess-call.ts";
import { createPermissionChecker } from "../../../kernel/gate/permission-checker.ts";
import type { PermissionRules } from "../../../kernel/gate/permission.ts";
import { resolveCurrentRole, type FindRole } from "../../../kernel/gate/resolve-current-role.ts";
import type { Verdict } from "../../../kernel/gate/types.ts";
import type { CallDecision } from "../../../store/queries/decisions.ts";
import type { ToolRegistry } from "../../../kernel/tools/registry.ts";
import { servedPerson, servedTaint } from "./begin-served-turn.ts";

interface Judged {
  readonly verdict: Verdict;
  /** As it has to be written down before the call runs. */
  readonly decision: CallDecision;
}

/** The gate on the one call of a served turn. It has no plan mode, no hosts and no person to ask. */
export function createServedJudge(parts: {
  readonly registry: ToolRegistry;
  readonly rules: () => PermissionRules;
  readonly findRole: FindRole;
}) {
  const check = createPermissionChecker({ findTool: parts.registry.find, rules: parts.rules });
  return async (asked: {
    readonly call: ToolCall;
    readonly policy: string;
    readonly session: string;
  }): Promise<Judged> => {
    const { call, policy, session } = asked;
    const about = { call: call.id, tool: call.name, policy, grant: null };
    const deny = (reason: string): Judged => ({
      verdict: { kind: "deny", reason },
      decision: { ...about, hash: "", verdict: "deny", reason },
    });
    const read = await check(call, {
      session,
      policy,
      hosts: [],
      chatKind: "private",
      person: await resolveCurrentRole(parts.findRole, servedPerson, session),
      mode: { kind: "act" },
      taint: servedTaint,
    });
    if (!read.ok) return deny(describeFault(read.fault, call));
    const { hash, origin, verdict } = read.checked;
    if (verdict.kind === "deny") return deny(verdict.reason);
    return { verdict, decision: { ...about, hash, verdict: verdict.kind, reason: origin } };
  };
}

function describeFault(fault: CallFault, { name }: ToolCall): string {
  switch (fault.kind) {
    case "rules-changed":
      return "The rules changed just now. Ask again.";
    case "no-tool":
      return `There is no tool ${name}.`;
    case "wrong-arguments":
      return fault.error;
  }
}
