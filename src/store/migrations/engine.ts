/** Where the two engines name the same thing differently, as SQL. */
export interface Engine {
  readonly name: "sqlite" | "postgres";
  /** Text that is compared and ordered byte by byte. */
  readonly text: string;
  readonly bytes: string;
  /** A primary key that counts up by itself. */
  readonly counter: string;
}

/** The statements of one migration. */
export type Step = (engine: Engine) => readonly string[];

export const sqliteEngine: Engine = {
  name: "sqlite",
  text: "text",
  bytes: "blob",
  counter: "integer primary key autoincrement",
};

/** The order of a language ("a" before "B") would put checkpoint ids and positions in another order than SQLite does. */
export const postgresEngine: Engine = {
  name: "postgres",
  text: 'text collate "C"',
  bytes: "bytea",
  counter: "bigserial primary key",
};
