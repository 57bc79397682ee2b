import { createHash } from "node:crypto";
import { learnLabels } from "../../../core/learning/learn-labels.ts";
import { encodeModel, packModel } from "../../../core/learning/linear-model.ts";
import { learnOwn, type TaughtSkill } from "./learn-own.ts";
import { labelSentences, readSentenceTable } from "./sentence-table.ts";

/** The sentences that a file of weights is learnt from: the table for its own skills, or further skills against the table. */
export interface ModelSource {
  /** The text of sentences.tsv. */
  readonly table: string;
  /** If undefined, the model is built for the skills of the table itself. */
  readonly own?: readonly TaughtSkill[] | undefined;
  /** For further skills: the labels whose sentences are certainly about something else. */
  readonly taught?: readonly string[];
}

/** To be raised when the same sentences give other weights. */
const version = 3;

/** The same source gives the same file. */
export function nameModelFile({ table, own, taught }: ModelSource): string {
  const hash = createHash("sha256").update(JSON.stringify([version, table, own ?? null, taught ?? null]));
  return `${own ? "own" : "shared"}-skills-${hash.digest("hex").slice(0, 16)}.bin`;
}

/** Takes a second or more. */
export function buildModel({ table, own, taught }: ModelSource): Uint8Array {
  const all = readSentenceTable(table);
  const isOther = (skills: readonly string[]): boolean =>
    skills.length === 0 || taught === undefined || skills.some((id) => taught.includes(id));
  const sentences = own ? all.filter(({ skills }) => isOther(skills)) : all;
  return encodeModel(packModel(own ? learnOwn(own, sentences) : learnLabels(labelSentences(sentences))));
}
