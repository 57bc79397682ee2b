import type { Kysely, Selectable } from "kysely";
import type { Language } from "../../core/conversation.ts";
import { isOwnPlatform } from "../../core/own-platforms.ts";
import { compileOnce } from "../statements/compile-once.ts";
import { isPostgres } from "../statements/is-postgres.ts";
import { rememberRows } from "../statements/remember-rows.ts";
import type { Database } from "../schema/database.ts";

/** A session with the end of its conversation. */
export type WholeSession = Selectable<Database["sessions"]>;

/** The settings of a session. Most messages leave them as they are, so they are kept in memory. */
export type SessionRow = Omit<WholeSession, "head" | "last_position" | "points">;

export interface NewSession {
  readonly id: string;
  readonly platform: string;
  readonly account: string;
  readonly chat: string;
  readonly thread: string | null;
  readonly chatKind: "private" | "group";
  readonly language: Language;
  readonly now: number;
}

/**
 * Makes the session if it is new, and takes its row until the transaction ends: other transactions that want it wait.
 * Several sessions are taken in the order of their ids, so that two transactions never wait for each other.
 */
export async function ensureSession(db: Kysely<Database>, session: NewSession): Promise<void> {
  const known = await findSession(db, session.id);
  // Once a group, always one: the stricter reading.
  if (known && (known.chat_kind === "group" || session.chatKind === "private")) return lockSession(db, session.id);
  await db
    .insertInto("sessions")
    .values({
      id: session.id,
      platform: session.platform,
      account: session.account,
      chat: session.chat,
      thread: session.thread,
      chat_kind: session.chatKind,
      branch: "main",
      head: null,
      start_position: 0,
      last_position: 0,
      language: session.language,
      mode: null,
      voice: null,
      created_at: session.now,
    })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((expression) => ({
        last_position: expression.ref("sessions.last_position"),
        ...(session.chatKind === "group" && { chat_kind: "group" as const }),
      })),
    )
    .execute();
}

/** Takes the session's row until the transaction ends. SQLite has one writer at a time, so it has it already. */
export async function lockSession(db: Kysely<Database>, id: string): Promise<void> {
  if (!isPostgres(db)) return;
  await db
    .updateTable("sessions")
    .set((expression) => ({ last_position: expression.ref("last_position") }))
    .where("id", "=", id)
    .execute();
}

const settingColumns = [
  "platform",
  "account",
  "chat",
  "thread",
  "chat_kind",
  "branch",
  "start_position",
  "language",
  "chosen_language",
  "model",
  "persona",
  "mode",
  "gone_at",
  "voice",
  "busy",
  "created_at",
] as const satisfies readonly (keyof SessionRow)[];

const selectSettings = rememberRows(
  (db, { id }: { readonly id: string }) =>
    db
      .selectFrom("sessions")
      .select(["id", ...settingColumns])
      .where("id", "=", id),
  { table: "sessions", columns: settingColumns },
);

export async function findSession(db: Kysely<Database>, id: string): Promise<SessionRow | undefined> {
  return (await selectSettings(db, { id }))[0];
}

const selectWhole = compileOnce((db, { id }: { readonly id: string }) =>
  db.selectFrom("sessions").selectAll().where("id", "=", id),
);

export async function findWholeSession(db: Kysely<Database>, id: string): Promise<WholeSession | undefined> {
  return (await selectWhole(db, { id }))[0];
}

export async function setSessionLanguage(db: Kysely<Database>, id: string, language: Language): Promise<void> {
  await db.updateTable("sessions").set({ language }).where("id", "=", id).execute();
}

/** Null makes it follow what people write again; until then it keeps its value. */
export async function chooseSessionLanguage(
  db: Kysely<Database>,
  id: string,
  language: Language | null,
): Promise<void> {
  const values = { chosen_language: language, ...(language !== null && { language }) };
  await db.updateTable("sessions").set(values).where("id", "=", id).execute();
}

export async function setSessionModel(db: Kysely<Database>, id: string, model: string | null): Promise<void> {
  await db.updateTable("sessions").set({ model }).where("id", "=", id).execute();
}

export async function setSessionPersona(db: Kysely<Database>, id: string, persona: string | null): Promise<void> {
  await db.updateTable("sessions").set({ persona }).where("id", "=", id).execute();
}

export async function findChosenPersona(db: Kysely<Database>, id: string): Promise<string | undefined> {
  const row = await db.selectFrom("sessions").select("persona").where("id", "=", id).executeTakeFirst();
  return row?.persona ?? undefined;
}

/** Sessions that have chosen a persona, with its id. */
export async function listChosenPersonas(db: Kysely<Database>): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom("sessions").select(["id", "persona"]).where("persona", "is not", null).execute();
  return new Map(rows.flatMap(({ id, persona }) => (persona === null ? [] : [[id, persona]])));
}

/** How messages are handled that come while a turn is running; null means the default. */
export type BusyMode = "queue" | "steer" | "interrupt";

export async function setSessionBusy(db: Kysely<Database>, id: string, busy: BusyMode): Promise<void> {
  await db.updateTable("sessions").set({ busy }).where("id", "=", id).execute();
}

/** `mode` as src/kernel/gate/session-mode.ts writes it. */
export async function setSessionMode(db: Kysely<Database>, id: string, mode: string | null): Promise<void> {
  await db.updateTable("sessions").set({ mode }).where("id", "=", id).execute();
}

/** null where there is no such session, too. */
export async function findSessionMode(db: Kysely<Database>, id: string): Promise<string | null> {
  return (await findSession(db, id))?.mode ?? null;
}

/** /new: what was said before leaves the window; the log keeps it. */
export async function startNewConversation(db: Kysely<Database>, id: string): Promise<void> {
  await db
    .updateTable("sessions")
    .set((expression) => ({ start_position: expression.ref("last_position"), points: 0 }))
    .where("id", "=", id)
    .execute();
}

/** The private chat with a person; where chats have names, the one with the newest message. */
export async function findPrivateSession(
  db: Kysely<Database>,
  platform: string,
  user: string,
): Promise<string | undefined> {
  let query = db
    .selectFrom("sessions")
    .select("id")
    .where("platform", "=", platform)
    .where("chat_kind", "=", "private")
    .where("thread", "is", null);
  if (!isOwnPlatform(platform)) query = query.where("chat", "in", [user, `private:${user}`]);
  const row = await query.orderBy("head", "desc").limit(1).executeTakeFirst();
  return row?.id;
}

/** The id of a chat's session whose account is not known; of several, the one with the newest message. */
export async function findSessionOfChat(
  db: Kysely<Database>,
  of: { readonly platform: string; readonly chat: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom("sessions")
    .select("id")
    .where("platform", "=", of.platform)
    .where("chat", "=", of.chat)
    .where("thread", "is", null)
    .orderBy("head", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}
