import type { Kysely } from "kysely";
import { findStanding, listLinkedRoles } from "../../store/queries/account-links.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";
import { higherRole } from "../gate/resolve-current-role.ts";
import type { Role } from "../gate/types.ts";
import { toAddress } from "../../channels/to-address.ts";
import { servedPlatform } from "../../core/served-platform.ts";
import { toPersonId } from "../../channels/session-id.ts";
import { findChannel } from "../../channels/find-channel.ts";
import type { Channel, ChatAddress, Sender } from "../../channels/types.ts";

/** Who people are by configuration. Ids are the platform's. */
export interface RoleRules {
  /** Person ids such as `telegram:123`. */
  readonly owners: readonly string[];
  /** People let in without a code, and those of them that are trusted, by platform. */
  readonly allow: (platform: string) => readonly string[];
  /** Its people are names that a client chooses: among them `*` of `allow` is everybody. */
  readonly namedByClients: (platform: string) => boolean;
  readonly trusted: (platform: string) => readonly string[];
  /** The role of the platform's own administrators in a group, if it raises theirs. Never owner. */
  readonly admins: (platform: string) => "trusted" | "member" | undefined;
}

export interface Roles {
  /**
   * Everywhere on the platform: what the configuration and the owners say, the higher of both; and what the human is by
   * another account. `human` = it is one of several.
   */
  look(platform: string, user: string, db: Kysely<Database>): Promise<{ readonly role: Role; readonly human?: string }>;
  base(platform: string, user: string, db: Kysely<Database>): Promise<Role>;
  /** In one chat: there the platform's administrators may be more. Asks the platform, so never in a transaction. */
  inChat(base: Role, address: ChatAddress, sender: Pick<Sender, "id" | "administrator">): Promise<Role>;
  /** As of now, in the chat of a session; a guest in a session of another platform. */
  now(person: string, session: string): Promise<Role>;
  /** The same, with what they are on their own platform: an owner answers from another one, too. */
  anywhere(person: string, session: string): Promise<Role>;
}

export function createRoles(parts: {
  readonly store: Pick<Store, "main">;
  readonly rules: RoleRules;
  readonly channels: readonly Channel[];
}): Roles {
  const { store, rules } = parts;

  async function look(platform: string, user: string, db: Kysely<Database>): ReturnType<Roles["look"]> {
    const id = toPersonId(platform, user);
    // Who can run commands on this machine owns the data folder anyway.
    if (platform === "cli") return { role: user === "owner" || rules.owners.includes(id) ? "owner" : "member" };
    // Other agents (kurisu mcp serve) are let in by the machine or a token, and are never more than that.
    if (platform === servedPlatform) return { role: "member" };
    const { human, role: stored } = await findStanding(db, id);
    const own = addConfigured(id, stored);
    if (human === undefined) return { role: own };
    const acting = (await listLinkedRoles(db, human)).filter(({ acts }) => acts === 1);
    const roles = acting.map(({ account, role }) => addConfigured(account, role));
    return { role: roles.reduce(higherRole, own), human };
  }

  function addConfigured(id: string, stored: Role = "guest"): Role {
    if (rules.owners.includes(id)) return "owner";
    const { platform, id: user } = readPerson(id);
    if (rules.trusted(platform).includes(user)) return higherRole(stored, "trusted");
    const allowed = rules.allow(platform);
    const isLetIn = allowed.includes(user) || (allowed.includes("*") && rules.namedByClients(platform));
    return isLetIn ? higherRole(stored, "member") : stored;
  }

  /** No link makes anybody more than an owner. */
  const base: Roles["base"] = async (platform, user, db) =>
    rules.owners.includes(toPersonId(platform, user)) ? "owner" : (await look(platform, user, db)).role;

  async function inChat(
    own: Role,
    address: ChatAddress,
    { administrator, id }: Pick<Sender, "id" | "administrator">,
  ): Promise<Role> {
    const mapped = rules.admins(address.platform);
    if (mapped === undefined || higherRole(own, mapped) === own) return own;
    const is =
      administrator ?? (await findChannel(parts.channels, address.platform)?.isAdministrator?.(address, id)) ?? false;
    return is ? mapped : own;
  }

  async function now(person: string, session: string): Promise<Role> {
    const { id, platform } = readPerson(person);
    if (!session.startsWith(`${platform}:`)) return "guest";
    const own = await base(platform, id, store.main);
    const row = rules.admins(platform) === undefined ? undefined : await findSession(store.main, session);
    return row ? inChat(own, toAddress(row), { id }) : own;
  }

  return {
    look,
    base,
    inChat,
    now,
    async anywhere(person, session) {
      const { id, platform } = readPerson(person);
      return higherRole(await base(platform, id, store.main), await now(person, session));
    },
  };
}

function readPerson(person: string): { readonly platform: string; readonly id: string } {
  const [platform = "", ...user] = person.split(":");
  return { platform, id: user.join(":") };
}
