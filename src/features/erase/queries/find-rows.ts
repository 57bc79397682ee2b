import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Store } from "../../../store/open-store.ts";
import type { Database } from "../../../store/schema/database.ts";
import type { TableName, Way } from "../../../store/tables/person-table.ts";

/** The store whose tables they are. */
type Tables = Pick<Store, "engine" | "personTables">;

/** The keys by which a person's rows are found. A list that is absent finds nothing. */
export interface PersonKeys {
  /** All accounts of the human, and the ids that these share. */
  readonly accounts?: readonly string[];
  readonly humans?: readonly string[];
  /** Private chats that are theirs alone. */
  readonly chats?: readonly string[];
  readonly imports?: readonly number[];
  readonly turns?: readonly string[];
  readonly questions?: readonly string[];
}

/** A condition on the rows of a table; undefined = none of them can be theirs. */
function isTheirs(store: Tables, table: TableName, keys: PersonKeys): RawBuilder<boolean> | undefined {
  const ways = store.personTables[table].found.flatMap((way) => toCondition(store, table, way, keys) ?? []);
  return ways.length === 0 ? undefined : sql<boolean>`(${sql.join(ways, sql` or `)})`;
}

function toCondition(store: Tables, table: TableName, way: Way, keys: PersonKeys): RawBuilder<boolean> | undefined {
  const column = sql.ref(`${table}.${way.column}`);
  if (way.by === "row") {
    const theirs = way.of === table ? undefined : isTheirs(store, way.of, keys);
    const [kept, value] = way.where ?? [];
    const kind = kept === undefined ? sql`` : sql` and ${sql.ref(`${table}.${kept}`)} = ${value}`;
    return (
      theirs &&
      sql<boolean>`(${column} in (select ${sql.ref(way.key)} from ${sql.table(way.of)} where ${theirs})${kind})`
    );
  }
  if (way.by === "user") {
    const platform = sql.ref(`${table}.${way.platform}`);
    const each = (keys.accounts ?? []).map((account) => {
      const [name = "", ...id] = account.split(":");
      return sql`(${platform} = ${name} and ${column} = ${id.join(":")})`;
    });
    return each.length === 0 ? undefined : sql<boolean>`(${sql.join(each, sql` or `)})`;
  }
  const values = listValues(way, keys);
  return values.length === 0 ? undefined : sql<boolean>`${column} in (${sql.join(values)})`;
}

function listValues({ by }: Exclude<Way, { by: "row" | "user" }>, keys: PersonKeys): readonly (string | number)[] {
  switch (by) {
    case "account":
      return keys.accounts ?? [];
    case "human":
      return keys.humans ?? [];
    case "chat":
      return keys.chats ?? [];
    case "import":
      return keys.imports ?? [];
    case "turn":
      return keys.turns ?? [];
    case "question":
      return keys.questions ?? [];
    case "text":
      // Separate code reads the texts.
      return [];
  }
}

/** The engine's own name of a row. */
function rowName(engine: Store["engine"]): RawBuilder<unknown> {
  return engine === "sqlite" ? sql`rowid` : sql`ctid`;
}

/** Deletes at most `most` rows that are theirs. Returns how many. */
export async function deleteRows(
  db: Kysely<Database>,
  store: Tables,
  { keys, most, table }: { readonly table: TableName; readonly keys: PersonKeys; readonly most: number },
): Promise<number> {
  const { engine } = store;
  const theirs = isTheirs(store, table, keys);
  if (theirs === undefined) return 0;
  const name = rowName(engine);
  const found = sql`select ${name} from ${sql.table(table)} where ${theirs} limit ${most}`;
  const inside = engine === "sqlite" ? sql`${name} in (${found})` : sql`${name} = any(array(${found}))`;
  const result = await sql`delete from ${sql.table(table)} where ${inside}`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Sets these columns of all rows that are theirs and not so yet. Returns how many. */
export async function emptyRows(
  db: Kysely<Database>,
  store: Tables,
  {
    keys,
    set,
    table,
  }: {
    readonly table: TableName;
    readonly keys: PersonKeys;
    readonly set: Readonly<Record<string, string | null>>;
  },
): Promise<number> {
  const theirs = isTheirs(store, table, keys);
  if (theirs === undefined) return 0;
  const columns = Object.entries(set);
  const values = columns.map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const differs = columns.map(([column, value]) =>
    value === null ? sql`${sql.ref(column)} is not null` : sql`${sql.ref(column)} <> ${value}`,
  );
  const result =
    await sql`update ${sql.table(table)} set ${sql.join(values)} where ${theirs} and (${sql.join(differs, sql` or `)})`.execute(
      db,
    );
  return Number(result.numAffectedRows ?? 0);
}

/**
 * At most `most` rows that are theirs by these keys and not by `but`, after the row called `after`. Each comes with its name,
 * and without what no export shows.
 */
export async function readRows(
  db: Kysely<Database>,
  store: Tables,
  wanted: {
    readonly table: TableName;
    readonly keys: PersonKeys;
    readonly but?: PersonKeys;
    readonly after: string | undefined;
    readonly most: number;
  },
): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[]; readonly last: string | undefined }> {
  const { after, but, keys, most, table } = wanted;
  const { engine } = store;
  const theirs = isTheirs(store, table, keys);
  if (theirs === undefined) return { rows: [], last: undefined };
  const known = but && isTheirs(store, table, but);
  const name = rowName(engine);
  const isLater =
    after === undefined
      ? sql`true`
      : engine === "sqlite"
        ? sql`${name} > ${Number(after)}`
        : sql`${name} > ${after}::tid`;
  const rest = known === undefined ? sql`` : sql` and (${known}) is not true`;
  const label = engine === "sqlite" ? sql`${name}` : sql`${name}::text`;
  const found = await sql<
    Record<string, unknown>
  >`select ${label} as row_name, ${sql.table(table)}.* from ${sql.table(table)}
    where ${theirs}${rest} and ${isLater} order by ${name} limit ${most}`.execute(db);
  // The words of a message as its index has them.
  const hidden = ["row_name", "words", ...(store.personTables[table].withheld ?? [])];
  return {
    rows: found.rows.map((one) =>
      Object.fromEntries(Object.entries(one).filter(([column]) => !hidden.includes(column))),
    ),
    last: found.rows.length < most ? undefined : String(found.rows.at(-1)?.["row_name"]),
  };
}
