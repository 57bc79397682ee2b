import type { Generated } from "kysely";

/** The older part of a stretch of one line in few words. Never changed; the newest that is on a line counts. */
export interface SummaryTable {
  id: Generated<number>;
  session: string;
  branch: string;
  /** The start of the conversation: no prompt has messages from before /new. */
  start_position: number;
  /** The messages it covers: positions after `from_position` up to and including `up_to`. */
  from_position: number;
  up_to: number;
  /** Counts the summaries of a line from 1. */
  number: number;
  text: string;
  tokens: number;
  /** The least trusted of what it covers, and the sources of that. */
  taint: string;
  /** JSON: string[] */
  sources: string;
  /** JSON, the speakers it covers: { id, name, taint }[]; an empty id means unknown. */
  speakers: string;
  /** The model that wrote it; null for an extract. */
  model: string | null;
  /** How many texts of models were refused before. */
  refused: number;
  created_at: number;
}
