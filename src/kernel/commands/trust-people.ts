import type { Kysely } from "kysely";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Clock } from "../../core/clock.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { findPeople, savePerson, setRole, type KnownPerson } from "../../store/queries/people.ts";
import type { Database } from "../../store/schema/database.ts";
import type { Store } from "../../store/open-store.ts";
import { findStanding, listLinkedAccounts } from "../../store/queries/account-links.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";
import type { Roles } from "../people/find-role.ts";
import { toPersonId } from "../../channels/session-id.ts";

/**
 * `/trust` and `/untrust`, for owners. People are identified by their id; a name counts only if exactly one admitted
 * person has it, and the answer shows the id.
 */
export function createTrustPeople(parts: { readonly store: Store; readonly roles: Roles; readonly clock: Clock }) {
  const { store, roles, clock } = parts;

  async function findTarget(platform: string, text: string): Promise<readonly KnownPerson[]> {
    const named = await findPeople(store.main, platform, text);
    const byId = named.filter(({ id }) => id === text || id === toPersonId(platform, text));
    if (byId.length > 0) return byId;
    if (named.length > 0) return named;
    // A person admitted by the configuration has no row yet.
    const whole = text.startsWith(`${platform}:`) && /^\w+:[\w-]{1,64}$/.test(text);
    if (!whole && !/^\d{3,20}$/.test(text)) return [];
    const id = whole ? text : toPersonId(platform, text);
    return [{ id, name: id, role: "guest" }];
  }

  async function change(call: CommandCall, to: "trusted" | "member"): Promise<CommandAnswer> {
    const { message, person, rest, session, words } = call;
    const { platform } = message.address;
    if (rest === "") return { text: words.trust.usage };
    const [target, ...others] = await findTarget(platform, rest);
    if (!target) return { text: words.trust.unknown(makeVisible(rest.slice(0, 64))) };
    if (others.length > 0) return { text: words.trust.several([target, ...others].map(({ id }) => id)) };
    const { id, name } = target;
    const shown = makeVisible(name);
    const role = await roles.base(platform, id.slice(platform.length + 1), store.main);
    if (role === "owner") return { text: words.trust.isOwner(shown) };
    if (to === "member" && role !== "trusted") return { text: words.trust.notTrusted(shown) };
    const changed = await store.main.transaction().execute(async (tx) => {
      const now = clock.now();
      // Trust is revoked for all accounts of a person: another account would restore it.
      const theirs = to === "trusted" ? [id] : await listTrusted(tx, id);
      for (const account of theirs) {
        if (account === id) await savePerson(tx, { id, name, role: to, now });
        else await setRole(tx, account, to);
        const detail = { person: account, from: role, to };
        await appendAudit(tx, { actor: person.id, action: "role.changed", session, detail, now });
      }
      return theirs.length;
    });
    if (changed === 0) return { text: words.trust.byConfiguration(shown) };
    if (to === "trusted") return { text: words.trust.given({ name: shown, id }) };
    const left = await roles.base(platform, id.slice(platform.length + 1), store.main);
    return { text: left === "trusted" ? words.trust.byConfiguration(shown) : words.trust.taken({ name: shown, id }) };
  }

  async function listTrusted(db: Kysely<Database>, id: string): Promise<readonly string[]> {
    const trusted: string[] = [];
    for (const account of await listLinkedAccounts(db, id))
      if ((await findStanding(db, account)).role === "trusted") trusted.push(account);
    return trusted;
  }

  return {
    trust: (call: CommandCall) => change(call, "trusted"),
    untrust: (call: CommandCall) => change(call, "member"),
  };
}
