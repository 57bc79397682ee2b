import { sql, type Kysely, type Selectable } from "kysely";
import type { ConversationMessage, Taint } from "../../core/conversation.ts";
import { estimateMessageTokens } from "../../core/estimate-tokens.ts";
import { AppError } from "../../core/errors.ts";
import { compileOnce } from "../statements/compile-once.ts";
import { isPostgres } from "../statements/is-postgres.ts";
import type { Database } from "../schema/database.ts";
import { selectMessages } from "./current-line.ts";

export interface NewMessages {
  readonly session: string;
  readonly turn: string | null;
  /** The question this part of the conversation answers, when it comes later than it was asked. */
  readonly question?: string;
  readonly taint: Taint;
  readonly messages: readonly ConversationMessage[];
  readonly now: number;
}

/**
 * A stretch of one session's conversation: positions after `from` up to and including `upTo`. `summaries` = ids of the
 * summaries of what was before, oldest first.
 */
export interface MessageWindow {
  readonly from: number;
  readonly upTo: number;
  readonly summaries?: readonly number[];
  /** The part without a summary was long when the window was chosen. */
  readonly isLong?: boolean;
}

/** Appends to the session's branch and answers the position of the last message. Inside a transaction only. */
export async function appendMessages(db: Kysely<Database>, added: NewMessages): Promise<number> {
  return (await append(db, added, false)).position;
}

/**
 * Appends what a person said, which is a point that the conversation can be taken back to. Answers its position and where
 * the conversation it belongs to began. Inside a transaction only.
 */
export function appendPoint(
  db: Kysely<Database>,
  added: Omit<NewMessages, "messages"> & { readonly message: Extract<ConversationMessage, { role: "user" }> },
): Promise<{ readonly position: number; readonly startPosition: number }> {
  const { message, ...rest } = added;
  return append(db, { ...rest, messages: [message] }, true);
}

type MessageColumns = Omit<Selectable<Database["messages"]>, "id" | "short">;

const columns = [
  "session",
  "branch",
  "parent",
  "position",
  "point",
  "turn",
  "question",
  "role",
  "content",
  "tokens",
  "taint",
  "created_at",
] as const satisfies readonly (keyof MessageColumns)[];

type SaidColumns = Omit<MessageColumns, "branch" | "parent" | "position" | "point"> & { readonly isPoint: number };

/**
 * Behind the last message of the session's branch. It takes the session's row until the transaction ends, so another
 * writer to this session waits here and counts on from us.
 */
const insertNext = compileOnce((db, message: SaidColumns) =>
  buildInsertNext(db, message).returning(["id", "branch", "position"]),
);

/** Both in one trip to the server. */
const insertAndMoveEnd = compileOnce((db, message: SaidColumns) =>
  db
    .with("said", () => buildInsertNext(db, message).returning(["id", "position"]))
    .updateTable("sessions")
    .from("said")
    .set((of) => ({
      head: of.ref("said.id"),
      last_position: of.ref("said.position"),
      points: sql<number>`points + cast(${message.isPoint} as bigint)`,
    }))
    .where("sessions.id", "=", message.session)
    .returning(["said.position", "sessions.start_position"]),
);

function buildInsertNext(db: Kysely<Database>, message: SaidColumns) {
  return db
    .insertInto("messages")
    .columns(columns)
    .expression((of) => {
      const next = of
        .selectFrom("sessions")
        .select([
          "id as session",
          "branch",
          "head as parent",
          sql<number>`last_position + 1`.as("position"),
          sql<number | null>`case when cast(${message.isPoint} as bigint) = 1 then points end`.as("point"),
          sql<string | null>`cast(${message.turn} as text)`.as("turn"),
          sql<string | null>`cast(${message.question} as text)`.as("question"),
          sql<string>`cast(${message.role} as text)`.as("role"),
          sql<string>`cast(${message.content} as text)`.as("content"),
          sql<number | null>`cast(${message.tokens} as bigint)`.as("tokens"),
          sql<string>`cast(${message.taint} as text)`.as("taint"),
          sql<number>`cast(${message.created_at} as bigint)`.as("created_at"),
        ])
        .where("id", "=", message.session);
      return isPostgres(db) ? next.forUpdate() : next;
    });
}

