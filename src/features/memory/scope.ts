import type { Kysely } from "kysely";
import { listActingAccounts } from "../../store/queries/account-links.ts";
import type { Memory, ReadableRows } from "./queries/memories.ts";
import type { Database } from "../../store/schema/database.ts";

/** The person whose rows are requested, and the place. The only way to such rows. */
export interface MemoryScope extends ReadableRows {
  /** The account that speaks; its statements are kept as its own. */
  readonly account: string;
  readonly name: string;
}

/** The person who asks, and the chat; without `chatKind` it is treated as one where others read along. */
export interface MemoryAsker {
  readonly person: { readonly id: string; readonly name: string };
  readonly session: string;
  readonly chatKind?: "private" | "group";
  /** They are known to have this account only. */
  readonly alone?: boolean;
  readonly persona: string;
}

/**
 * Words said in private are read in private only, by that human on any account that both sides linked in private. Words
 * said in a group are read there by all its members, and by their speaker in private. A row of one persona is read by
 * that one only.
 */
export async function findMemoryScope(db: Kysely<Database>, asker: MemoryAsker): Promise<MemoryScope> {
  const { alone = false, chatKind, person, persona, session } = asker;
  const isPrivate = chatKind === "private";
  const accounts = isPrivate && !alone ? await listActingAccounts(db, person.id) : [person.id];
  return { account: person.id, name: person.name, accounts, place: isPrivate ? "" : session, persona };
}

/** The same rule as in the queries, for rows that were read in some other way. */
export function mayRead(
  { accounts, persona, place }: ReadableRows,
  memory: Pick<Memory, "person" | "persona" | "place">,
): boolean {
  if (memory.persona !== persona) return false;
  return place === "" ? accounts.includes(memory.person) : memory.place === place;
}
