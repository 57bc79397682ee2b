import type { ToolCall } from "../../core/conversation.ts";
import type { GrantScope } from "../../store/queries/questions.ts";
import { assessCall, readCall, type CallFacts, type CallFault, type ReadCall } from "./assess-call.ts";
import { bindCallNow } from "./call-hash.ts";
import type { PermissionRules } from "./permission.ts";
import type { KnownTool, Verdict } from "./types.ts";

/** A call with its verdict and the hash that binds it. */
interface CheckedCall extends ReadCall {
  readonly verdict: Verdict;
  readonly hash: string;
  readonly origin: string;
  readonly scope?: GrantScope;
}

/** Reads, assesses and binds a call before its verdict is recorded. */
export type PermissionChecker = (
  call: Pick<ToolCall, "name" | "arguments">,
  about: CallFacts & Pick<ReadCall, "session" | "policy"> & { readonly hosts: readonly string[] },
) => Promise<{ readonly ok: true; readonly checked: CheckedCall } | { readonly ok: false; readonly fault: CallFault }>;

export function createPermissionChecker(parts: {
  readonly findTool: (name: string) => KnownTool | undefined;
  readonly rules: () => PermissionRules;
}): PermissionChecker {
  return async (call, { hosts, policy, session, ...facts }) => {
    const asked = { tool: parts.findTool(call.name), arguments: call.arguments, rules: parts.rules() };
    const read = readCall({ ...asked, hosts, policy, session });
    if (!read.ok) return read;
    const { input, network, tool } = read.call;
    const assessment = assessCall(read.call, facts);
    const { hash } = await bindCallNow(tool, { input, session, policy, network });
    return { ok: true, checked: { ...read.call, ...assessment, hash } };
  };
}
