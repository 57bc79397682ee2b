import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { sleep } from "../../../core/abort.ts";
import { createWakeLoop } from "../../../core/schedule/wake-loop.ts";
import { findNewestBut, listUnread, saveVectors, type VectorKind } from "../queries/vectors.ts";
import type { Database } from "../../../store/schema/database.ts";
import { runAlone } from "../../../store/queries/run-alone.ts";
import type { Embedder } from "./embedder.ts";

const atOnce = 32;
const patienceMs = 60_000;
const defaultPauses = { idleMs: 20_000, breathMs: 50, failedMs: 30_000, mostMs: 30 * 60_000 };
/** A text that changed loses its vector, and is found by every so many looks only: they begin at the first text again. */
const looksToAll = 60;
/** A message with fewer letters means nothing by itself. */
const minLetters = 4;

/** Embeds texts in the background, newest first, and stores their vectors. */
export interface VectorWriter {
  start(): void;
  stop(): Promise<void>;
}

export function createVectorWriter(parts: {
  readonly db: Kysely<Database>;
  readonly embedder: Embedder;
  /** At most this many of the newest messages of the log are embedded. */
  readonly maxMessages: () => number;
  readonly log: Logger;
  readonly pauses?: Partial<typeof defaultPauses>;
}): VectorWriter {
  const { db, embedder, log, maxMessages } = parts;
  const pauses = { ...defaultPauses, ...parts.pauses };
  /** Up to where everything is read. */
  const doneUpTo: Record<VectorKind, number> = { memory: 0, log: 0 };
  let looks = 0;
  let failures = 0;
  const loop = createWakeLoop({ look });

  /** Returns whether there may be more. `isWhole` looks at what was read before, too: a text may have changed since. */
  async function readSome(kind: VectorKind, isWhole: boolean): Promise<boolean> {
    const oldest = kind === "log" ? await findNewestBut(db, kind, maxMessages()) : 0;
    const after = Math.max(oldest, isWhole ? 0 : doneUpTo[kind]);
    const texts = await listUnread(db, kind, embedder.id, { after, limit: atOnce });
    if (texts.length === 0) return false;
    const newest = texts[0]?.item ?? 0;
    const telling = texts.map((one) => (countLetters(one.text) < minLetters && kind === "log" ? "" : one.text));
    const vectors = await embedder.embed(
      telling.filter((text) => text !== ""),
      patienceMs,
    );
    let at = 0;
    const length = vectors[0]?.length ?? embedder.dimensions ?? 1;
    // Store a zero vector for a text without content so it is not retried.
    const read = texts.map((one, index) => ({
      ...one,
      vector: telling[index] === "" ? new Float32Array(length) : (vectors[at++] ?? new Float32Array(length)),
    }));
    await saveVectors(db, kind, embedder.id, read);
    if (texts.length < atOnce) doneUpTo[kind] = Math.max(doneUpTo[kind], newest);
    return texts.length === atOnce;
  }

  async function readAll(stopping: AbortSignal, isWhole: boolean): Promise<void> {
    for (const kind of ["memory", "log"] as const)
      while (!stopping.aborted && (await readSome(kind, isWhole)))
        await sleep(pauses.breathMs, stopping, { ref: false });
  }

  async function look(stopping: AbortSignal): Promise<number> {
    const isWhole = looks % looksToAll === 0;
    looks += 1;
    try {
      // Each text is paid for once, however many processes there are.
      const done = await runAlone(db, "vectors", () => readAll(stopping, isWhole).then(() => true));
      if (done === undefined) return pauses.idleMs;
      if (failures > 0) log.info("the model for embeddings answers again");
      failures = 0;
      return pauses.idleMs;
    } catch (error) {
      if (failures === 0 && !stopping.aborted)
        log.warn({ err: error }, "the model for embeddings did not answer; memory is searched by words");
      failures += 1;
      return Math.min(pauses.mostMs, pauses.failedMs * 2 ** (failures - 1));
    }
  }

  return {
    start: () => void loop.ring(),
    stop: loop.stop,
  };
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
