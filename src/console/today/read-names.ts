import { makeVisible } from "../../core/persona/show-payload.ts";
import { listLogChatNames } from "../../features/chatlog/queries/log-said.ts";
import { listPeopleNames } from "../../store/queries/people.ts";
import { listSessionPlaces } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";

export interface Names {
  readonly people: ReadonlyMap<string, string>;
  /** Names of conversations. */
  readonly chats: ReadonlyMap<string, string>;
}

/** As they are called where they talk to her; what has no name is left out. */
export async function readNames(
  { main }: Pick<Store, "main">,
  { people, sessions }: { readonly people: readonly string[]; readonly sessions: readonly string[] },
): Promise<Names> {
  const [places, groups] = await Promise.all([listSessionPlaces(main, sessions), listLogChatNames(main, sessions)]);
  const others = places.filter(({ chatKind }) => chatKind === "private");
  const ids = [...new Set([...people, ...others.map(({ chat, platform }) => `${platform}:${chat}`)])];
  const known = new Map((await listPeopleNames(main, ids)).map(({ id, name }) => [id, makeVisible(name)]));
  const chats = new Map(groups.map(({ name, session }) => [session, makeVisible(name)]));
  for (const { chat, id, platform } of others) {
    const name = known.get(`${platform}:${chat}`);
    if (name !== undefined) chats.set(id, name);
  }
  return { people: known, chats };
}
