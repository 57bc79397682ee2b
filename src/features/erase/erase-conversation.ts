import type { Kysely } from "kysely";
import { toAddress } from "../../channels/to-address.ts";
import type { Channel } from "../../channels/types.ts";
import type { Clock } from "../../core/clock.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { listOpenGrants } from "../../store/queries/grants.ts";
import { findSession, lockSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema/database.ts";
import type { TableName } from "../../store/tables/person-table.ts";
import { revokeGrant } from "../../kernel/gate/make-grants.ts";
import type { Workspace } from "../../workspace/types.ts";
import { emptyInbox, eraseAuditTexts, erasePassiveReplies, resetChats } from "./queries/erase-rows.ts";
import { deleteRows, emptyRows, type PersonKeys } from "./queries/find-rows.ts";

/** `busy` = a turn runs or waits there, or a message is not answered yet: nothing was erased. */
type ErasedConversation = "erased" | "busy" | "unknown";

export type EraseConversation = (session: string, login: string) => Promise<ErasedConversation>;

const slice = 500;
/** All that is not deleted by its table's own rule, in the order in which rows name each other. */
const talk = ["remark_terms", "remarks", "summaries", "log_messages", "messages"] as const;
/** The rows are those of a chat, not of a person. */
const nobody = { accounts: [], humans: [] };

/**
 * Erases one conversation for the owner: its messages, the sentences that the search finds, unsent messages, turns with their
 * questions, grants and files. Memories and reminders of people stay. The empty session row stays too, because the platform's
 * chat still exists. The caller may repeat it after a crash.
 */
export function createEraseConversation(parts: {
  readonly store: Store;
  readonly workspace: Pick<Workspace, "erase">;
  readonly endWork: (session: string) => void;
  readonly sweepOutgoing: () => Promise<void>;
  readonly findChannel: (platform: string) => Pick<Channel, "eraseChatFiles"> | undefined;
  readonly clock: Clock;
}): EraseConversation {
  const { clock, store } = parts;

  async function deleteAll(tx: Kysely<Database>, table: TableName, keys: PersonKeys): Promise<void> {
    while ((await deleteRows(tx, store, { table, keys, most: slice })) > 0);
  }

  async function isBusy(tx: Kysely<Database>, session: string): Promise<boolean> {
    const turn = tx.selectFrom("turns").select("id").where("session", "=", session).where("state", "<>", "ended");
    const item = tx
      .selectFrom("inbox")
      .select("id")
      .where("session", "=", session)
      .where("state", "not in", ["done", "dead"]);
    return (await turn.executeTakeFirst()) !== undefined || (await item.executeTakeFirst()) !== undefined;
  }

  async function eraseRows(tx: Kysely<Database>, session: string, turns: readonly string[]): Promise<void> {
    const now = clock.now();
    const asked =
      turns.length === 0 ? [] : await tx.selectFrom("questions").select("id").where("turn", "in", turns).execute();
    const keys = { chats: [session], turns, questions: asked.map(({ id }) => id) };
    // Before the rows of turns and chats that lead to them.
    for (const table of talk) await deleteAll(tx, table, keys);
    for (const table of Object.keys(store.personTables) as TableName[]) {
      const { erased } = store.personTables[table];
      if (erased.how === "deleted") await deleteAll(tx, table, keys);
      else if (erased.how === "emptied") await emptyRows(tx, store, { table, keys, set: erased.set });
    }
    while ((await eraseAuditTexts(tx, { chats: [session], turns }, { most: slice, now })) > 0);
    for (let after: number | undefined = 0; after !== undefined;) {
      const { next }: { readonly next: number | undefined } = await emptyInbox(tx, nobody, {
        after,
        chats: [session],
        most: slice,
      });
      after = next;
    }
    await erasePassiveReplies(tx, [session]);
    await tx.deleteFrom("turns").where("session", "=", session).execute();
    await resetChats(tx, [session]);
  }

  /** Before their rows, which lead to them: after a crash the next call finds what is left. */
  async function removeCheckpoints(session: string): Promise<void> {
    const ended = store.main
      .selectFrom("turns")
      .select("id")
      .where("session", "=", session)
      .where("state", "=", "ended");
    for (const { id } of await ended.execute()) await store.turnCheckpoints.remove(id);
  }

  return async (session, login) => {
    await removeCheckpoints(session);
    const done = await store.main.transaction().execute(async (tx) => {
      const row = await findSession(tx, session);
      if (row === undefined) return { kind: "unknown" } as const;
      await lockSession(tx, session);
      if (await isBusy(tx, session)) return { kind: "busy" } as const;
      const rows = await tx.selectFrom("turns").select("id").where("session", "=", session).execute();
      const turns = rows.map(({ id }) => id);
      for (const grant of await listOpenGrants(tx, session))
        await revokeGrant(tx, grant, consoleOwner, clock.now(), login);
      await eraseRows(tx, session, turns);
      const detail = { login, turns: turns.length };
      await appendAudit(tx, {
        actor: consoleOwner,
        action: "conversation.deleted",
        session,
        detail,
        now: clock.now(),
      });
      return { kind: "erased", address: toAddress(row) } as const;
    });
    if (done.kind !== "erased") return done.kind;
    parts.endWork(session);
    await parts.workspace.erase(session);
    await parts.findChannel(done.address.platform)?.eraseChatFiles?.(done.address);
    await parts.sweepOutgoing();
    await store.wipe();
    return "erased";
  };
}
