import type { Kysely } from "kysely";
import type { Taint, ToolCall } from "../core/conversation.ts";
import { countGrantUse, listGrantsFor } from "../store/queries/grants.ts";
import type { TurnLease } from "../store/queries/turns.ts";
import type { Database } from "../store/schema.ts";
import { auditGrant } from "./make-grants.ts";
import { versionOf, type PermissionRules } from "./permission.ts";
import { coverByGrant, findGrantScope } from "./grant-scope.ts";
import type { KnownTool, Person, Verdict } from "./types.ts";

/**
 * Counts a use of the standing yes that a call was allowed by, in the transaction that claims the call. It is held
 * against the call once more. false = it was revoked, is over, or does not cover this call any more.
 */
export async function useGrant(
  db: Kysely<Database>,
  id: string,
  use: {
    readonly execution: {
      readonly call: ToolCall;
      readonly lease: TurnLease;
      readonly taint: Taint;
      readonly context: { readonly session: string; readonly person: Person };
    };
    readonly tool: KnownTool;
    readonly input: unknown;
    readonly rules: PermissionRules;
    readonly hash: string;
    /** Of the gate, now. */
    readonly verdict: Verdict;
    readonly now: number;
  },
): Promise<boolean> {
  const { execution, hash, input, now, rules, tool, verdict } = use;
  const { call, context, lease, taint } = execution;
  const policy = versionOf(rules);
  const standing = findGrantScope(tool, input, { verdict, taint });
  const at = { session: context.session, person: context.person.id, turn: lease.turn, policy, now };
  const grants = (await listGrantsFor(db, at)).filter((grant) => grant.id === id);
  const [grant] = grants;
  if (!grant || coverByGrant(verdict, { tool: tool.name, standing, grants }).kind !== "allow") return false;
  if (!(await countGrantUse(db, { id, policy, now }))) return false;
  await auditGrant(db, grant, "grant.used", context.person.id, now, { turn: lease.turn, call: call.id, hash });
  return true;
}
