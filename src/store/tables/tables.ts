import type { Kysely } from "kysely";
import type { Followed } from "../migrations/change-triggers.ts";
import type { Step } from "../migrations/engine.ts";
import type { Database } from "../schema/database.ts";
import type { PersonTable, TableName } from "./person-table.ts";

/** How rows come from SQLite into Postgres (move/move-store.ts). */
export interface Move {
  /** A migration puts rows there, whose place they take. */
  readonly seeded?: true;
  /** Gives a row of SQLite the values of columns that Postgres alone has, or has in another form. */
  convert?(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/** Tables of the kernel, or of a feature, which adds their types to the `Database` of schema/database.ts. */
export interface Tables {
  /**
   * The statements that make them, by the migration that they are a part of. Never change a part of a migration that
   * was released.
   */
  readonly migrations: Readonly<Record<string, Step>>;
  /**
   * For each of them, how one human's rows are found, and what happens to them when that human wants to be forgotten.
   */
  readonly people: Readonly<Partial<Record<TableName, PersonTable>>>;
  /** Those of them that the web console shows while they change. */
  readonly followed?: Readonly<Partial<Record<TableName, Followed>>>;
  /** For those of them whose rows are not copied into Postgres as they are. */
  readonly moves?: Readonly<Partial<Record<TableName, Move>>>;
  /** Functions that triggers of SQLite call. */
  readonly functions?: Readonly<Record<string, (...columns: readonly unknown[]) => string>>;
  /**
   * Called when a store is opened, before anything else reads or writes: rebuilds what an older Kurisu made of rows.
   */
  renew?(db: Kysely<Database>): Promise<void>;
  /** Removes what was finished before then and is needed for nothing any more. */
  prune?(db: Kysely<Database>, before: number): Promise<void>;
  /** The ids that the tags of names in them are made of (core/name-with-tag.ts). */
  listTaggedIds?(db: Kysely<Database>): Promise<readonly string[]>;
}

/** Every table of a database. */
export interface AllTables extends Required<Tables> {
  /** Rows go in this order. */
  readonly people: Readonly<Record<TableName, PersonTable>>;
}
