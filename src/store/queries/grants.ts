import { sql, type Kysely, type Selectable } from "kysely";
import type { Database } from "../schema/database.ts";
import type { GrantScope } from "./questions.ts";

/** A grant: calls of one tool that fit its pattern are not asked for again, for one person in one chat. */
export interface Grant {
  readonly id: string;
  readonly code: string;
  readonly session: string;
  /** The person whose calls it covers. */
  readonly person: string;
  readonly personName: string;
  readonly tool: string;
  readonly pattern: GrantScope;
  readonly policy: string;
  readonly question: string;
  readonly givenBy: string;
  /** It ends with this turn at the latest; null when only its time counts. */
  readonly turn: string | null;
  readonly expiresAt: number;
  readonly uses: number;
  readonly createdAt: number;
}

function readGrant(row: Selectable<Database["grants"]>): Grant {
  return {
    id: row.id,
    code: row.code,
    session: row.session,
    person: row.person,
    personName: row.person_name,
    tool: row.tool,
    pattern: JSON.parse(row.pattern) as GrantScope,
    policy: row.policy,
    question: row.question,
    givenBy: row.given_by,
    turn: row.turn,
    expiresAt: row.expires_at,
    uses: row.uses,
    createdAt: row.created_at,
  };
}

/** The next free code of a session; codes of ended grants are not given again. */
export async function nextGrantCode(db: Kysely<Database>, session: string): Promise<string> {
  const rows = await db.selectFrom("grants").select("code").where("session", "=", session).execute();
  return `G${Math.max(0, ...rows.map(({ code }) => Number(code.slice(1)))) + 1}`;
}

export async function insertGrant(db: Kysely<Database>, grant: Omit<Grant, "uses">): Promise<void> {
  await db
    .insertInto("grants")
    .values({
      id: grant.id,
      code: grant.code,
      session: grant.session,
      person: grant.person,
      person_name: grant.personName,
      tool: grant.tool,
      pattern: JSON.stringify(grant.pattern),
      policy: grant.policy,
      question: grant.question,
      given_by: grant.givenBy,
      turn: grant.turn,
      expires_at: grant.expiresAt,
      uses: 0,
      state: "live",
      created_at: grant.createdAt,
      closed_at: null,
    })
    .execute();
}

/** Grants that hold at a moment, under the rules of that moment. A clock that went back to before a grant ends it, too. */
function live(db: Kysely<Database>, at: { readonly now: number; readonly policy: string }) {
  return db
    .selectFrom("grants")
    .selectAll()
    .where("state", "=", "live")
    .where("created_at", "<=", at.now)
    .where("expires_at", ">", at.now)
    .where("policy", "=", at.policy)
    .where((expression) =>
      expression.or([
        expression("turn", "is", null),
        expression("turn", "in", expression.selectFrom("turns").select("id").where("state", "!=", "ended")),
      ]),
    );
}

/** Those of one session, or of all. */
export async function listLiveGrants(
  db: Kysely<Database>,
  of: { readonly session?: string; readonly now: number; readonly policy: string },
): Promise<Grant[]> {
  let query = live(db, of);
  if (of.session !== undefined) query = query.where("session", "=", of.session);
  return (await query.orderBy("created_at").orderBy("code").execute()).map(readGrant);
}

/**
 * The grants that hold for the calls of a turn: its person's, in its chat; what was given for a task holds in that task
 * only.
 */
export async function listGrantsFor(
  db: Kysely<Database>,
  of: {
    readonly session: string;
    readonly person: string;
    readonly turn: string;
    readonly policy: string;
    readonly now: number;
  },
): Promise<Grant[]> {
  const rows = await live(db, of).where("session", "=", of.session).where("person", "=", of.person).execute();
  if (rows.every(({ turn }) => turn === null)) return rows.map(readGrant);
  const root = await findRootTurn(db, of.turn);
  return rows.filter(({ turn }) => turn === null || turn === root).map(readGrant);
}

/** Counts one use of a grant that holds now. False when it was revoked or has ended. */
export async function countGrantUse(
  db: Kysely<Database>,
  use: { readonly id: string; readonly now: number; readonly policy: string },
): Promise<boolean> {
  const row = await db
    .updateTable("grants")
    .set((expression) => ({ uses: expression("uses", "+", 1) }))
    .where("id", "=", use.id)
    .where("state", "=", "live")
    .where("id", "in", live(db, use).clearSelect().select("id"))
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends one. False when it was over already. */
export async function closeGrant(
  db: Kysely<Database>,
  id: string,
  state: "revoked" | "expired",
  now: number,
): Promise<boolean> {
  const row = await db
    .updateTable("grants")
    .set({ state, closed_at: now })
    .where("id", "=", id)
    .where("state", "=", "live")
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Those of a session that are marked live, under whichever rules. */
export async function listOpenGrants(db: Kysely<Database>, session: string): Promise<Grant[]> {
  const open = db.selectFrom("grants").selectAll().where("session", "=", session).where("state", "=", "live");
  return (await open.orderBy("created_at").orderBy("code").execute()).map(readGrant);
}

/** The grants that are marked live and do not hold any more. */
export async function listSpentGrants(
  db: Kysely<Database>,
  at: { readonly now: number; readonly policy: string },
): Promise<Grant[]> {
  const rows = await db
    .selectFrom("grants")
    .selectAll()
    .where("state", "=", "live")
    .where("id", "not in", live(db, at).clearSelect().select("id"))
    .execute();
  return rows.map(readGrant);
}

/** The turn that a sub-agent's turn works for in the end; for any other turn, the turn itself. */
export async function findRootTurn(db: Kysely<Database>, turn: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with recursive line(id, parent) as (
      select id, parent from turns where id = ${turn}
      union all
      select turns.id, turns.parent from turns join line on turns.id = line.parent
    )
    select id from line where parent is null
  `.execute(db);
  return rows[0]?.id ?? turn;
}
