import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../../../core/clock.ts";
import type { ReadableRows } from "../queries/memories.ts";
import {
  findNearestInLog,
  findNearestMemories,
  findVectorEngine,
  type NearItem,
  type VectorEngine,
} from "../queries/nearest-vectors.ts";
import type { Database } from "../../../store/schema/database.ts";
import type { Embedder } from "./embedder.ts";

/** Finds by what is meant. Never throws: undefined = the model did not answer, so only words can be compared. */
export interface Meaning {
  findInLog(chats: readonly number[], text: string, limit: number): Promise<readonly NearItem[] | undefined>;
  findMemories(rows: ReadableRows, text: string, limit: number): Promise<readonly NearItem[] | undefined>;
}

/** A reply does not wait longer than this. */
const patienceMs = 1_500;
/** After a failure the model is left alone for this long. */
const restMs = 60_000;
/** Several callers ask for the same message. */
const maxKept = 16;
const maxAskedLength = 1_000;
const maxMemories = 30;

export function createMeaning(parts: {
  readonly db: Kysely<Database>;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly log: Logger;
}): Meaning {
  const { clock, db, embedder, log } = parts;
  const kept = new Map<string, Float32Array>();
  let engine: VectorEngine | undefined;
  let failedAt: number | undefined;

  async function read(text: string): Promise<Float32Array | undefined> {
    const asked = text.slice(0, maxAskedLength).trim();
    const known = kept.get(asked);
    if (known !== undefined) return known;
    if (asked === "" || (failedAt !== undefined && clock.now() - failedAt < restMs)) return undefined;
    try {
      const [vector] = await embedder.embed([asked], patienceMs);
      failedAt = undefined;
      if (vector === undefined) return undefined;
      kept.set(asked, vector);
      for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - maxKept))) kept.delete(old);
      return vector;
    } catch (error) {
      if (failedAt === undefined)
        log.warn({ err: error }, "the model for embeddings did not answer; memory is searched by words");
      failedAt = clock.now();
      return undefined;
    }
  }

  async function find(
    text: string,
    limit: number,
    search: (engine: VectorEngine, sought: Parameters<typeof findNearestInLog>[3]) => Promise<readonly NearItem[]>,
  ): Promise<readonly NearItem[] | undefined> {
    const vector = await read(text);
    if (vector === undefined) return undefined;
    engine ??= await findVectorEngine(db);
    const near = await search(engine, { model: embedder.id, vector, limit });
    return near.filter(({ nearness }) => nearness > 0);
  }

  return {
    findInLog: (chats, text, limit) => find(text, limit, (using, sought) => findNearestInLog(db, using, chats, sought)),
    findMemories: (rows, text, limit) =>
      find(text, limit, (using, sought) => findNearestMemories(db, using, rows, sought)),
  };
}

/** Ranks the memories of a scope by meaning, best first; recall combines this with the ranking by words. */
export function createRankByMeaning(
  meaning: Meaning,
  rows: ReadableRows,
): (text: string) => Promise<readonly number[] | undefined> {
  return async (text) => (await meaning.findMemories(rows, text, maxMemories))?.map(({ item }) => item);
}

/** How much nearer than the average a result must be: absolute nearness differs from model to model. */
const margin = 0.08;

/** The nearest items that stand out from the rest, nearest first. */
export function pickTelling(near: readonly NearItem[]): readonly number[] {
  const usual = near.reduce((sum, { nearness }) => sum + nearness, 0) / Math.max(1, near.length);
  return near.filter(({ nearness }) => nearness >= usual + margin).map(({ item }) => item);
}
