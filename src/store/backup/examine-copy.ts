import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describeError } from "../../core/errors.ts";
import type { AuditHead } from "../queries/audit-chain.ts";
import { databaseFiles } from "./copy-sqlite.ts";

/** The contents of a database that a manifest names, so that a restored one can be compared. */
export interface DatabaseFacts {
  /** The migrations that made the tables, by ledger. */
  readonly steps: Readonly<Record<string, readonly string[]>>;
  /** Rows by table. */
  readonly tables: Readonly<Record<string, number>>;
  /** The end of the audit's chain; null when nothing was audited yet. */
  readonly audit: AuditHead | null;
}

export type ExaminedCopy =
  | { readonly kind: "sound"; readonly facts: DatabaseFacts }
  | { readonly kind: "damaged"; readonly detail: string };

/** Checks both databases in a folder that no other process uses, and counts. It blocks: threads call it. */
export function examineCopy(folder: string): ExaminedCopy {
  const steps: Record<string, readonly string[]> = {};
  const tables: Record<string, number> = {};
  let audit: AuditHead | null = null;
  for (const name of databaseFiles) {
    try {
      const database = new DatabaseSync(join(folder, name), { readOnly: true });
      try {
        const found = database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
        if (found !== "ok") return { kind: "damaged", detail: `${name}: ${String(found)}` };
        const known = listTables(database);
        for (const table of known) tables[`${name}/${table}`] = countRows(database, table);
        steps[name] = known.includes("migrations")
          ? database
              .prepare("SELECT name FROM migrations ORDER BY name")
              .all()
              .map((row) => String(row["name"]))
          : [];
        if (known.includes("audit_chain")) audit = readHead(database);
      } finally {
        database.close();
      }
    } catch (error) {
      return { kind: "damaged", detail: `${name}: ${describeError(error)}` };
    }
  }
  return { kind: "sound", facts: { steps, tables, audit } };
}

/** Virtual tables are left out: each has tables of its own, which are counted. */
function listTables(database: DatabaseSync): readonly string[] {
  return database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
    )
    .all()
    .map((row) => String(row["name"]));
}

function countRows(database: DatabaseSync, table: string): number {
  return Number(database.prepare(`SELECT count(*) AS count FROM "${table.replaceAll('"', '""')}"`).get()?.["count"]);
}

function readHead(database: DatabaseSync): AuditHead | null {
  const row = database.prepare("SELECT position, seq, hash FROM audit_chain ORDER BY position DESC LIMIT 1").get();
  return row === undefined
    ? null
    : { position: Number(row["position"]), seq: Number(row["seq"]), hash: String(row["hash"]) };
}
