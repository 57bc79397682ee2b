import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import { describeError } from "../../core/errors.ts";
import type { Account } from "./accounts.ts";

/** A piece of work in two steps. */
interface AccountJob<T> {
  /** Begins at once, whatever waits before it: a chat full of quotes waits for one of them, not for all in a row. */
  prepare(signal: AbortSignal): Promise<T>;
  /** Has its turn after everything that came before in the chat. */
  handle(prepared: T): Promise<unknown>;
}

/** What is done with the events of an account: one after the other in each chat, and a full disk is waited out. */
export interface AccountWork {
  /** Answers whether the job was done; never rejects. What is not begun when the channel stops is dropped. */
  push<T>(account: Account, chat: string, job: AccountJob<T>): Promise<boolean>;
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

  async function runInTurn<T>(account: Account, before: Promise<unknown> | undefined, job: AccountJob<T>) {
    try {
      const [prepared] = await Promise.allSettled([job.prepare(signal), before]);
      // What was aborted on the way is not half stored: the history has it at the next start.
      if (signal.aborted) return false;
      if (prepared.status === "rejected") throw prepared.reason;
      await job.handle(prepared.value);
      return true;
    } catch (error) {
      log.error({ err: error, account: account.id }, "an event could not be handled");
      return false;
    }
  }

  return {
    push(account, chat, job) {
      if (account.waiting >= waitingLimit) {
        log.error({ account: account.id, rule: "too_many" }, "an event was dropped: too many wait to be stored");
        return Promise.resolve(false);
      }
      account.waiting += 1;
      const done = runInTurn(account, account.work.get(chat), job).finally(() => {
        account.waiting -= 1;
        if (account.work.get(chat) === done) account.work.delete(chat);
      });
      account.work.set(chat, done);
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
          if (!(await sleep(pause, signal))) return undefined;
        }
      }
    },
  };
}
