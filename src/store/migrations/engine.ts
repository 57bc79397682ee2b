import type { ColumnBuilderCallback, ColumnDataType } from "kysely";

/** Where the two engines name the same thing differently. */
export interface Engine {
  readonly name: "sqlite" | "postgres";
  readonly bytes: ColumnDataType;
  /** A primary key that counts up by itself. */
  readonly counter: ColumnDataType;
  readonly countUp: ColumnBuilderCallback;
}

export const sqliteEngine: Engine = {
  name: "sqlite",
  bytes: "blob",
  counter: "integer",
  countUp: (column) => column.primaryKey().autoIncrement(),
};
