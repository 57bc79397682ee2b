import { sql, type Kysely } from "kysely";
import type { Database } from "../schema/database.ts";

/** A process that works on the database beside others. Times are those of the database's clock, in milliseconds. */
export interface ClusterNode {
  readonly id: string;
  /** all | gateway | worker */
  readonly role: string;
  /** Host and process, for people. */
  readonly place: string;
  /** The address of its HTTP server for other processes; "" when it has none. */
  readonly address: string;
  readonly version: string;
  /** The version of the rules in its configuration. */
  readonly policy: string;
  /** Since when it has these rules. */
  readonly policySince: number;
  /** Conversations and channels that it holds. */
  readonly sessions: number;
  readonly channels: readonly string[];
  readonly startedAt: number;
  readonly seenAt: number;
}

export type NodeReport = Omit<ClusterNode, "policySince" | "startedAt" | "seenAt">;

const nowMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
/** Twice what is silent is gone; the claims it had are given to others before that. */
const livingMs = 20_000;
const forgottenMs = 24 * 3_600_000;
/** After this silence the claims of a process are given to others. */
export const silentMs = 10_000;

/** Writes what a node says of itself, and answers all that live, this one too. Only Postgres has more than one. */
export async function reportNode(db: Kysely<Database>, node: NodeReport): Promise<readonly ClusterNode[]> {
  const { id, role, place, address, version, policy, sessions } = node;
  const told = { role, place, address, version, policy, sessions, channels: node.channels.join(" "), seen_at: nowMs };
  await db
    .insertInto("nodes")
    .values({
      id,
      ...told,
      // A process that comes back with rules of before has no newer ones.
      policy_since: sql<number>`coalesce((select min(policy_since) from nodes where policy = ${policy}), ${nowMs})`,
      started_at: nowMs,
    })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({
        ...told,
        policy_since: sql<number>`case when nodes.policy = excluded.policy then nodes.policy_since else ${nowMs} end`,
      }),
    )
    .execute();
  await db
    .deleteFrom("nodes")
    .where("seen_at", "<", sql<number>`${nowMs} - ${forgottenMs}`)
    .execute();
  return listNodes(db);
}

/** The processes that reported themselves within that time, in the order of their start; by default the living ones. */
export async function listNodes(db: Kysely<Database>, withinMs = livingMs): Promise<readonly ClusterNode[]> {
  const rows = await db
    .selectFrom("nodes")
    .selectAll()
    .where("seen_at", ">=", sql<number>`${nowMs} - ${withinMs}`)
    .orderBy("started_at")
    .orderBy("id")
    .execute();
  return rows.map(({ channels, policy_since, seen_at, started_at, ...row }) => ({
    ...row,
    channels: channels.split(" ").filter((name) => name !== ""),
    policySince: policy_since,
    startedAt: started_at,
    seenAt: seen_at,
  }));
}

/**
 * Ends the transactions that frozen processes left open, and what they hold as the only process (`runAlone`): their locks
 * would hold up the process that goes on with their work. What they would still write is lost with them, as with their
 * claims. A process that is silent because it waits for such a lock itself is left alone: no transaction of it is idle.
 * Returns how many.
 */
export async function endTransactionsOfFrozen(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ ended: boolean }>`with open as (
      select id, pid, xact_start is not null as writes,
        state like 'idle%' and state_change < clock_timestamp() - interval '5 s' as is_idle
      from nodes join pg_stat_activity on application_name in ('kurisu ' || id, 'kurisu checkpoints ' || id)
      where seen_at < ${nowMs} - ${silentMs} and datname = current_database() and usename = current_user
        and (xact_start is not null or pid in (select pid from pg_locks where locktype = 'advisory')))
    select pg_terminate_backend(pid) as ended from open
    where case when writes then id in (select id from open where writes and is_idle) else is_idle end`.execute(db);
  return rows.length;
}

export async function deleteNode(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom("nodes").where("id", "=", id).execute();
}

/** The time of the database's clock, in milliseconds. Postgres only. */
export async function readDatabaseTime(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${nowMs} as now`.execute(db);
  return Number(rows[0]?.now);
}
