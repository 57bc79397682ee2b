import type { Kysely } from "kysely";
import type { Clock } from "../../core/clock.ts";
import { findStanding, listLinkedAccounts } from "../../store/queries/account-links.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { deletePerson, keepAway, savePerson, setRole } from "../../store/queries/people.ts";
import type { Database } from "../../store/schema/database.ts";
import type { Store } from "../../store/open-store.ts";
import type { Role } from "../gate/types.ts";
import type { Roles } from "./find-role.ts";

/** The actor who changed a role, with the session of a command or the login at the console. */
interface RoleChanger {
  readonly actor: string;
  readonly session?: string;
  readonly login?: string;
}

/**
 * owner = an owner's role is never changed; not-trusted = the person is not trusted; by-configuration = no stored role
 * could be removed; changed = `role` is the person's role now, which the configuration may keep higher.
 */
type RoleChange =
  | { readonly kind: "owner" | "not-trusted" | "by-configuration" }
  | { readonly kind: "changed"; readonly role: Role };

export type ChangeRole = (
  person: { readonly id: string; readonly name: string },
  to: "trusted" | "member" | "none",
  by: RoleChanger,
) => Promise<RoleChange>;

const awayMs = 3_600_000;

/** Gives and removes stored roles. A role is removed from every account of a person: another one would restore it. */
export function createChangeRole(parts: {
  readonly store: Pick<Store, "main">;
  readonly roles: Pick<Roles, "base">;
  readonly clock: Clock;
}): ChangeRole {
  const { clock, roles, store } = parts;

  async function listTaken(db: Kysely<Database>, id: string, to: "member" | "none"): Promise<readonly string[]> {
    const taken: string[] = [];
    for (const account of await listLinkedAccounts(db, id)) {
      const { role } = await findStanding(db, account);
      if (role === "trusted" || (role === "member" && to === "none")) taken.push(account);
    }
    return taken;
  }

  return async ({ id, name }, to, { actor, ...by }) => {
    const end = await store.main.transaction().execute(async (tx) => {
      const now = clock.now();
      const from = await roles.base(id, tx);
      if (from === "owner") return "owner";
      if (to === "member" && from !== "trusted") return "not-trusted";
      const accounts = to === "trusted" ? [id] : await listTaken(tx, id, to);
      for (const account of accounts) {
        if (to === "none") await deletePerson(tx, account);
        else if (account === id) await savePerson(tx, { id, name, role: to, now });
        else await setRole(tx, account, to);
        const { login, session } = by;
        const detail = { person: account, from, to, ...(login !== undefined && { login }) };
        await appendAudit(tx, {
          actor,
          action: "role.changed",
          ...(session !== undefined && { session }),
          detail,
          now,
        });
      }
      // They get no new code for a while, like a stranger who was turned away.
      for (const account of to === "none" ? accounts : [])
        if ((await roles.base(account, tx)) === "guest") await keepAway(tx, account, { now, until: now + awayMs });
      return accounts.length === 0 ? "by-configuration" : "changed";
    });
    if (end !== "changed") return { kind: end };
    return { kind: "changed", role: await roles.base(id, store.main) };
  };
}
