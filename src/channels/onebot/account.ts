import { z } from "zod";
import type { Logger } from "pino";
import { type Dialect, unknownDialect } from "./dialect.ts";
import type { OneBotLink } from "./onebot-link.ts";
import { sleep } from "../../core/abort.ts";
import { describeError } from "../../core/errors.ts";
import { pickStep } from "../pick-step.ts";

/** A QQ account of ours. It outlives its connections. */
export interface Account {
  readonly id: string;
  readonly sent: SentMessages;
  readonly clockOffset: ClockOffset;
  /** The connection that speaks for it now. */
  link: OneBotLink | undefined;
  nickname: string;
  /** Name and version of the implementation. */
  implementation: string;
  /** How to talk to it. */
  dialect: Dialect;
  /** False when QQ itself is logged out there, though the connection lives; undefined until it was reported. */
  online: boolean | undefined;
  /** Pending work on the events of each chat, one after the other, also across connections. */
  readonly work: Map<string, Promise<unknown>>;
  /** How many pieces of work wait. */
  waiting: number;
  /** Chats of which something may have been missed, and from when on (the platform's time, milliseconds). */
  readonly gaps: Map<string, number>;
}

export interface Accounts {
  list(): readonly Account[];
  find(id: string): Account | undefined;
  /** Makes the account if it is new. */
  open(id: string): Account;
  /** The newer connection replaces the older. */
  attach(id: string, link: OneBotLink): Account;
}

export function createAccounts(): Accounts {
  const accounts = new Map<string, Account>();

  function open(id: string): Account {
    const account = accounts.get(id) ?? {
      id,
      sent: createSentMessages(),
      clockOffset: createClockOffset(),
      link: undefined,
      nickname: "",
      implementation: "",
      dialect: unknownDialect,
      online: undefined,
      work: new Map(),
      waiting: 0,
      gaps: new Map(),
    };
    accounts.set(id, account);
    return account;
  }

  return {
    list: () => [...accounts.values()],
    find: (id) => accounts.get(id),
    open,
    attach(id, link) {
      const account = open(id);
      const older = account.link;
      account.link = link;
      account.dialect = unknownDialect;
      account.online = undefined;
      if (older !== link) older?.end({ kind: "replaced", account: id });
      return account;
    },
  };
}

/** How far QQ's clock is from a monotonic one here (performance.now(), which is never set while the process runs). */
interface ClockOffset {
  /** An event that has just come in live, and the reading (milliseconds) when its frame came, before any queue. */
  note(event: object, reading: number): void;
  /** QQ's time at a reading, whole milliseconds since 1970; undefined until a message has come. */
  toTheirs(reading: number): number | undefined;
}

/** After this many messages a server whose clock was set is measured again. */
const samplesKept = 50;

/** Only messages carry the time of QQ's servers: NapCat and others date heartbeats and notices by their own host's clock. */
const dated = z.object({
  post_type: z.literal("message"),
  // Whole seconds; what is beyond that are milliseconds put there by mistake.
  time: z.coerce.number().int().positive().max(100_000_000_000),
});

/**
 * Each sample is too large by the delay of its message and by the rounding to whole seconds, so the smallest is the best:
 * QQ's time comes out too early by up to a second and the shortest delay, never too late.
 */
export function createClockOffset(): ClockOffset {
  const samples: number[] = [];
  return {
    note(event, reading) {
      const read = dated.safeParse(event);
      if (!read.success) return;
      samples.push(reading - read.data.time * 1_000);
      if (samples.length > samplesKept) samples.shift();
    },
    toTheirs: (reading) => (samples.length === 0 ? undefined : Math.round(reading - Math.min(...samples))),
  };
}

/** Messages this process has sent: a quote of one is known at once, and the history shows only what is new. */
interface SentMessages {
  add(chat: string, messageId: string, text: string): void;
  /** Undefined when it is not ours, or sent too long ago. */
  find(chat: string, messageId: string): string | undefined;
}

/** NapCat itself remembers the newest 5000 message ids. */
const remembered = 5_000;
const excerpt = 500;

function createSentMessages(): SentMessages {
  const texts = new Map<string, string>();
  return {
    add(chat, messageId, text) {
      texts.set(`${chat} ${messageId}`, text.slice(0, excerpt).toWellFormed());
      const [oldest] = texts.keys();
      if (texts.size > remembered && oldest !== undefined) texts.delete(oldest);
    },
    find: (chat, messageId) => texts.get(`${chat} ${messageId}`),
  };
}

/** A piece of work in two steps. */
interface AccountJob<T> {
  /** Begins at once, before its turn: a chat full of quotes waits for one of them, not for all in a row. */
  prepare(signal: AbortSignal): Promise<T>;
  /** Has its turn after everything that came before in the chat. */
  handle(prepared: T): Promise<unknown>;
}

/** Works on the events of an account: one after the other in each chat. It waits out a full disk. */
export interface AccountWork {
  /** Answers whether the job was done; never rejects. What is not begun when the channel stops is dropped. */
  push<T>(account: Account, chat: string, job: AccountJob<T>): Promise<boolean>;
  /** Tries until it succeeds; undefined when stopped in the meantime. */
  untilStored<T>(attempt: () => Promise<T>): Promise<T | undefined>;
}

/** Beyond this many waiting events newer ones are dropped; the next look into the history may bring them back. */
const waitingLimit = 5_000;

export function createAccountWork(parts: {
  readonly storingMs: readonly number[];
  /** The reason why nothing can be stored; undefined when storing works again. */
  readonly onStoring: (fault: string | undefined) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}): AccountWork {
  const { storingMs, onStoring, log, signal } = parts;

  async function runInTurn<T>(account: Account, before: Promise<unknown> | undefined, job: AccountJob<T>) {
    try {
      const [prepared] = await Promise.allSettled([job.prepare(signal), before]);
      // An aborted event is not half stored: the history has it at the next start.
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
          if (!(await sleep(pickStep(storingMs, failures), signal))) return undefined;
        }
      }
    },
  };
}
