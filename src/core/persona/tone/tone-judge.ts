import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { learnLabels, turnIntoChances } from "../../learning/learn-labels.ts";
import { decodeModel, encodeModel, packModel, scoreFeatures, type LinearModel } from "../../learning/linear-model.ts";
import { normalizeUtterance } from "../../learning/normalize-utterance.ts";
import { startStoppableThread } from "../../stoppable-thread.ts";
import { labelReplies, prepareReply, toneKinds, type LabelledReply, type ToneKind } from "./reply-table.ts";
import { listToneFeatures } from "./tone-features.ts";

/** To be raised when the same replies give other weights. */
const version = 3;
/** A longer reply is judged by its beginning. */
const maxCharacters = 1_000;

/** The replies that a persona's tone is learnt from: those that are shipped, and its own. */
export interface ToneSource {
  readonly shipped: readonly LabelledReply[];
  readonly own: readonly LabelledReply[];
}

/** The chance of each way to break the role, 0 to 1. */
type ToneChances = Readonly<Record<ToneKind, number>>;

type JudgeTone = (text: string) => ToneChances;

/** The same replies give the same name. */
export function nameToneFile(source: ToneSource): string {
  const hash = createHash("sha256").update(JSON.stringify([version, source.shipped, source.own]));
  return `tone-${hash.digest("hex").slice(0, 16)}.bin`;
}

/** Takes a second; the same replies give the same weights. */
export function encodeTone({ own, shipped }: ToneSource): Uint8Array {
  // A run of characters counts from its second text on: the persona's own may be the only ones with theirs.
  const replies = labelReplies([...shipped, ...own, ...own]);
  return encodeModel(packModel(learnLabels(replies, { list: listToneFeatures, seeds: [1], epochs: 8 })));
}

const known = new Map<string, FoundJudge>();

interface FoundJudge {
  readonly judge: JudgeTone;
  /** Until then the judge knows the shipped replies only. */
  readonly whole: Promise<void>;
}

/**
 * The judge of a tone. The weights of the shipped personas are next to the bundle. Those of others are learnt on a
 * thread, and until then the shipped replies alone count; in a checkout without a bundle they are learnt here and now.
 */
export function findToneJudge(source: ToneSource): FoundJudge {
  const name = nameToneFile(source);
  const found = known.get(name) ?? makeJudge(name, source);
  known.set(name, found);
  return found;
}

function makeJudge(name: string, source: ToneSource): FoundJudge {
  const ready = readToneFile(name);
  const shipped = ready ? undefined : readToneFile(nameToneFile({ ...source, own: [] }));
  let current = createToneJudge(ready ?? shipped ?? decode(encodeTone(source)));
  const learn = async (): Promise<void> => {
    current = createToneJudge(decode(await learnOnThread(source)));
  };
  // If learning fails, the shipped replies alone count.
  const whole = shipped === undefined ? Promise.resolve() : learn().catch(() => undefined);
  return { judge: (text) => current(text), whole };
}

/** The judge by weights that `encodeTone` has made. */
export function readToneJudge(bytes: Uint8Array): JudgeTone {
  return createToneJudge(decode(bytes));
}

function decode(bytes: Uint8Array): LinearModel {
  const model = decodeModel(bytes);
  if (model === undefined) throw new Error("what was learnt of a tone is damaged");
  return model;
}

async function learnOnThread(source: ToneSource): Promise<Uint8Array> {
  const thread = startStoppableThread<ToneSource, Uint8Array>(new URL("tone-worker.ts", import.meta.url), {
    heapMegabytes: 192,
  });
  const answer = await thread.ask(source, { limitMs: 60_000 });
  await thread.end();
  if (answer.kind === "answered") return answer.result;
  throw answer.kind === "failed" ? answer.error : new Error("learning a tone took too long");
}

function createToneJudge(model: LinearModel): JudgeTone {
  return (text) => {
    const chances = scoreFeatures(
      model,
      listToneFeatures(normalizeUtterance(prepareReply(text.slice(0, maxCharacters)))),
    );
    turnIntoChances(chances);
    const chanceOf = (kind: ToneKind): number => chances[model.columns.findIndex(({ name }) => name === kind)] ?? 0;
    return Object.fromEntries(toneKinds.map((kind) => [kind, chanceOf(kind)])) as Record<ToneKind, number>;
  };
}

function readToneFile(name: string): LinearModel | undefined {
  try {
    return decodeModel(readFileSync(join(import.meta.dirname, name)));
  } catch {
    // A checkout without a bundle, or a persona of the operator's: it is learnt instead.
    return undefined;
  }
}
