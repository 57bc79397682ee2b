import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import type { MemoryOptions } from "../memory/memory-options.ts";
import { listMemoryWords, wordsVersion } from "../../store/search/find-words.ts";
import type { Store } from "../../store/open-store.ts";
import { renewTermsSlice } from "../memory/queries/memory-terms.ts";
import { backfillSlice, pruneLogSlice, rebuildSlice } from "./queries/log-upkeep.ts";

/** Between slices that take a few milliseconds each: all other work comes first. */
const pauseMs = 20;

/**
 * Background work on the chat log: its index after a new tokeniser (that of memories, too), the conversations from
 * before there was a log, and what is older than the log may keep. In slices; the next start continues where this one
 * ended.
 */
export function createLogUpkeep(parts: {
  readonly store: Store;
  readonly options: () => MemoryOptions["chatlog"];
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  readonly log: Logger;
}): { readonly begin: () => void; readonly settled: () => Promise<void> } {
  const { clock, log, options, stopping, store } = parts;
  let work = Promise.resolve();

  async function slice(take: () => Promise<boolean>): Promise<void> {
    while (!stopping.aborted && (await take())) await sleep(pauseMs, stopping, { ref: false });
  }

  async function keepUp(): Promise<void> {
    const since = clock.now() - options().keep;
    await slice(() => renewTermsSlice(store.main, wordsVersion, listMemoryWords));
    await slice(() => rebuildSlice(store.main));
    if (options().enabled) await slice(() => backfillSlice(store.main, since));
    if (Number.isFinite(since)) await slice(() => pruneLogSlice(store.main, since));
  }

  return {
    begin() {
      work = work.then(keepUp).catch((error: unknown) => {
        log.error(
          { err: error },
          "the chat log could not be kept up; it is tried again tomorrow and at the next start",
        );
      });
    },
    settled: () => work,
  };
}
