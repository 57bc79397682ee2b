import type { Step } from "../migrations/engine.ts";
import type { PersonTable, TableName } from "./person-table.ts";

/** Tables of the kernel, or of a feature, which adds their types to the `Database` of schema/database.ts. */
export interface Tables {
  /** What makes them, by the migration that it is a part of. Never change a part of a migration that was released. */
  readonly migrations: Readonly<Record<string, Step>>;
  /** For each of them, how one human's rows are found, and what becomes of them when they want to be forgotten. */
  readonly people: Readonly<Partial<Record<TableName, PersonTable>>>;
}

/** Every table of a database. */
export interface AllTables extends Tables {
  /** Rows go in this order. */
  readonly people: Readonly<Record<TableName, PersonTable>>;
}
