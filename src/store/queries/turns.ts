import { sql, type Kysely, type Selectable, type Updateable } from "kysely";
import { AppError } from "../../core/errors.ts";
import { compileOnce } from "../statements/compile-once.ts";
import type { Database } from "../schema/database.ts";

export type TurnState = "running" | "parked" | "ended";
export type TurnOutcome = "replied" | "failed" | "stopped" | "expired" | "cancelled";

/** The turn that an inbox row begins. */
export const nameTurn = (seq: number): string => `turn_${seq.toString(36).padStart(8, "0")}`;

export interface TurnRow {
  readonly id: string;
  readonly kind: "chat" | "task";
  readonly parent: string | null;
  readonly parentCall: string | null;
  readonly background: boolean;
  /**
   * `tasks:<round>` while it is parked for its tasks; `model:<views>` from when no model answered, until it is parked
   * otherwise: views = how many messages that showed it were taken out of the chat by that.
   */
  readonly waiting: string | null;
  /** The inbox row whose sender waits for the result. */
  readonly cause: string;
  /** JSON; kernel/agent/task-result.ts has its shape. */
  readonly result: string | null;
  readonly session: string;
  readonly inbox: string;
  readonly state: TurnState;
  readonly outcome: TurnOutcome | null;
  /** JSON; kernel/agent/types.ts has its shape. */
  readonly input: string;
  readonly policy: string;
  readonly token: number;
  readonly createdAt: number;
  /** The last change of its state: of one that has ended, its end. */
  readonly updatedAt: number;
}

/** The right to write for a turn. A later claim makes every older lease worthless. */
export interface TurnLease {
  readonly turn: string;
  readonly token: number;
}

