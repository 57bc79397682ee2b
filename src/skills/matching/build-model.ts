import { createHash } from "node:crypto";
import { learnOwn, type TaughtSkill } from "./learn-own.ts";
import { learnShared } from "./learn-shared.ts";
import { encodeModel, packModel } from "./linear-model.ts";
import { readSentenceTable } from "./sentence-table.ts";

/** The sentences that a file of weights is learnt from: the table for its own skills, or further skills against the table. */
export interface ModelSource {
  /** The text of sentences.tsv. */
  readonly table: string;
  /** undefined = the skills of the table itself. */
  readonly own?: readonly TaughtSkill[] | undefined;
}

/** To be raised when the same sentences give other weights. */
const version = 2;

/** The same source gives the same file. */
export function nameModelFile({ table, own }: ModelSource): string {
  const hash = createHash("sha256").update(JSON.stringify([version, table, own ?? null]));
  return `${own ? "own" : "shared"}-skills-${hash.digest("hex").slice(0, 16)}.bin`;
}

/** Takes a second or more. */
export function buildModel({ table, own }: ModelSource): Uint8Array {
  const sentences = readSentenceTable(table);
  return encodeModel(packModel(own ? learnOwn(own, sentences) : learnShared(sentences)));
}
