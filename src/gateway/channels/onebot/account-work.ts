import type { Logger } from "pino";
import { describeError } from "../../../core/errors.ts";
import { wait } from "../wait.ts";
import type { Account } from "./accounts.ts";

/** What is done with the events of an account: one after the other, and a full disk is waited out. */
export interface AccountWork {
  /** Answers whether the job was done; never rejects. */
  push(account: Account, job: () => Promise<void>): Promise<boolean>;
  /** Tries until it succeeds; undefined = stopped meanwhile. */
  untilStored<T>(attempt: () => Promise<T>): Promise<T | undefined>;
}

/** Beyond this many waiting events newer ones are dropped; the next look into the history may bring them back. */
const waitingLimit = 5_000;

export function createAccountWork(parts: {
  readonly storingMs: readonly number[];
  /** Why nothing can be stored, undefined = it can again. */
  readonly onStoring: (fault: string | undefined) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}): AccountWork {
  const { storingMs, onStoring, log, signal } = parts;
  return {
    push(account, job) {
      if (account.waiting >= waitingLimit) {
        log.error({ account: account.id, rule: "too_many" }, "an event was dropped: too many wait to be stored");
        return Promise.resolve(false);
      }
      account.waiting += 1;
      const done = account.work.then(async () => {
        try {
          if (signal.aborted) return false;
          await job();
          return true;
        } catch (error) {
          log.error({ err: error, account: account.id }, "an event could not be handled");
          return false;
        } finally {
          account.waiting -= 1;
        }
      });
      account.work = done;
      return done;
    },

    async untilStored(attempt) {
      for (let failures = 0; ; failures += 1) {
        try {
          const value = await attempt();
          onStoring(undefined);
          return value;
        } catch (error) {
          onStoring(describeError(error));
          log.error({ reason: describeError(error) }, "a QQ event was not stored; it is tried again");
          const pause = storingMs[Math.min(failures, storingMs.length - 1)] ?? 1_000;
          if (!(await wait(pause, signal))) return undefined;
        }
      }
    },
  };
}