const insertMessage = compileOnce((db, message: MessageColumns) =>
  db
    .insertInto("messages")
    .values({
      session: message.session,
      branch: message.branch,
      parent: message.parent,
      position: message.position,
      point: message.point,
      turn: message.turn,
      question: message.question,
      role: message.role,
      content: message.content,
      tokens: message.tokens,
      taint: message.taint,
      created_at: message.created_at,
    })
    .returning("id"),
);

type SessionEnd = {
  readonly session: string;
  readonly head: number;
  readonly position: number;
  readonly points: number;
};

const moveEnd = compileOnce((db, { session, head, position, points }: SessionEnd) =>
  db
    .updateTable("sessions")
    .set((expression) => ({ head, last_position: position, points: expression("points", "+", points) }))
    .where("id", "=", session)
    .returning("start_position"),
);

async function append(
  db: Kysely<Database>,
  { messages, ...added }: NewMessages,
  isPoint: boolean,
): Promise<{ readonly position: number; readonly startPosition: number }> {
  const points = isPoint ? 1 : 0;
  const [first, ...others] = messages.map((message) => ({
    session: added.session,
    turn: added.turn,
    question: added.question ?? null,
    role: message.role,
    content: JSON.stringify(message),
    tokens: estimateMessageTokens(message),
    taint: added.taint,
    created_at: added.now,
    isPoint: points,
  }));
  if (!first) throw new AppError("INTERNAL", `No message for session ${added.session}`);
  if (isPostgres(db)) {
    let [end] = await insertAndMoveEnd(db, first);
    for (const message of others) [end] = await insertAndMoveEnd(db, message);
    if (!end) throw new AppError("INTERNAL", `No session ${added.session}`);
    return { position: end.position, startPosition: end.start_position };
  }
  const [next] = await insertNext(db, first);
  if (!next) throw new AppError("INTERNAL", `No session ${added.session}`);
  let { id: head, position } = next;
  for (const message of others) {
    position += 1;
    const row = { ...message, branch: next.branch, parent: head, position, point: null };
    const [inserted] = await insertMessage(db, row);
    head = inserted?.id ?? head;
  }
  const [end] = await moveEnd(db, { session: added.session, head, position, points });
  return { position, startPosition: end?.start_position ?? 0 };
}

/** A message of a stretch, without its words. */
export interface MeasuredMessage {
  readonly position: number;
  readonly role: ConversationMessage["role"];
  /** Its estimated tokens in a prompt. */
  readonly tokens: number;
}

const selectMeasures = compileOnce(
  (db, { session, from, upTo }: { readonly session: string; readonly from: number; readonly upTo: number }) =>
    selectMessages(db, session, { from, upTo })
      .select([
        "messages.position",
        "messages.role",
        "messages.tokens",
        sql<number>`case when messages.tokens is null then length(messages.content) else 0 end`.as("length"),
      ])
      .orderBy("messages.position", "desc"),
);

/** At most the `most` newest messages of a stretch of the current line, newest first: the cost does not grow with its length. */
export async function measureMessages(
  db: Kysely<Database>,
  session: string,
  { from, upTo }: Pick<MessageWindow, "from" | "upTo">,
  most: number,
): Promise<readonly MeasuredMessage[]> {
  const rows = await selectMeasures(db, { session, from: Math.max(from, upTo - most), upTo });
  return rows.map(({ length, position, role, tokens }) => ({
    position,
    role: role as ConversationMessage["role"],
    tokens: tokens ?? Math.ceil(length / 2),
  }));
}

