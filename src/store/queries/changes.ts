import { sql, type Kysely } from "kysely";
import type { Database } from "../schema/database.ts";
import { isPostgres } from "../statements/is-postgres.ts";

/** That rows of a topic may be others than before. */
interface Change {
  readonly topic: string;
  readonly id: string | null;
  readonly session: string | null;
}

/**
 * A place in the order of changes. On Postgres numbers are not committed in their order, and a row that is committed
 * later may have the smaller one. So the order there is that of transactions first, and what is read ends before the
 * oldest one that is open: nothing can come to stand between rows that were read. On SQLite `tx` is 0.
 */
export interface ChangePlace {
  readonly tx: string;
  readonly seq: number;
}

export type PlacedChange = Change & { readonly place: ChangePlace };

/**
 * The oldest open transaction of this database, or the next there will be. Not `pg_snapshot_xmin`, which waits for those
 * of the server's other databases, too. Whoever is not listed any more was committed before it is asked what there is.
 */
async function findOpenTransaction(db: Kysely<Database>): Promise<string> {
  const age = sql`((following - backend_xid::text::bigint) & 4294967295)`;
  const { rows } = await sql<{ open: string }>`
    with now as (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as following)
    select (following - coalesce(max(${age}) filter (where ${age} < 2147483648), 0))::text as open
    from now left join pg_stat_activity on datname = current_database() and backend_xid is not null
    group by following`.execute(db);
  return rows[0]?.open ?? "0";
}

/** Says that what is kept elsewhere about a row is other than before, as the triggers say it of the row itself. */
export async function noteChange(db: Kysely<Database>, change: Change): Promise<void> {
  await db.insertInto("changes").values(change).execute();
}

/** The changes behind a place, at most so many. */
export async function readChanges(
  db: Kysely<Database>,
  after: ChangePlace,
  most: number,
): Promise<readonly PlacedChange[]> {
  if (!isPostgres(db)) {
    const rows = await db
      .selectFrom("changes")
      .selectAll()
      .where("seq", ">", after.seq)
      .orderBy("seq")
      .limit(most)
      .execute();
    return rows.map(({ id, seq, session, topic }) => ({ topic, id, session, place: { tx: "0", seq } }));
  }
  const open = await findOpenTransaction(db);
  const { rows } = await sql<Change & ChangePlace>`select tx::text as tx, seq, topic, id, session from changes
    where (tx, seq) > (${after.tx}::xid8, ${after.seq}::bigint) and tx < ${open}::xid8 order by changes.tx, seq limit ${most}`.execute(
    db,
  );
  return rows.map(({ id, seq, session, topic, tx }) => ({ topic, id, session, place: { tx, seq } }));
}

/** Where whoever begins to follow now begins. */
export async function findNewestPlace(db: Kysely<Database>): Promise<ChangePlace> {
  const { rows } = isPostgres(db)
    ? await sql<ChangePlace>`select tx::text as tx, seq from changes where tx < ${await findOpenTransaction(db)}::xid8
        order by changes.tx desc, seq desc limit 1`.execute(db)
    : await sql<ChangePlace>`select '0' as tx, seq from changes order by seq desc limit 1`.execute(db);
  return rows[0] ?? { tx: "0", seq: 0 };
}

/** Whether everything that follows this place is still there. */
export async function isKeptPlace(db: Kysely<Database>, { seq, tx }: ChangePlace): Promise<boolean> {
  const { rows } = isPostgres(db)
    ? await sql`select 1 from changes where tx = ${tx}::xid8 and seq = ${seq}`.execute(db)
    : await sql`select 1 from changes where seq = ${seq}`.execute(db);
  return rows.length > 0;
}
