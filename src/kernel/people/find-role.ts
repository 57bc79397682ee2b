import type { Kysely } from "kysely";
import { findStanding, listLinkedRoles } from "../../store/queries/account-links.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";
import { higherRole } from "../gate/resolve-current-role.ts";
import type { Role } from "../gate/types.ts";
import { toAddress } from "../../channels/to-address.ts";
import { consolePlatform } from "../../core/own-platforms.ts";
import { servedPlatform } from "../../core/served-platform.ts";
import { toPersonId } from "../../channels/session-id.ts";
import { findChannel } from "../../channels/find-channel.ts";
import type { Channel, ChatAddress, Sender } from "../../channels/types.ts";

/** Roles by configuration. Ids are the platform's. */
export interface RoleRules {
  /** Person ids such as `telegram:123`. */
  readonly owners: readonly string[];
  /** People admitted without a code, and the trusted ones among them, by platform. */
  readonly allow: (platform: string) => readonly string[];
  /** Clients of this platform choose their own names; for it, `*` in `allow` admits all of them. */
  readonly namedByClients: (platform: string) => boolean;
  readonly trusted: (platform: string) => readonly string[];
  /** The role to which a group raises the platform's own administrators, if any. Never owner. */
  readonly admins: (platform: string) => "trusted" | "member" | undefined;
}

export interface Roles {
  /**
   * The role on the whole platform: the higher of configuration and stored role, and the roles of the human's other
   * accounts. `human` is set when there are several accounts.
   */
  look(platform: string, user: string, db: Kysely<Database>): Promise<{ readonly role: Role; readonly human?: string }>;
  /** The same role by the id of the person. */
  base(person: string, db: Kysely<Database>): Promise<Role>;
  /**
   * The role in one chat, which may raise the platform's administrators. Queries the platform, so never call it in a
   * transaction.
   */
  inChat(base: Role, address: ChatAddress, sender: Pick<Sender, "id" | "administrator">): Promise<Role>;
  /** The current role in the chat of a session; guest in a session of another platform. */
  now(person: string, session: string): Promise<Role>;
  /** The same, combined with the role on the person's own platform: an owner may answer from another one. */
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
    // A user who can run commands on this machine owns the data folder anyway.
    if (platform === "cli") return { role: user === "owner" || rules.owners.includes(id) ? "owner" : "member" };
    // Only the guarded routes of the console say so, for whoever is signed in as the owner.
    if (platform === consolePlatform) return { role: user === "owner" ? "owner" : "guest" };
    // Other agents (kurisu mcp serve) are admitted by the machine or a token, always as members.
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

  /** A configured owner needs no look-up: links cannot raise the role further. */
  async function base(person: string, db: Kysely<Database>): Promise<Role> {
    if (rules.owners.includes(person)) return "owner";
    const { id, platform } = readPerson(person);
    return (await look(platform, id, db)).role;
  }

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
    const own = await base(person, store.main);
    const row = rules.admins(platform) === undefined ? undefined : await findSession(store.main, session);
    return row ? inChat(own, toAddress(row), { id }) : own;
  }

  return {
    look,
    base,
    inChat,
    now,
    anywhere: async (person, session) => higherRole(await base(person, store.main), await now(person, session)),
  };
}

function readPerson(person: string): { readonly platform: string; readonly id: string } {
  const [platform = "", ...user] = person.split(":");
  return { platform, id: user.join(":") };
}
