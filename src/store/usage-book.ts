import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { describeError } from "../core/errors.ts";
import type { ModelCall, PersonDay, UsageRow } from "../core/usage.ts";
import { isRowFault } from "./engines/is-store-fault.ts";
import { listLinkedAccounts } from "./queries/account-links.ts";
import { insertModelCall } from "./queries/model-calls.ts";
import { addUsage, sumDay, sumUp, sumUsage } from "./queries/usage.ts";
import type { Database } from "./schema/database.ts";

/** Milliseconds that a count waits for a transaction to go along with. */
const maxWaitMs = 1_000;
const maxReads = 4;

/**
 * The usage of models. It counts at once, for all people, and is written with the next transaction of a turn: the one
 * that records a round's verdicts, or the turn's end. A transaction of its own would be one more wait for the disk in
 * every turn.
 */
export interface UsageBook {
  /**
   * Throws when a count is not a non-negative integer: in shared transactions it would fail every writer. `call` = the
   * request that it counts, when a turn made it.
   */
  add(row: UsageRow, call?: ModelCall): void;
  /**
   * A day's sums of all people, of one person with all their accounts, of a conversation and of each model, with what
   * is not written yet. Never less than was counted.
   */
  sumDay(day: string, person: string, chat: string): Promise<PersonDay>;
  /** A transaction of the main tables that also writes what was counted. `work` runs again where a count is refused. */
  inTransaction<Result>(work: (tx: Kysely<Database>) => Promise<Result>): Promise<Result>;
  /** Writes what was counted now. */
  flush(): Promise<void>;
}

/** A count with the requests that it is made of. */
type Counted = UsageRow & { readonly requests: readonly ModelCall[] };

export function createUsageBook(main: Kysely<Database>, log?: Pick<Logger, "error">): UsageBook {
  /** By day, person, conversation and model. */
  let waiting = new Map<string, Counted>();
  const leaving = new Set<Counted>();
  let timer: NodeJS.Timeout | undefined;

  function add(row: UsageRow, call?: ModelCall): void {
    const { cached, calls, cost, estimated, input, output } = row;
    const bad = [cached, calls, cost, estimated, input, output].find(
      (count) => !Number.isSafeInteger(count) || count < 0,
    );
    if (bad !== undefined) throw new RangeError(`${bad} is no count`);
    count({ ...row, requests: call ? [call] : [] });
  }

  function count(row: Counted): void {
    const key = JSON.stringify([row.day, row.person, row.session, row.model]);
    const before = waiting.get(key);
    const cached = row.cached + (before?.cached ?? 0);
    const requests = [...(before?.requests ?? []), ...row.requests];
    waiting.set(key, { ...row, ...sumUsage(before ? [before, row] : [row]), cached, requests });
    timer ??= setTimeout(() => {
      timer = undefined;
      // A fault of the store: it was given back and is written later.
      flush().catch(() => undefined);
    }, maxWaitMs).unref();
  }

  async function flush(): Promise<void> {
    if (waiting.size > 0) await inTransaction(() => Promise.resolve());
  }

  async function inTransaction<Result>(work: (tx: Kysely<Database>) => Promise<Result>): Promise<Result> {
    // In one order: two transactions that count for the same people never wait for each other in a circle.
    const rows = new Set([...waiting].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row));
    waiting = new Map();
    for (const row of rows) leaving.add(row);
    const bare = new Set<Counted>();
    try {
      for (;;) {
        const done = await write(work, rows, bare);
        if (done.kind === "written") return done.result;
        if (done.kind === "refused-request") {
          const { requests, ...counted } = done.row;
          const turns = requests.map(({ turn }) => turn);
          log?.error(
            { ...counted, turns, reason: describeError(done.error) },
            "requests to a model could not be noted",
          );
          bare.add(done.row);
          continue;
        }
        // Put back, it would fail the next transaction, of another turn.
        const { requests: _requests, ...refused } = done.row;
        log?.error({ ...refused, reason: describeError(done.error) }, "what a model used up could not be written");
        rows.delete(done.row);
        leaving.delete(done.row);
      }
    } catch (error) {
      for (const row of rows) count(row);
      throw error;
    } finally {
      for (const row of rows) leaving.delete(row);
    }
  }

  async function write<Result>(
    work: (tx: Kysely<Database>) => Promise<Result>,
    rows: ReadonlySet<Counted>,
    /** Those without their requests, which the engine refused: what was used up counts all the same. */
    bare: ReadonlySet<Counted>,
  ): Promise<
    | { readonly kind: "written"; readonly result: Result }
    | { readonly kind: "refused" | "refused-request"; readonly row: Counted; readonly error: unknown }
  > {
    let writing: Counted | undefined;
    let isRequest = false;
    try {
      const result = await main.transaction().execute(async (tx) => {
        const worked = await work(tx);
        for (const row of rows) {
          writing = row;
          isRequest = false;
          const { requests, ...usage } = row;
          await addUsage(tx, usage);
          isRequest = true;
          if (!bare.has(row)) for (const request of requests) await insertModelCall(tx, request);
        }
        writing = undefined;
        return worked;
      });
      return { kind: "written", result };
    } catch (error) {
      if (writing === undefined || !isRowFault(error)) throw error;
      return { kind: isRequest ? "refused-request" : "refused", row: writing, error };
    }
  }

  /**
   * Taken before the table is read: a row that is written in between would count twice, never not at all. Then it is read
   * again.
   */
  async function readWhole<Stored>(read: () => Promise<Stored>) {
    for (let tries = 1; ; tries += 1) {
      const written = [...leaving];
      const here = [...waiting.values(), ...written];
      const stored = await read();
      if (written.length === 0 || tries === maxReads) return { here, stored };
      // The writer of a COMMIT that the table shows has been answered by then.
      await new Promise((resolve) => setImmediate(resolve));
      if (written.every((row) => leaving.has(row))) return { here, stored };
    }
  }

  return {
    add,
    inTransaction,
    flush,
    async sumDay(day, person, chat) {
      const accounts = await listLinkedAccounts(main, person);
      const { here, stored } = await readWhole(() => sumDay(main, day, accounts, chat));
      const waits = sumUp(
        here.filter((row) => row.day === day),
        {
          isMine: (row) => accounts.includes(row.person),
          isHere: (row) => row.session === chat,
        },
      );
      const models = new Map(
        [...stored.models.keys(), ...waits.models.keys()].map((model) => {
          const sums = [stored.models.get(model), waits.models.get(model)].filter((sum) => sum !== undefined);
          return [model, sumUsage(sums)] as const;
        }),
      );
      return {
        accounts,
        all: sumUsage([stored.all, waits.all]),
        mine: sumUsage([stored.mine, waits.mine]),
        chat: sumUsage([stored.chat, waits.chat]),
        models,
      };
    },
  };
}