export function toTurn(row: Selectable<Database["turns"]>): TurnRow {
  return {
    id: row.id,
    kind: row.kind as TurnRow["kind"],
    parent: row.parent,
    parentCall: row.parent_call,
    background: row.background === 1,
    waiting: row.waiting,
    cause: row.cause ?? row.inbox,
    result: row.result,
    session: row.session,
    inbox: row.inbox,
    state: row.state as TurnState,
    outcome: row.outcome as TurnOutcome | null,
    input: row.input,
    policy: row.policy,
    token: row.token,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export interface NewTurn {
  readonly id: string;
  readonly session: string;
  readonly inbox: string;
  /** The inbox row whose sender waits for its reply, when that is another one. */
  readonly cause?: string;
  readonly input: string;
  readonly policy: string;
  readonly owner: string;
  readonly now: number;
}

type TurnColumns = Required<Pick<NewTurn, keyof NewTurn>>;

const insertChat = compileOnce((db, turn: TurnColumns) =>
  db.insertInto("turns").values({
    id: turn.id,
    kind: "chat",
    parent: null,
    parent_call: null,
    background: 0,
    waiting: null,
    cause: turn.cause,
    result: null,
    session: turn.session,
    inbox: turn.inbox,
    state: "running",
    outcome: null,
    input: turn.input,
    policy: turn.policy,
    owner: turn.owner,
    lease_until: 0,
    token: 1,
    created_at: turn.now,
    updated_at: turn.now,
  }),
);

/** Inserts the turn as running and held by `owner` with token 1. */
export async function insertTurn(db: Kysely<Database>, turn: NewTurn): Promise<TurnLease> {
  const { id, session, inbox, cause = turn.inbox, input, policy, owner, now } = turn;
  await insertChat(db, { id, session, inbox, cause, input, policy, owner, now });
  return { turn: turn.id, token: 1 };
}

export async function findTurn(db: Kysely<Database>, id: string): Promise<TurnRow | undefined> {
  const row = await db.selectFrom("turns").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toTurn(row);
}

const selectByInbox = compileOnce((db, { inbox }: { readonly inbox: string }) =>
  db.selectFrom("turns").selectAll().where("inbox", "=", inbox),
);

export async function findTurnByInbox(db: Kysely<Database>, inbox: string): Promise<TurnRow | undefined> {
  const [row] = await selectByInbox(db, { inbox });
  return row && toTurn(row);
}

/**
 * Takes the turn over: a new token, and the turn runs again. `cause` = the inbox row whose sender waits for it from now
 * on, when that is another one. Undefined when it has ended, or never existed.
 */
export async function claimTurn(
  db: Kysely<Database>,
  id: string,
  owner: string,
  now: number,
  cause?: string,
): Promise<{ readonly lease: TurnLease; readonly turn: TurnRow } | undefined> {
  const row = await db
    .updateTable("turns")
    .set((expression) => ({
      state: "running",
      // The name of the message that shows it depends on this.
      waiting: sql<string | null>`case when waiting like 'model:%' then waiting end`,
      ...(cause !== undefined && { cause }),
      owner,
      token: expression("token", "+", 1),
      updated_at: now,
    }))
    .where("id", "=", id)
    .where("state", "!=", "ended")
    .returningAll()
    .executeTakeFirst();
  return row && { lease: { turn: id, token: row.token }, turn: toTurn(row) };
}

/**
 * Refuses to go on when another process holds the turn. First statement of every transaction that writes for a turn: it
 * writes too, so that a process that wants to take the turn over waits until the transaction has ended.
 */
export async function assertLease(db: Kysely<Database>, lease: TurnLease): Promise<void> {
  refuseLost(lease, await takeRow(db, { turn: lease.turn, token: lease.token }));
}

const takeRow = compileOnce((db, { turn, token }: { readonly turn: string; readonly token: number }) =>
  updateHeld(db, { turn, token }, { token }),
);

/** Writes to the turn's row if the lease is still good. */
function updateHeld(db: Kysely<Database>, { turn, token }: TurnLease, columns: Updateable<Database["turns"]>) {
  return db
    .updateTable("turns")
    .set(columns)
    .where("id", "=", turn)
    .where("token", "=", token)
    .where("state", "!=", "ended")
    .returning("id");
}

function refuseLost(lease: TurnLease, written: readonly unknown[]): void {
  if (written.length === 0) {
    throw new AppError(
      "TURN_LOST",
      `Turn ${lease.turn} was taken over or ended; token ${lease.token} may not write any more.`,
    );
  }
}

/** Parks a held turn. `waiting` = for what, when it is no question. */
export async function parkTurn(
  db: Kysely<Database>,
  lease: TurnLease,
  now: number,
  waiting: string | null = null,
): Promise<void> {
  refuseLost(lease, await updateHeld(db, lease, { state: "parked", waiting, updated_at: now }).execute());
}

/** Ends a held turn. */
export async function endTurn(
  db: Kysely<Database>,
  lease: TurnLease,
  outcome: TurnOutcome,
  now: number,
): Promise<void> {
  refuseLost(lease, await endRow(db, { turn: lease.turn, token: lease.token, outcome, now }));
}

type EndColumns = { readonly turn: string; readonly token: number; readonly outcome: string; readonly now: number };
const endRow = compileOnce((db, { turn, token, outcome, now }: EndColumns) =>
  updateHeld(db, { turn, token }, { state: "ended", outcome, updated_at: now }),
);

/** Ends a turn from outside (expiry, /stop, policy): its worker loses the right to write. False when it had ended. */
export async function revokeTurn(
  db: Kysely<Database>,
  id: string,
  outcome: TurnOutcome,
  now: number,
): Promise<boolean> {
  const row = await db
    .updateTable("turns")
    .set((expression) => ({ state: "ended", outcome, token: expression("token", "+", 1), updated_at: now }))
    .where("id", "=", id)
    .where("state", "!=", "ended")
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function listTurns(
  db: Kysely<Database>,
  states: readonly TurnState[],
  session?: string,
): Promise<TurnRow[]> {
  let query = db.selectFrom("turns").selectAll().where("state", "in", states);
  if (session !== undefined) query = query.where("session", "=", session);
  return (await query.orderBy("created_at").orderBy("id").execute()).map(toTurn);
}

/**
 * Ends turns that the process before this one left running in sessions with this prefix. No client waits for them any
 * more.
 */
export async function endServedTurns(db: Kysely<Database>, sessions: string, now: number): Promise<void> {
  await db
    .updateTable("turns")
    .set((expression) => ({
      state: "ended",
      outcome: "failed",
      token: expression("token", "+", 1),
      updated_at: now,
    }))
    .where("state", "=", "running")
    .where("session", "like", `${sessions}%`)
    .execute();
}

/** A turn that one of these inbox rows began, and that has not ended: their ids begin with `prefix`. */
export async function findLivingTurnOf(db: Kysely<Database>, prefix: string): Promise<TurnRow | undefined> {
  const row = await db
    .selectFrom("turns")
    .selectAll()
    .where("state", "in", ["running", "parked"])
    .where("inbox", ">=", prefix)
    .where("inbox", "<", `${prefix}~`)
    .limit(1)
    .executeTakeFirst();
  return row && toTurn(row);
}

/** When the person asked for what a turn does, for a sub-agent's turn, too; undefined when no message began it. */
export async function findAskedAt(db: Kysely<Database>, turn: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("turns")
    .leftJoin("turns as parents", "parents.id", "turns.parent")
    .innerJoin("inbox", (join) => join.on((on) => on("inbox.id", "=", on.fn.coalesce("parents.inbox", "turns.inbox"))))
    .select("inbox.created_at")
    .where("turns.id", "=", turn)
    .executeTakeFirst();
  return row?.created_at;
}
