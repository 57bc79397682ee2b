import { readLogState } from "./log-state.ts";
import { sql, type Kysely } from "kysely";
import type { Database } from "../../../store/schema/database.ts";

/**
 * A message's place is its second × 16 plus a count. When a second is full, its next messages take the next free place.
 * Few numbers lie between two messages: the index keeps the differences, and each costs a byte more for every 128
 * times.
 */
export const placesOfSecond = 16;

export function toSecond(instant: number): number {
  return Math.floor(instant / 1_000);
}

/** The first place of a moment's second. */
export function toPlace(instant: number): number {
  return toSecond(instant) * placesOfSecond;
}

/** Milliseconds since 1970. */
export interface LogTime {
  readonly from?: number | undefined;
  /** Not itself. */
  readonly until?: number | undefined;
}

/**
 * The places of everything that was said in a period. Messages of other times are among them at both edges: only
 * `said_at` decides there.
 */
export interface PlaceRange extends LogTime {
  readonly low: number;
  /** Not itself. */
  readonly high: number;
  /** Between these stands nothing that was said at another time. */
  readonly sure: { readonly low: number; readonly high: number };
}

export async function findPlaceRange(db: Kysely<Database>, { from, until }: LogTime): Promise<PlaceRange> {
  const spilled = from === undefined && until === undefined ? 0 : await readLogState(db, "spilled");
  /** Messages of earlier moments all have lower places. */
  const pass = (instant: number) => (toSecond(instant - 1) + 1 + spilled) * placesOfSecond;
  const low = from === undefined ? 0 : toPlace(from);
  const high = until === undefined ? Number.MAX_SAFE_INTEGER : pass(until);
  const sure = { low: from === undefined ? low : pass(from), high: until === undefined ? high : toPlace(until) };
  return { from, until, low, high, sure };
}

/** The messages `m` of exactly that time. */
export function isSaidIn({ from, until }: LogTime) {
  return sql`${from === undefined ? sql`` : sql`and m.said_at >= ${from}`}
    ${until === undefined ? sql`` : sql`and m.said_at < ${until}`}`;
}
