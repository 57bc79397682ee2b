import { sql, type Kysely } from "kysely";
import type { ConversationMessage } from "../../core/conversation.ts";
import type { Database } from "../schema/database.ts";

/** A conversation with the end of its current line. */
export interface ListedSession {
  readonly id: string;
  readonly platform: string;
  readonly chat: string;
  readonly thread: string | null;
  readonly kind: "private" | "group";
  /** The newest message; undefined while there is none. */
  readonly last: { readonly id: number; readonly message: ConversationMessage; readonly at: number } | undefined;
  readonly createdAt: number;
}

/** Where a page of the list begins: behind this message, or, among those without one, behind this session. */
export type ListCursor =
  | { readonly kind: "spoken"; readonly before: number }
  | { readonly kind: "silent"; readonly after: string };

interface ListOptions {
  readonly platform?: string | undefined;
  /** The name, id or chat holds it, or the session is one of `named`. */
  readonly text?: string | undefined;
  readonly named?: readonly string[];
  /** No others than these. */
  readonly only?: readonly string[] | undefined;
  readonly limit: number;
}

/**
 * The conversations with the newest message first; those without a message come last. Both halves are read along
 * `sessions_activity`.
 */
export async function listSessionsByActivity(
  db: Kysely<Database>,
  cursor: ListCursor,
  options: ListOptions,
): Promise<readonly ListedSession[]> {
  const { limit, only } = options;
  if (only?.length === 0) return [];
  const spoken = cursor.kind === "spoken" ? await readSpoken(db, cursor.before, options) : [];
  if (spoken.length >= limit) return spoken;
  const after = cursor.kind === "silent" ? cursor.after : "";
  return [...spoken, ...(await readSilent(db, after, { ...options, limit: limit - spoken.length }))];
}

async function readSpoken(db: Kysely<Database>, before: number, options: ListOptions) {
  const rows = await narrow(selectListed(db), options)
    .where("sessions.head", "<", before)
    .orderBy("sessions.head", "desc")
    .limit(options.limit)
    .execute();
  return rows.map(toListed);
}

async function readSilent(db: Kysely<Database>, after: string, options: ListOptions) {
  const rows = await narrow(selectListed(db), options)
    .where("sessions.head", "is", null)
    .where("sessions.id", ">", after)
    .orderBy("sessions.id")
    .limit(options.limit)
    .execute();
  return rows.map(toListed);
}

export async function findListedSessions(
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<readonly ListedSession[]> {
  if (ids.length === 0) return [];
  const rows = await selectListed(db).where("sessions.id", "in", ids).orderBy("sessions.head", "desc").execute();
  return rows.map(toListed);
}

/** The conversations of these groups, by the platforms' ids. */
export async function findGroupSessions(
  db: Kysely<Database>,
  chats: readonly string[],
): Promise<readonly ListedSession[]> {
  if (chats.length === 0) return [];
  const groups = selectListed(db).where("sessions.chat_kind", "=", "group").where("sessions.chat", "in", chats);
  return (await groups.orderBy("sessions.id").execute()).map(toListed);
}

function selectListed(db: Kysely<Database>) {
  return db
    .selectFrom("sessions")
    .leftJoin("messages", "messages.id", "sessions.head")
    .select([
      "sessions.id",
      "sessions.platform",
      "sessions.chat",
      "sessions.thread",
      "sessions.chat_kind",
      "sessions.created_at as createdAt",
      "messages.id as message",
      "messages.content",
      "messages.created_at as at",
    ]);
}

function narrow(query: ReturnType<typeof selectListed>, { named = [], only, platform, text }: ListOptions) {
  const allowed = only === undefined ? query : query.where("sessions.id", "in", only);
  const wanted = platform === undefined ? allowed : allowed.where("sessions.platform", "=", platform);
  if (text === undefined) return wanted;
  const like = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return wanted.where((row) =>
    row.or([
      sql<boolean>`lower(sessions.id) like ${like} escape '\\'`,
      ...(named.length > 0 ? [row("sessions.id", "in", named)] : []),
      row.exists(
        row
          .selectFrom("people")
          .select(sql`1`.as("one"))
          .where(sql<boolean>`people.id = sessions.platform || ':' || replace(sessions.chat, 'private:', '')`)
          .where(sql<boolean>`lower(people.name) like ${like} escape '\\'`),
      ),
    ]),
  );
}

type Row = Awaited<ReturnType<ReturnType<typeof selectListed>["execute"]>>[number];

function toListed({ at, chat_kind: kind, content, message, ...row }: Row): ListedSession {
  const last =
    message === null || content === null
      ? undefined
      : { id: message, message: JSON.parse(content) as ConversationMessage, at: at ?? 0 };
  return { ...row, kind: kind as ListedSession["kind"], last };
}

export async function listPlatforms(db: Kysely<Database>): Promise<readonly string[]> {
  const rows = await db.selectFrom("sessions").select("platform").distinct().orderBy("platform").execute();
  return rows.map(({ platform }) => platform);
}

/** The state of a conversation: how many questions are open, or whether a turn of it is going on. */
export interface SessionWork {
  readonly open: number;
  /** The call that the newest of the open questions asks for: a tool, and its key argument. */
  readonly asked: { readonly tool: string; readonly summary: string } | undefined;
  readonly isWorking: boolean;
}

/** The conversations in which something waits or goes on; there are never many. */
export async function listWorkingSessions(
  db: Kysely<Database>,
  session?: string,
): Promise<ReadonlyMap<string, SessionWork>> {
  const [open, turns] = await Promise.all([
    db
      .selectFrom("questions")
      .innerJoin("question_calls", "question_calls.question", "questions.id")
      .select(["questions.id", "questions.session", "question_calls.tool", "question_calls.summary"])
      .where("questions.state", "=", "open")
      .$if(session !== undefined, (query) => query.where("questions.session", "=", session ?? ""))
      .orderBy("questions.created_at", "desc")
      .orderBy("question_calls.position")
      .execute(),
    db
      .selectFrom("turns")
      .select("session")
      .distinct()
      .where("state", "in", ["running", "parked"])
      .$if(session !== undefined, (query) => query.where("session", "=", session ?? ""))
      .execute(),
  ]);
  const working = new Set(turns.map((turn) => turn.session));
  const asked = Map.groupBy(open, (row) => row.session);
  return new Map(
    [...new Set([...asked.keys(), ...working])].map((id) => {
      const calls = asked.get(id) ?? [];
      const [first] = calls;
      return [
        id,
        {
          open: new Set(calls.map((call) => call.id)).size,
          asked: first && { tool: first.tool, summary: first.summary },
          isWorking: working.has(id),
        },
      ];
    }),
  );
}
