import { sql, type Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";
import { appendAudit, erasedAction } from "../../../store/queries/audit.ts";
import type { NamedHuman } from "./read-texts.ts";

/** Empties finished events of their words; the fields that identify an event stay. */
export async function emptyInbox(
  db: Kysely<Database>,
  human: NamedHuman,
  { after, chats, most }: { readonly after: number; readonly chats: readonly string[]; readonly most: number },
): Promise<{ readonly count: number; readonly next: number | undefined }> {
  const rows = await db
    .selectFrom("inbox")
    .select(["seq", "id", "platform", "session", "requester", "kind", "payload"])
    .where("seq", ">", after)
    .where("state", "in", ["done", "dead"])
    .$if(human.accounts.length === 0 && human.humans.length === 0, (query) => query.where("session", "in", chats))
    .orderBy("seq")
    .limit(most)
    .execute();
  let count = 0;
  for (const { id, kind, payload, platform, requester, session } of rows) {
    const event = JSON.parse(payload) as Event;
    const said = event.message ?? event;
    const isTheirs =
      chats.includes(session) ||
      (requester !== null && [...human.accounts, ...human.humans].includes(requester)) ||
      (kind === "facts" && human.accounts.includes(String(event["person"]))) ||
      human.accounts.some((account) => names(said, platform, account));
    if (kind === "erase" || !isTheirs || payload.includes(erasedMark)) continue;
    // It names the person whose words a model read.
    const empty = kind === "facts" ? { erased: true } : emptyEvent(said);
    const left = JSON.stringify(event.message === undefined ? empty : { ...event, message: empty });
    await db.updateTable("inbox").set({ payload: left, requester: null }).where("id", "=", id).execute();
    count += 1;
  }
  return { count, next: rows.length < most ? undefined : rows.at(-1)?.seq };
}

interface Event {
  readonly [key: string]: unknown;
  readonly message?: Event;
  readonly sender?: { readonly id?: unknown };
}

const erasedMark = '"erased":true';
/** Ids, times and flags; everything else may hold words. */
const keptKeys: ReadonlySet<string> = new Set([
  "key",
  "address",
  "sentAt",
  "kind",
  "chatKind",
  "messageId",
  "addressed",
]);

function emptyEvent(event: Event): object {
  // Our own jobs only name rows.
  if (event["address"] === undefined) return { ...event, erased: true };
  const kept = Object.entries(event).filter(([key]) => keptKeys.has(key));
  const none = { sender: { id: "", name: "", kind: "person" }, text: "", attachments: [], erased: true };
  return { ...Object.fromEntries(kept), ...none };
}

function names({ by, person, sender, user }: Event, platform: string, account: string): boolean {
  const ids = [sender?.id, person, user, by, (by as { readonly id?: unknown } | undefined)?.id];
  return ids.some((id) => typeof id === "string" && (`${platform}:${id}` === account || id === account));
}

/** Erases the texts kept with the audit, and writes the row that records the erasure. */
export async function eraseAuditTexts(
  db: Kysely<Database>,
  keys: {
    readonly accounts?: readonly string[];
    readonly chats?: readonly string[];
    readonly turns?: readonly string[];
  },
  { most, now }: { readonly most: number; readonly now: number },
): Promise<number> {
  const lists = [
    ["actor", keys.accounts ?? []],
    ["session", keys.chats ?? []],
    ["turn", keys.turns ?? []],
  ] as const;
  const ways = lists.filter(([, values]) => values.length > 0);
  if (ways.length === 0) return 0;
  const found = await db
    .selectFrom("audit_texts")
    .select("digest")
    .where((where) => where.or(ways.map(([column, values]) => where(column, "in", values))))
    .limit(most)
    .execute();
  if (found.length === 0) return 0;
  const gone = await db
    .deleteFrom("audit_texts")
    .where(
      "digest",
      "in",
      found.map(({ digest }) => digest),
    )
    .returning("digest")
    .execute();
  if (gone.length > 0)
    await appendAudit(db, { actor: "gateway", action: erasedAction, detail: { texts: gone.length }, now });
  return gone.length;
}

/** Held texts of the official QQ bot go; the numbers of replies stay, as the platform counts on from them. */
export async function erasePassiveReplies(db: Kysely<Database>, chats: readonly string[]): Promise<number> {
  if (chats.length === 0) return 0;
  const held = db.deleteFrom("passive_replies").where("session", "in", chats).where("state", "=", "held");
  const { numDeletedRows } = await held.executeTakeFirst();
  await db.updateTable("passive_replies").set({ text: null }).where("session", "in", chats).execute();
  return Number(numDeletedRows);
}

/** Starts the chat again, behind every position that was ever given. */
export async function resetChats(db: Kysely<Database>, chats: readonly string[]): Promise<void> {
  if (chats.length === 0) return;
  await db
    .updateTable("sessions")
    .set((of) => ({
      branch: "main",
      head: null,
      start_position: of.ref("last_position"),
      points: 0,
      chosen_language: null,
      model: null,
      mode: null,
      voice: null,
      busy: null,
    }))
    .where("id", "in", chats)
    .execute();
}

/** The counts of days before `today` go on without the person and the chat. */
export async function forgetUsage(
  db: Kysely<Database>,
  accounts: readonly string[],
  chats: readonly string[],
  today: string,
): Promise<number> {
  const theirs = sql<boolean>`(person in (${sql.join(accounts)})${chats.length === 0 ? sql`` : sql` or session in (${sql.join(chats)})`})`;
  const counts = ["calls", "estimated", "input", "output", "cached", "cost"] as const;
  const sums = counts.map((count) => sql`cast(sum(${sql.ref(count)}) as bigint)`);
  const grown = counts.map(
    (count) => sql`${sql.ref(count)} = ${sql.ref(`usage.${count}`)} + ${sql.ref(`excluded.${count}`)}`,
  );
  await sql`insert into usage (day, person, session, model, ${sql.join(counts.map((count) => sql.ref(count)))})
    select day, '', '', model, ${sql.join(sums)} from usage where ${theirs} and day < ${today} group by day, model
    on conflict (day, person, session, model) do update set ${sql.join(grown)}`.execute(db);
  const { numDeletedRows } = await db.deleteFrom("usage").where(theirs).where("day", "<", today).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Her answers of these turns in the chat log, which name the turn and the part in their key. */
export async function eraseRepliesInLog(db: Kysely<Database>, turns: readonly string[]): Promise<number> {
  const rows = await db.selectFrom("turns").select(["id", "session"]).where("id", "in", turns).execute();
  let count = 0;
  for (const { id, session } of rows) {
    const { numDeletedRows } = await db
      .deleteFrom("log_messages")
      .where("chat", "in", db.selectFrom("log_chats").select("id").where("session", "=", session))
      .where("key", ">=", `${id}.`)
      // After a full stop comes a slash.
      .where("key", "<", `${id}/`)
      .where("role", "=", "her")
      .executeTakeFirst();
    count += Number(numDeletedRows);
  }
  return count;
}
