import type { Generated } from "kysely";

/** A person's own settings; null when not set. If a human has several accounts, the newest row counts. */
export interface PersonSettingsTable {
  person: string;
  zone: string | null;
  /** Minutes of the day in their zone. */
  quiet_from: number | null;
  quiet_until: number | null;
  updated_at: number;
}

/** Model requests of a day (`2026-11-22`, in the configured zone), by person, conversation and model. */
export interface UsageTable {
  day: string;
  person: string;
  /** "" = none, or counted before conversations were. */
  session: string;
  model: string;
  calls: number;
  /** Requests for which the server gave no usage. */
  estimated: number;
  input: number;
  output: number;
  /** Part of the input tokens. */
  cached: number;
  /** Millionths of the currency of the prices, as they were then. */
  cost: number;
}

/** A request to a model in a round of a turn, as far as it used anything up. */
export interface ModelCallTable {
  seq: Generated<number>;
  turn: string;
  round: number;
  /** `provider:name` */
  model: string;
  started_at: number;
  ms: number;
  input: number;
  output: number;
  /** The part of the input that came from the cache. */
  cached: number;
  /** In millionths of the currency that the prices are in. */
  cost: number;
  /** 1 = the server did not report the tokens. */
  estimated: number;
  /** answered | stopped | failed */
  ended: string;
}
