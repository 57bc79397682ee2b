import { sql, type Generated, type Kysely } from "kysely";
import type { Engine } from "../migrations/engine.ts";
import type { Database } from "../schema/database.ts";
import { isPostgres } from "../statements/is-postgres.ts";
import { chat } from "./person-table.ts";
import type { Tables } from "./tables.ts";

declare module "../schema/database.ts" {
  interface Database {
    changes: ChangeTable;
  }
}

/** A page that was away for more than this reads everything anew. */
const keptChanges = 20_000;

export const changeTables: Tables = {
  migrations: { "0003-changes": createChangeTable },
  people: {
    // The row stays, so that whoever follows learns that something went.
    changes: {
      found: [chat()],
      erased: { how: "emptied", kind: "traces", set: { id: null, session: null } },
      exported: false,
    },
  },
  prune: (db) => pruneChanges(db, keptChanges),
};

/**
 * That a row of a table that says so (`followed` in tables.ts) was added, changed or deleted, in the order of commits.
 * Triggers write it: change-triggers.ts. On Postgres a row has the number of its transaction, too: queries/changes.ts.
 */
interface ChangeTable {
  seq: Generated<number>;
  topic: string;
  /** The row's key, where it has one that is no account of a person. */
  id: string | null;
  session: string | null;
}

/** On SQLite the newest row is never deleted, so that no number comes twice. */
function createChangeTable({ name, text }: Engine): readonly string[] {
  const isSqlite = name === "sqlite";
  return [
    `create table changes (
      seq ${isSqlite ? "integer primary key" : "bigserial not null"},
      topic ${text} not null,
      id ${text},
      session ${text}${isSqlite ? "" : ", tx xid8 not null default pg_current_xact_id(), primary key (tx, seq)"}
    )`,
  ];
}

/** Keeps the newest. Of a database that came from another server, transactions that are yet to come here are not new. */
export async function pruneChanges(db: Kysely<Database>, kept: number): Promise<void> {
  if (!isPostgres(db)) {
    await sql`delete from changes where seq <= (select max(seq) from changes) - ${kept}`.execute(db);
    return;
  }
  await sql`delete from changes where tx >= pg_snapshot_xmax(pg_current_snapshot())`.execute(db);
  await sql`delete from changes where (tx, seq) <=
    (select tx, seq from changes order by changes.tx desc, seq desc offset ${kept} limit 1)`.execute(db);
}
