import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

type Row = Readonly<Record<string, string | number | null>>;

/** Reads a database of a data folder beside the program that writes it; [] before its tables are there. */
export function lookIntoStore(home: string, query: string, database = "kurisu.db"): readonly Row[] {
  const file = join(home, database);
  if (!existsSync(file)) return [];
  const opened = new DatabaseSync(file, { readOnly: true, timeout: 2_000 });
  try {
    return opened.prepare(query).all() as unknown as readonly Row[];
  } catch (error) {
    if (/no such table/.test(String(error))) return [];
    throw error;
  } finally {
    opened.close();
  }
}

/** Questions whose prompt the person has been shown: from now on their bare word counts. */
export function openQuestions(
  home: string,
): readonly { readonly id: string; readonly code: string; readonly shown: boolean }[] {
  const rows = lookIntoStore(
    home,
    "select id, code, prompt_message from questions where state = 'open' order by created_at, id",
  );
  return rows.map((row) => ({
    id: String(row["id"]),
    code: String(row["code"]),
    shown: row["prompt_message"] !== null,
  }));
}
