import type { Kysely } from "kysely";
import type { Database } from "../schema/database.ts";
import { nameTurn } from "./turns.ts";

/** Words of a chat beside the messages of its conversation. The payloads are JSON of an event, or of a message on its way out. */
export interface BesideRow {
  readonly seq: number;
  readonly direction: "in" | "out";
  readonly turn: string | null;
  readonly isWaiting: boolean;
  readonly payload: string;
  readonly sentParts: readonly string[];
  readonly at: number;
}

const maxRows = 200;
/** Listed, so that the index by state and session is used. */
const inStates = ["received", "queued", "running", "kept", "done", "dead"];
const outStates = ["pending", "sent"];

/**
 * Messages of people that began no turn (yet), such as commands, and everything that was sent, from `since` until before
 * `until`, oldest first. Rows are kept for some weeks.
 */
export async function listBeside(
  db: Kysely<Database>,
  session: string,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<readonly BesideRow[]> {
  const [said, sent] = await Promise.all([
    db
      .selectFrom("inbox")
      .select(["seq", "id", "state", "payload", "created_at"])
      .where("state", "in", inStates)
      .where("session", "=", session)
      .where("kind", "=", "message")
      .where("created_at", ">=", since)
      .where("created_at", "<", until)
      .orderBy("seq", "desc")
      .limit(maxRows)
      .execute(),
    db
      .selectFrom("outbox")
      .select(["seq", "turn", "state", "payload", "sent_parts", "created_at"])
      .where("state", "in", outStates)
      .where("session", "=", session)
      .where("created_at", ">=", since)
      .where("created_at", "<", until)
      .orderBy("seq", "desc")
      .limit(maxRows)
      .execute(),
  ]);
  const recorded = await listRecorded(db, said);
  const rows: readonly BesideRow[] = [
    ...said
      .filter(({ id }) => !recorded.has(id))
      .map(({ created_at: at, payload, seq, state }) => ({
        seq,
        direction: "in" as const,
        turn: null,
        isWaiting: state !== "done" && state !== "dead",
        payload,
        sentParts: [],
        at,
      })),
    ...sent.map(({ created_at: at, payload, sent_parts: parts, seq, state, turn }) => ({
      seq,
      direction: "out" as const,
      turn,
      isWaiting: state === "pending",
      payload,
      sentParts: JSON.parse(parts) as string[],
      at,
    })),
  ];
  return rows.toSorted(
    (one, other) =>
      one.at - other.at || (one.direction === other.direction ? one.seq - other.seq : one.direction === "in" ? -1 : 1),
  );
}

/** Those that a turn began with or took in: they stand among the messages. */
async function listRecorded(
  db: Kysely<Database>,
  rows: readonly { readonly seq: number; readonly id: string }[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const [turns, steered] = await Promise.all([
    db
      .selectFrom("turns")
      .select("inbox")
      .where(
        "id",
        "in",
        rows.map(({ seq }) => nameTurn(seq)),
      )
      .execute(),
    db
      .selectFrom("steered_messages")
      .select("inbox")
      .where(
        "inbox",
        "in",
        rows.map(({ id }) => id),
      )
      .execute(),
  ]);
  return new Set([...turns, ...steered].map(({ inbox }) => inbox));
}

/** The events that these turns began with, as JSON. */
export async function listTurnEvents(
  db: Kysely<Database>,
  turns: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (turns.length === 0) return new Map();
  const rows = await db
    .selectFrom("turns")
    .innerJoin("inbox", "inbox.id", "turns.inbox")
    .select(["turns.id", "inbox.payload"])
    .where("turns.id", "in", turns)
    .where("inbox.kind", "=", "message")
    .execute();
  return new Map(rows.map(({ id, payload }) => [id, payload]));
}
