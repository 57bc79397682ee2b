import { PostgresAdapter, type CompiledQuery, type Kysely } from "kysely";
import { replaceNul } from "./replace-nul.ts";
import type { Database } from "../schema/database.ts";

type Value = string | number | null | Uint8Array;

/** Stands for a value while the query is built. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  toString = refuse;
  valueOf = refuse;
  [Symbol.toPrimitive] = refuse;
}

function refuse(): never {
  throw new Error("a statement that is compiled once may not look at its values");
}

/**
 * For the statements of every turn: built and compiled once a store, since that takes longer than SQLite takes to run
 * them. `build` only passes the values on; one that looks at them is refused. Rows of the audit cannot be written like
 * this: their scrubber (scrub-audit.ts) has to see the values, and refuses their placeholders.
 */
export function compileOnce<Given extends Readonly<Record<string, Value>>, Row>(
  build: (db: Kysely<Database>, given: Given) => { compile(): CompiledQuery<Row> },
): (db: Kysely<Database>, given: Given) => Promise<readonly Row[]> {
  const known = new WeakMap<object, CompiledQuery<Row>>();
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)), ownKeys: refuse }) as Given;

  function compile(db: Kysely<Database>, adapter: object): CompiledQuery<Row> {
    const compiled = build(db, placeholders).compile();
    known.set(adapter, compiled);
    return compiled;
  }

  return async (db, given) => {
    const { adapter } = db.getExecutor();
    const compiled = known.get(adapter) ?? compile(db, adapter);
    const toText = adapter instanceof PostgresAdapter ? replaceNul : (value: unknown) => value;
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? toText(given[value.name]) : value,
    );
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}
