import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Engine } from "../migrations/engine.ts";
import type { Database } from "../schema/database.ts";

/** Where the audit is. */
interface AuditStore {
  readonly engine: Engine["name"];
  readonly main: Kysely<Database>;
}

/**
 * A link with the row it covers. Numbers are as the engine writes them: a forged value may not be a number any more.
 */
export interface AuditLink {
  readonly position: string;
  readonly seq: string;
  readonly prev_hash: unknown;
  readonly hash: unknown;
  /** Whether there is a row with this seq. */
  readonly present: number;
  readonly at: string;
  readonly actor: unknown;
  readonly action: unknown;
  readonly session: unknown;
  readonly turn: unknown;
  readonly call: unknown;
  readonly detail: unknown;
}

export interface AuditHead {
  readonly position: number;
  readonly seq: number;
  readonly hash: string;
}

export async function findAuditHead(db: Kysely<Database>): Promise<AuditHead | undefined> {
  return db
    .selectFrom("audit_chain")
    .select(["position", "seq", "hash"])
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The next links in the order of the chain; the first page starts with `skip` 0. */
export async function readAuditLinks(
  { engine, main }: AuditStore,
  skip: number,
  limit: number,
): Promise<readonly AuditLink[]> {
  const written = (column: string): RawBuilder<string> =>
    engine === "sqlite" ? sql<string>`quote(${sql.ref(column)})` : sql<string>`${sql.ref(column)}::text`;
  const { rows } = await sql<AuditLink>`
    select ${written("audit_chain.position")} as position, ${written("audit_chain.seq")} as seq, prev_hash, hash,
      case when audit.seq is null then 0 else 1 end as present, ${written("audit.at")} as at, actor, action, session, turn,
      audit.${sql.ref("call")}, detail
    from (select * from audit_chain where position > ${skip} order by position limit ${limit}) as audit_chain
      left join audit on audit.seq = audit_chain.seq
    order by audit_chain.position`.execute(main);
  return rows;
}

/** The first row that is not in the chain. */
export async function findUnlinkedAudit(db: Kysely<Database>): Promise<number | undefined> {
  const found = await db
    .selectFrom("audit")
    .leftJoin("audit_chain", "audit_chain.seq", "audit.seq")
    .select("audit.seq")
    .where("audit_chain.seq", "is", null)
    .orderBy("audit.seq")
    .limit(1)
    .executeTakeFirst();
  return found?.seq;
}

/** How many links there were at least, by the mark of Postgres, which a cut tail does not take along; SQLite counts rows. */
export async function findAuditMark({ engine, main }: AuditStore): Promise<number | undefined> {
  if (engine === "sqlite") return undefined;
  const { rows } = await sql<{ mark: string }>`select last_value::text as mark from audit_high_water`.execute(main);
  return Number(rows[0]?.mark ?? 0);
}

/** Raises the mark to the newest link there is: a transaction only raises it to the one before its own. */
export async function raiseAuditMark({ engine, main }: AuditStore): Promise<void> {
  if (engine === "sqlite") return;
  await sql`select setval('audit_high_water', newest.position) from (select max(position) as position from audit_chain) as newest
    where newest.position > (select last_value from audit_high_water)`.execute(main);
}

/** The highest seq that SQLite ever gave, which a cut tail does not take along; Postgres counts rows that were taken back. */
export async function findLastAuditSeq({ engine, main }: AuditStore): Promise<number | undefined> {
  if (engine === "postgres") return undefined;
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = 'audit'`.execute(main);
  return rows[0]?.seq;
}
