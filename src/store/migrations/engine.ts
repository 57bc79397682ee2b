import { sql, type ColumnBuilderCallback, type ColumnDataType, type Expression } from "kysely";

/** Where the two engines name the same thing differently. */
export interface Engine {
  readonly name: "sqlite" | "postgres";
  /** Text that is compared and ordered byte by byte. */
  readonly text: ColumnDataType | Expression<unknown>;
  readonly bytes: ColumnDataType;
  /** A primary key that counts up by itself. */
  readonly counter: ColumnDataType;
  readonly countUp: ColumnBuilderCallback;
}

export const sqliteEngine: Engine = {
  name: "sqlite",
  text: "text",
  bytes: "blob",
  counter: "integer",
  countUp: (column) => column.primaryKey().autoIncrement(),
};

/** The order of a language ("a" before "B") would put checkpoint ids and positions in another order than SQLite does. */
export const postgresEngine: Engine = {
  name: "postgres",
  text: sql`text collate "C"`,
  bytes: "bytea",
  counter: "bigserial",
  countUp: (column) => column.primaryKey(),
};
