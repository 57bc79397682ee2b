/** A note on how a person likes things; never a permission. */
export interface PreferenceTable {
  person: string;
  /** Its subject: `said:…`, `added:…`, `tool:NAME`, `option:TOOL.NAME`. A newer note on the same subject replaces it. */
  key: string;
  /** said | added | learned */
  origin: string;
  /** The words; of an option its value; of a tool empty. */
  text: string;
  /** How often in a row it was kept or refused; of words 0. */
  kept: number;
  refused: number;
  created_at: number;
  updated_at: number;
}

/** A person's own settings; null = not set. Of several accounts of a human the newest row counts. */
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
  /** Of the input. */
  cached: number;
  /** Millionths of the currency of the prices, as they were then. */
  cost: number;
}
