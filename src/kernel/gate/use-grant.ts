import type { Kysely } from "kysely";
import type { ToolCall } from "../../core/conversation.ts";
import { countGrantUse, listGrantsFor } from "../../store/queries/grants.ts";
import type { TurnLease } from "../../store/queries/turns.ts";
import type { Database } from "../../store/schema/database.ts";
import type { Assessment, ReadCall } from "./assess-call.ts";
import { coverByGrant } from "./grant-scope.ts";
import { auditGrant } from "./make-grants.ts";
import type { Person } from "./types.ts";

/** A call that relies on a grant, as assessed now. */
interface GrantUse extends Pick<ReadCall, "tool" | "policy">, Pick<Assessment, "verdict" | "scope"> {
  readonly execution: {
    readonly call: ToolCall;
    readonly lease: TurnLease;
    readonly context: { readonly session: string; readonly person: Person };
  };
  readonly hash: string;
  readonly now: number;
}

/**
 * Counts a use of a grant, in the transaction that claims the call. Checks the grant against the call again. Returns
 * false when it was revoked, has ended, or no longer covers this call.
 */
export async function useGrant(db: Kysely<Database>, id: string, use: GrantUse): Promise<boolean> {
  const { execution, hash, now, policy, scope, tool, verdict } = use;
  const { call, context, lease } = execution;
  const at = { session: context.session, person: context.person.id, turn: lease.turn, policy, now };
  const grants = (await listGrantsFor(db, at)).filter((grant) => grant.id === id);
  const [grant] = grants;
  if (!grant || coverByGrant(verdict, { tool: tool.name, scope, grants }).kind !== "allow") return false;
  if (!(await countGrantUse(db, { id, policy, now }))) return false;
  await auditGrant(db, grant, "grant.used", context.person.id, now, { turn: lease.turn, call: call.id, hash });
  return true;
}
