import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError, describeError } from "../core/errors.ts";

/** The note beside SQLite files whose rows are in Postgres now. */
const noteName = "moved-to-postgres.json";

interface MovedNote {
  /** ISO 8601. */
  readonly at: string;
  /** Without its password. */
  readonly to: string;
}

export function writeMovedNote(home: string, note: MovedNote): void {
  writeFileSync(join(home, noteName), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

/**
 * Throws where the rows were moved. In the old file, calls that were answered since then are still open and could run twice,
 * and what was said since then is missing: so going back takes a deed of the operator.
 */
export function refuseMoved(home: string): void {
  const file = join(home, noteName);
  if (!existsSync(file)) return;
  const { at, to } = readNote(file);
  const back = `To go back to the old file, without all that came after the move, delete ${file}.`;
  throw new AppError(
    "STORE_MOVED",
    `${home}/kurisu.db was moved to ${to} (${at}). Set DATABASE_URL to go on there. ${back}`,
  );
}

function readNote(file: string): MovedNote {
  try {
    const { at, to } = JSON.parse(readFileSync(file, "utf8")) as Partial<MovedNote>;
    return { at: String(at), to: String(to) };
  } catch (error) {
    return { at: `an unknown time (${describeError(error)})`, to: "a Postgres database" };
  }
}