/** Old results are read in their short form. */
const selectPromptWindow = compileOnce(
  (db, { session, from, upTo }: { readonly session: string; readonly from: number; readonly upTo: number }) =>
    selectMessages(db, session, { from, upTo })
      .select([
        sql<string>`coalesce(messages.short, messages.content)`.as("content"),
        "messages.taint",
        "messages.turn",
      ])
      .orderBy("messages.position"),
);

const selectWindow = compileOnce(
  (db, { session, from, upTo }: { readonly session: string; readonly from: number; readonly upTo: number }) =>
    selectMessages(db, session, { from, upTo })
      .select(["messages.content", "messages.taint", "messages.turn"])
      .orderBy("messages.position"),
);

/**
 * The messages of a window of the current line, oldest first, beginning with a person's message (a tool result without its
 * call is no use). What came before a fork is read from the branch it was said on.
 */
export async function readWindow(
  db: Kysely<Database>,
  session: string,
  { from, upTo }: MessageWindow,
): Promise<StoredMessage[]> {
  return toMessages(await selectWindow(db, { session, from, upTo }));
}

type StoredMessage = ConversationMessage & { readonly taint: Taint; readonly turn: string | null };

/** The same for a prompt: old results are short. */
export async function readPromptWindow(
  db: Kysely<Database>,
  session: string,
  { from, upTo }: MessageWindow,
): Promise<StoredMessage[]> {
  return toMessages(await selectPromptWindow(db, { session, from, upTo }));
}

function toMessages(
  rows: readonly { readonly content: string; readonly taint: string; readonly turn: string | null }[],
): StoredMessage[] {
  const messages = placeLaterWords(
    rows.map((row) => ({
      ...(JSON.parse(row.content) as ConversationMessage),
      taint: row.taint as Taint,
      turn: row.turn,
    })),
  );
  const first = messages.findIndex((message) => message.role === "user" || message.role === "note");
  return first < 0 ? [] : messages.slice(first);
}

/**
 * Messages that a turn took in are stored when they arrive, and its calls when it ends. Both are put in the order in
 * which the model received them: the words before the first answer that was given to them. Without such an answer in
 * the window they keep their place.
 */
function placeLaterWords(rows: StoredMessage[]): StoredMessage[] {
  const before = new Map<StoredMessage, StoredMessage[]>();
  const moved = new Set<StoredMessage>();
  for (const [place, words] of rows.entries()) {
    if (words.role !== "user" || words.afterRound === undefined || words.turn === null) continue;
    const { afterRound, turn } = words;
    const answer = rows.find((row, at) => at > place && row.turn === turn && isAnswerAfter(row, afterRound));
    if (answer === undefined) continue;
    before.set(answer, [...(before.get(answer) ?? []), words]);
    moved.add(words);
  }
  return moved.size === 0 ? rows : rows.flatMap((row) => (moved.has(row) ? [] : [...(before.get(row) ?? []), row]));
}

/** Ids of calls begin with the number of their round. An answer without calls is the last of its turn. */
function isAnswerAfter(row: StoredMessage, round: number): boolean {
  if (row.role !== "assistant") return false;
  const [call] = row.calls;
  return call === undefined || Number.parseInt(call.id, 10) > round;
}

/** The labels of what she said in a turn. */
export async function listTurnLabels(db: Kysely<Database>, session: string, turn: string): Promise<readonly Taint[]> {
  const rows = await db
    .selectFrom("messages")
    .select("taint")
    .distinct()
    .where("session", "=", session)
    .where("turn", "=", turn)
    .where("role", "=", "assistant")
    .execute();
  return rows.map(({ taint }) => taint as Taint);
}

/** The sources that a turn had read when it asked, from the record in the conversation. */
export async function findQuestionSources(db: Kysely<Database>, id: string): Promise<readonly string[]> {
  const row = await db
    .selectFrom("messages")
    .select("content")
    .where("question", "=", id)
    .orderBy("position")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return [];
  const message = JSON.parse(row.content) as ConversationMessage;
  return ("sources" in message ? message.sources : undefined) ?? [];
}
