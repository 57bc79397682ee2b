import type { WriteAheadLog } from "./write-ahead-log.ts";

/** One flush of the log at a time. Each covers everything that was committed before it began. */
export interface FlushQueue {
  /** Resolves when everything committed before this call is on the disk. */
  flush(): Promise<void>;
  /** The same for the commits that still wait for the disk; undefined when none does. */
  readonly pending: Promise<void> | undefined;
}

export function createFlushQueue(log: Pick<WriteAheadLog, "sync" | "lose">): FlushQueue {
  let running: PromiseWithResolvers<void> | undefined;
  let next: PromiseWithResolvers<void> | undefined;
  let isLost = false;

  function run(flush: PromiseWithResolvers<void>): void {
    running = flush;
    log.sync((error) => {
      if (error) {
        lose(flush, error);
        return;
      }
      const following = next;
      running = undefined;
      next = undefined;
      flush.resolve();
      if (following) run(following);
    });
  }

  /** From here on no flush succeeds: a later fdatasync may answer well although pages of this one are gone. */
  function lose(flush: PromiseWithResolvers<void>, error: Error): void {
    isLost = true;
    // As SQLite reports it: SQLITE_IOERR_FSYNC (https://sqlite.org/rescode.html).
    const fault = Object.assign(new Error(`disk I/O error: ${error.message}`, { cause: error }), {
      code: "ERR_SQLITE_ERROR",
      errcode: 1034,
    });
    flush.reject(fault);
    next?.reject(fault);
    next = undefined;
    log.lose(error);
  }

  return {
    flush() {
      if (next) return next.promise;
      if (isLost && running) return running.promise;
      const flush = Promise.withResolvers<void>();
      // A flush may have no waiter left when it fails.
      flush.promise.catch(() => undefined);
      if (running) next = flush;
      else run(flush);
      return flush.promise;
    },
    get pending() {
      return (next ?? running)?.promise;
    },
  };
}
