import { sql, type Kysely } from "kysely";
import type { ConversationMessage } from "../../core/conversation.ts";
import { AppError } from "../../core/errors.ts";
import type { Database } from "../../store/schema/database.ts";
import { selectMessages, withLine } from "../../store/queries/current-line.ts";
import { findWholeSession, lockSession, type WholeSession } from "../../store/queries/sessions.ts";

/** A place in a conversation that people can go back to: behind the replies to this message of a person. */
export interface Point {
  readonly number: number;
  readonly position: number;
  readonly text: string;
  readonly senderId: string;
  readonly senderName: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The existing points from `first` to `last` on the current line. */
export async function listPoints(
  db: Kysely<Database>,
  session: WholeSession,
  first: number,
  last: number,
): Promise<readonly Point[]> {
  const { start_position: from, last_position: upTo } = session;
  const rows = await withLine(db, session.id, { from, upTo })
    .selectFrom("line")
    .crossJoin("messages")
    .where("messages.session", "=", session.id)
    .whereRef("messages.branch", "=", "line.branch")
    .select([
      "line.fork",
      "line.high",
      "messages.position",
      "messages.point",
      "messages.content",
      "messages.created_at",
    ])
    .where("messages.point", ">=", first)
    .where("messages.point", "<=", last)
    .execute();
  return (
    rows
      // Here and not in the query, so that both engines look the points up by their numbers.
      .filter(({ position, fork, high }) => position > Math.max(fork, from) && position <= high)
      .map((row) => ({
        number: row.point ?? 0,
        position: row.position,
        ...readWords(row.content),
        at: row.created_at,
      }))
      .toSorted((a, b) => a.position - b.position)
  );
}

export interface Branch {
  readonly number: number;
  /** Its last point; undefined = the branch has no message yet. */
  readonly last: Pick<Point, "number" | "text" | "at"> | undefined;
}

/** Every branch of a session but the current one, newest first, with where people left it. */
export async function listOtherBranches(
  db: Kysely<Database>,
  session: WholeSession,
  max: number,
): Promise<readonly Branch[]> {
  return (await selectOthers(db, session).limit(max).execute()).map(toBranch);
}

export async function findOtherBranch(
  db: Kysely<Database>,
  session: WholeSession,
  number: number,
): Promise<Branch | undefined> {
  const row = await selectOthers(db, session).where("branches.number", "=", number).limit(1).executeTakeFirst();
  return row && toBranch(row);
}

function selectOthers(db: Kysely<Database>, session: WholeSession) {
  return db
    .selectFrom("branches")
    .leftJoin("messages", (join) =>
      join
        .onRef("messages.session", "=", "branches.session")
        .onRef("messages.branch", "=", "branches.branch")
        .on("messages.point", "=", sql<number>`branches.points - 1`)
        .onRef("messages.position", ">", "branches.start_position"),
    )
    .select(["branches.number", "messages.point", "messages.content", "messages.created_at"])
    .where("branches.session", "=", session.id)
    .where("branches.branch", "!=", session.branch)
    .orderBy("branches.number", "desc");
}

function toBranch({
  number,
  point,
  content,
  created_at: at,
}: Awaited<ReturnType<ReturnType<typeof selectOthers>["execute"]>>[number]): Branch {
  return {
    number,
    last: point === null || content === null ? undefined : { number: point, ...readWords(content), at: at ?? 0 },
  };
}

function readWords(content: string): Pick<Point, "text" | "senderId" | "senderName"> {
  const message = JSON.parse(content) as ConversationMessage;
  return message.role === "user" ? message : { text: message.text, senderId: "", senderName: "" };
}

/** The number of the current branch. The first branch has no row until the conversation leaves it. */
export async function findBranchNumber(db: Kysely<Database>, session: WholeSession): Promise<number> {
  const row = await db
    .selectFrom("branches")
    .select("number")
    .where("session", "=", session.id)
    .where("branch", "=", session.branch)
    .executeTakeFirst();
  return row?.number ?? 1;
}

/** Where each of the branches left another: the last point that both have. Undefined = it never did, or has no words of its own. */
export async function listForks(
  db: Kysely<Database>,
  session: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, { readonly line: number; readonly point: number }>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .selectFrom("branches")
    .innerJoin("branches as parents", (join) =>
      join.onRef("parents.session", "=", "branches.session").onRef("parents.branch", "=", "branches.parent"),
    )
    .select((expression) => [
      "branches.number",
      "parents.number as line",
      expression
        .selectFrom("messages")
        .select("messages.point")
        .whereRef("messages.session", "=", "branches.session")
        .whereRef("messages.branch", "=", "branches.branch")
        .where("messages.point", "is not", null)
        .orderBy("messages.point")
        .limit(1)
        .as("first"),
    ])
    .where("branches.session", "=", session)
    .where("branches.number", "in", numbers)
    .execute();
  return new Map(
    rows.flatMap(({ first, line, number }) => (first === null ? [] : [[number, { line, point: first - 1 }] as const])),
  );
}

/** The tool results after a position of the current line, newest first, as the model was given them. */
export async function listResultsAfter(
  db: Kysely<Database>,
  session: WholeSession,
  position: number,
  max: number,
): Promise<readonly Extract<ConversationMessage, { role: "tool" }>[]> {
  const rows = await selectMessages(db, session.id, { from: position, upTo: session.last_position })
    .select("messages.content")
    .where("messages.role", "=", "tool")
    .orderBy("messages.position", "desc")
    .limit(max)
    .execute();
  return rows.map((row) => JSON.parse(row.content) as Extract<ConversationMessage, { role: "tool" }>);
}

/**
 * Leaves the current branch and begins a new one after `position` of its line, with the points up to and including
 * `point`. Returns its number. Inside a transaction only.
 */
export async function forkBranch(
  db: Kysely<Database>,
  id: string,
  at: { readonly position: number; readonly point: number; readonly now: number },
): Promise<number> {
  const session = await leaveBranch(db, id, at.now);
  const segments = await withLine(db, id, { from: 0, upTo: session.last_position })
    .selectFrom("line")
    .select(["branch", "fork", "high"])
    .execute();
  const parent = segments.find(({ fork, high }) => at.position > fork && at.position <= high);
  if (!parent) throw new AppError("INTERNAL", `Session ${id} has no message ${at.position} to fork after.`);
  const head = await db
    .selectFrom("messages")
    .select("id")
    .where("session", "=", id)
    .where("branch", "=", parent.branch)
    .where("position", "=", at.position)
    .executeTakeFirstOrThrow();
  const newest = await db
    .selectFrom("branches")
    .select((expression) => expression.fn.max("number").as("number"))
    .where("session", "=", id)
    .executeTakeFirstOrThrow();
  const number = newest.number + 1;
  const counters = { head: head.id, last_position: at.position, points: at.point + 1 };
  const { start_position } = session;
  await db
    .insertInto("branches")
    .values({
      session: id,
      branch: `line-${number}`,
      number,
      parent: parent.branch,
      fork_position: at.position,
      start_position,
      ...counters,
      created_at: at.now,
    })
    .execute();
  await db
    .updateTable("sessions")
    .set({ branch: `line-${number}`, ...counters })
    .where("id", "=", id)
    .execute();
  return number;
}

/** Leaves the current branch and goes on where people left another. false = there is no such branch. Inside a transaction only. */
export async function enterBranch(db: Kysely<Database>, id: string, number: number, now: number): Promise<boolean> {
  await leaveBranch(db, id, now);
  const row = await db
    .selectFrom("branches")
    .select(["branch", "head", "start_position", "last_position", "points"])
    .where("session", "=", id)
    .where("number", "=", number)
    .executeTakeFirst();
  if (!row) return false;
  await db.updateTable("sessions").set(row).where("id", "=", id).execute();
  return true;
}

/** Saves the head of the current branch. */
async function leaveBranch(db: Kysely<Database>, id: string, now: number): Promise<WholeSession> {
  await lockSession(db, id);
  const session = await findWholeSession(db, id);
  if (!session) throw new AppError("INTERNAL", `No session ${id}`);
  const { branch, head, start_position, last_position, points } = session;
  const counters = { head, start_position, last_position, points };
  // Every branch but the first has its row from the beginning.
  await db
    .insertInto("branches")
    .values({ session: id, branch, number: 1, parent: null, fork_position: 0, ...counters, created_at: now })
    .onConflict((conflict) => conflict.columns(["session", "branch"]).doUpdateSet(counters))
    .execute();
  return session;
}
