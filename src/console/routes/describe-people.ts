import { makeVisible } from "../../core/persona/show-payload.ts";
import type { ConsoleHooks } from "../../kernel/feature/console-hooks.ts";
import type { AccessRules } from "../../kernel/people/access.ts";
import { listLogSenderNames } from "../../features/chatlog/queries/log-overview.ts";
import { listLiveLinks, type AccountLink } from "../../store/queries/account-links.ts";
import { listStoredPeople, type StoredPerson, type StoredRole } from "../../store/queries/people.ts";
import { findGroupSessions } from "../../store/queries/session-list.ts";
import type { Store } from "../../store/open-store.ts";
import { maxName, nameSessions, toLine } from "../names/name-sessions.ts";
import type { AccountView, GroupView, PeopleView, PersonView, PlatformGrantView } from "../views/people-views.ts";

/** The grants of the configuration, and what a feature can change. */
export interface PeoplePorts {
  /** The roles and groups that the configuration grants. */
  readonly access: Pick<AccessRules, "admins" | "allow" | "groups" | "namedByClients" | "owners" | "trusted">;
  readonly platforms: readonly string[];
  /** Undefined where links of accounts are taken out. */
  readonly unlinkAccount: ConsoleHooks["unlinkAccount"];
}

type DescribedPorts = Pick<PeoplePorts, "access" | "platforms">;

/** The people who have a role, one entry a human, and the groups that are open. */
export async function describePeople(
  { main }: Pick<Store, "main">,
  ports: DescribedPorts,
): Promise<Pick<PeopleView, "groups" | "people" | "platforms">> {
  const [rows, links] = await Promise.all([listStoredPeople(main), listLiveLinks(main)]);
  const isGroup = ({ id }: StoredPerson) => id.split(":")[1] === "group";
  const stored = rows.filter((row) => !isGroup(row));
  const configured = listConfigured(ports);
  const ids = [
    ...new Set([...stored.map(({ id }) => id), ...configured.keys(), ...links.map(({ account }) => account)]),
  ];
  const unnamed = ids.filter((id) => !stored.some((row) => row.id === id));
  const names = new Map([
    ...(await listLogSenderNames(main, unnamed)),
    ...stored.map(({ id, name }) => [id, name] as const),
  ]);
  const describe = (id: string): AccountView =>
    describeAccount(id, {
      name: names.get(id),
      row: stored.find((one) => one.id === id),
      link: links.find(({ account }) => account === id),
      configured: configured.get(id),
    });
  return {
    people: joinAccounts(ids, links).flatMap((accounts) => describePerson(accounts.map(describe))),
    groups: await describeGroups(main, ports, rows.filter(isGroup)),
    platforms: ports.platforms.flatMap((platform) => describePlatform(platform, ports.access)),
  };
}

function listConfigured({ access, platforms }: DescribedPorts): ReadonlyMap<string, StoredRole> {
  const listed = (given: (platform: string) => readonly string[], role: StoredRole) =>
    platforms.flatMap((platform) =>
      given(platform)
        .filter((user) => user !== "*")
        .map((user) => [`${platform}:${user}`, role] as const),
    );
  return new Map([
    ...listed(access.allow, "member"),
    ...listed(access.trusted, "trusted"),
    ...access.owners.map((id) => [id, "owner"] as const),
  ]);
}

/** The accounts of each human together; the first one acts for them. */
function joinAccounts(ids: readonly string[], links: readonly AccountLink[]): readonly (readonly string[])[] {
  const linked = new Map(links.map((link) => [link.account, link]));
  const groups = Map.groupBy(ids, (id) => linked.get(id)?.human ?? `alone ${id}`);
  const acts = (id: string) => linked.get(id)?.acts ?? 1;
  return [...groups.values()].map((accounts) => accounts.toSorted((a, b) => acts(b) - acts(a)));
}

function describeAccount(
  id: string,
  given: {
    readonly name: string | undefined;
    readonly row: StoredPerson | undefined;
    readonly link: AccountLink | undefined;
    readonly configured: StoredRole | undefined;
  },
): AccountView {
  const { configured, link, name = "", row } = given;
  return {
    id,
    shown: makeVisible(id),
    platform: id.split(":")[0] ?? "",
    name: toLine(name === "" ? id : name, maxName),
    ...(row && { stored: row.role as StoredRole, since: row.created_at }),
    ...(configured !== undefined && { configured }),
    ...(link && { link: { at: link.linked_at, private: link.acts === 1 } }),
  };
}

const ranked = ["owner", "trusted", "member"] as const;

function describePerson(accounts: readonly AccountView[]): readonly PersonView[] {
  const [first] = accounts;
  // A link from a group shares no role.
  const acting = first?.link?.private === false ? accounts : accounts.filter(({ link }) => link?.private !== false);
  const role = ranked.find((one) => acting.some(({ configured, stored }) => configured === one || stored === one));
  if (first === undefined || role === undefined) return [];
  const best = acting.find(({ stored }) => stored !== undefined) ?? first;
  return [{ id: best.id, name: best.name, role, accounts }];
}

async function describeGroups(
  main: Store["main"],
  { access, platforms }: DescribedPorts,
  opened: readonly StoredPerson[],
): Promise<readonly GroupView[]> {
  const groups = [
    ...opened.map(({ created_at: since, id }) => ({ ...readGroup(id), by: "pair" as const, since })),
    ...platforms.flatMap((platform) =>
      access
        .groups(platform)
        .filter((chat) => chat !== "*")
        .map((chat) => ({ platform, chat, by: "configuration" as const })),
    ),
  ];
  const sessions = await findGroupSessions(
    main,
    groups.map(({ chat }) => chat),
  );
  const names = await nameSessions(main, sessions);
  return groups.map(({ chat, ...group }) => {
    const session = sessions.find((one) => one.platform === group.platform && one.chat === chat);
    const name = session && names.get(session.id);
    return { ...group, id: makeVisible(chat), name: name ?? toLine(chat, maxName) };
  });
}

function readGroup(id: string): { readonly platform: string; readonly chat: string } {
  const [platform = "", , ...chat] = id.split(":");
  return { platform, chat: chat.join(":") };
}

function describePlatform(platform: string, access: PeoplePorts["access"]): readonly PlatformGrantView[] {
  const everybody = access.namedByClients(platform) && access.allow(platform).includes("*");
  const everyGroup = access.groups(platform).includes("*");
  const admins = access.admins(platform);
  if (!everybody && !everyGroup && admins === undefined) return [];
  return [{ platform, everybody, everyGroup, ...(admins !== undefined && { admins }) }];
}
