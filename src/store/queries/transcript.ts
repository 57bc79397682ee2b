import type { Kysely } from "kysely";
import type { ConversationMessage, Taint } from "../../core/conversation.ts";
import type { Database } from "../schema/database.ts";
import { selectMessages } from "./current-line.ts";
import type { WholeSession } from "./sessions.ts";

/** A message of a stretch with its place. */
export interface PlacedMessage {
  readonly id: number;
  readonly position: number;
  readonly turn: string | null;
  readonly taint: Taint;
  readonly at: number;
  readonly tokens: number;
  readonly message: ConversationMessage;
}

/** The messages of a stretch of the current line, whole, oldest first. */
export async function readStretch(
  db: Kysely<Database>,
  session: string,
  stretch: { readonly from: number; readonly upTo: number },
): Promise<readonly PlacedMessage[]> {
  const rows = await selectMessages(db, session, stretch)
    .select([
      "messages.id",
      "messages.position",
      "messages.turn",
      "messages.taint",
      "messages.content",
      "messages.tokens",
      "messages.created_at",
    ])
    .orderBy("messages.position")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    position: row.position,
    turn: row.turn,
    taint: row.taint as Taint,
    at: row.created_at,
    tokens: row.tokens ?? Math.ceil(row.content.length / 2),
    message: JSON.parse(row.content) as ConversationMessage,
  }));
}

/** The position of the last message that was stored by then; 0 when there is none. Looks at about 20 rows. */
export async function findPositionAt(
  db: Kysely<Database>,
  { id, last_position: last }: Pick<WholeSession, "id" | "last_position">,
  time: number,
): Promise<number> {
  let [low, high] = [0, last];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const row = await selectMessages(db, id, { from: middle - 1, upTo: middle })
      .select("messages.created_at")
      .executeTakeFirst();
    if ((row?.created_at ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The answers of the gate and of people to a call, and its times. */
export interface CallRecord {
  readonly turn: string;
  readonly call: string;
  readonly verdict: "allow" | "ask" | "deny" | undefined;
  /** The answer to its question; undefined when there was none. */
  readonly answer: "asked" | "approved" | "rejected" | undefined;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
}

/** The records of the calls of these turns. They are kept for some weeks. */
export async function listCallRecords(db: Kysely<Database>, turns: readonly string[]): Promise<readonly CallRecord[]> {
  if (turns.length === 0) return [];
  const [decisions, ledger, asked] = await Promise.all([
    db.selectFrom("decisions").select(["turn", "call", "verdict"]).where("turn", "in", turns).execute(),
    db
      .selectFrom("tool_ledger")
      .select(["turn", "call", "started_at", "finished_at"])
      .where("turn", "in", turns)
      .execute(),
    db
      .selectFrom("questions")
      .innerJoin("question_calls", "question_calls.question", "questions.id")
      .select(["questions.turn", "question_calls.call", "question_calls.state"])
      .where("questions.turn", "in", turns)
      .execute(),
  ]);
  const name = ({ call, turn }: { readonly turn: string; readonly call: string }) => `${turn} ${call}`;
  const ran = new Map(ledger.map((row) => [name(row), row]));
  const verdicts = new Map(decisions.map((row) => [name(row), row.verdict]));
  const answers = new Map(asked.map((row) => [name(row), row.state === "consumed" ? "approved" : row.state]));
  const calls = new Map([...decisions, ...ledger, ...asked].map((row) => [name(row), row]));
  return [...calls].map(([key, { call, turn }]) => ({
    turn,
    call,
    verdict: verdicts.get(key) as CallRecord["verdict"],
    answer: answers.get(key) as CallRecord["answer"],
    startedAt: ran.get(key)?.started_at,
    finishedAt: ran.get(key)?.finished_at ?? undefined,
  }));
}

/** The branch of the current line among all of its conversation, and the grants that hold there. */
export async function countOfSession(
  db: Kysely<Database>,
  { branch, id }: Pick<WholeSession, "branch" | "id">,
  now: number,
): Promise<{ readonly branch: number; readonly branches: number; readonly grants: number }> {
  const [branches, grants] = await Promise.all([
    db.selectFrom("branches").select(["branch", "number"]).where("session", "=", id).execute(),
    db
      .selectFrom("grants")
      .select((of) => of.fn.countAll<number | string>().as("count"))
      .where("state", "=", "live")
      .where("session", "=", id)
      .where("expires_at", ">", now)
      .executeTakeFirst(),
  ]);
  return {
    branch: branches.find((one) => one.branch === branch)?.number ?? 1,
    branches: Math.max(1, branches.length),
    grants: Number(grants?.count ?? 0),
  };
}

/** Messages of a turn that are looked at: it stands in one place, with what others said meanwhile between. */
const maxOfTurn = 400;

/** The labels and the sources of what a turn read and wrote, after the position where it began. */
export async function readLabelsOfTurn(
  db: Kysely<Database>,
  { position, session, turn }: { readonly position: number; readonly session: string; readonly turn: string },
): Promise<readonly { readonly taint: Taint; readonly sources: readonly string[] }[]> {
  const rows = await selectMessages(db, session, { from: position - 1, upTo: position + maxOfTurn })
    .select(["messages.taint", "messages.content"])
    .where("messages.turn", "=", turn)
    .orderBy("messages.position")
    .execute();
  return rows.map(({ content, taint }) => {
    const { sources = [] } = JSON.parse(content) as { readonly sources?: readonly string[] };
    return { taint: taint as Taint, sources };
  });
}

/** Messages that are looked through for the last one of a turn. */
const recent = 50;

/** The turn that began last among those that live and the one that spoke last. */
export async function findNewestTurn(
  db: Kysely<Database>,
  { id, last_position: last }: Pick<WholeSession, "id" | "last_position">,
): Promise<string | undefined> {
  const [living, spoken] = await Promise.all([
    db
      .selectFrom("turns")
      .select(["id", "created_at"])
      .where("state", "in", ["running", "parked"])
      .where("session", "=", id)
      .where("kind", "=", "chat")
      .orderBy("created_at", "desc")
      .limit(1)
      .executeTakeFirst(),
    selectMessages(db, id, { from: Math.max(0, last - recent), upTo: last })
      .innerJoin("turns", "turns.id", "messages.turn")
      .select(["turns.id", "turns.created_at"])
      .where("turns.kind", "=", "chat")
      .orderBy("messages.position", "desc")
      .limit(1)
      .executeTakeFirst(),
  ]);
  const newest = living && living.created_at >= (spoken?.created_at ?? 0) ? living : spoken;
  return newest?.id;
}
