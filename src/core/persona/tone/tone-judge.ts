import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { learnLabels, turnIntoChances } from "../../learning/learn-labels.ts";
import { decodeModel, encodeModel, packModel, scoreFeatures, type LinearModel } from "../../learning/linear-model.ts";
import { normalizeUtterance } from "../../learning/normalize-utterance.ts";
import { listFeaturesWithWords } from "../../learning/text-features.ts";
import { labelReplies, prepareReply, toneKinds, type LabelledReply, type ToneKind } from "./reply-table.ts";

/** To be raised when the same replies give other weights. */
const version = 1;
/** A longer reply is judged by its beginning. */
const maxCharacters = 1_000;

/** The replies that a persona's tone is learnt from: those that are shipped, and its own. */
export interface ToneSource {
  readonly shipped: readonly LabelledReply[];
  readonly own: readonly LabelledReply[];
}

/** The chance of each way to break the role, 0 to 1. */
export type ToneChances = Readonly<Record<ToneKind, number>>;

export type JudgeTone = (text: string) => ToneChances;

/** The same replies give the same name. */
export function nameToneFile(source: ToneSource): string {
  const hash = createHash("sha256").update(JSON.stringify([version, source.shipped, source.own]));
  return `tone-${hash.digest("hex").slice(0, 16)}.bin`;
}

/** Takes about a second; the same replies give the same weights. */
export function learnTone({ shipped, own }: ToneSource): LinearModel {
  // A run of characters counts from its second text on: the persona's own may be the only ones with theirs.
  return packModel(learnLabels(labelReplies([...shipped, ...own, ...own]), listFeaturesWithWords));
}

const known = new Map<string, JudgeTone>();

/** The judge of a tone. Its weights lie beside the bundle for the shipped personas; for others they are learnt. */
export function findToneJudge(source: ToneSource): JudgeTone {
  const name = nameToneFile(source);
  const judge = known.get(name) ?? createToneJudge(readToneFile(name) ?? learnTone(source));
  known.set(name, judge);
  return judge;
}

export function createToneJudge(model: LinearModel): JudgeTone {
  return (text) => {
    const chances = scoreFeatures(
      model,
      listFeaturesWithWords(normalizeUtterance(prepareReply(text.slice(0, maxCharacters)))),
    );
    turnIntoChances(chances);
    const chanceOf = (kind: ToneKind): number => chances[model.columns.findIndex(({ name }) => name === kind)] ?? 0;
    return Object.fromEntries(toneKinds.map((kind) => [kind, chanceOf(kind)])) as Record<ToneKind, number>;
  };
}

export function encodeTone(source: ToneSource): Uint8Array {
  return encodeModel(learnTone(source));
}

function readToneFile(name: string): LinearModel | undefined {
  try {
    return decodeModel(readFileSync(join(import.meta.dirname, name)));
  } catch {
    // A checkout without a bundle, or a persona of the operator's: it is learnt instead.
    return undefined;
  }
}
