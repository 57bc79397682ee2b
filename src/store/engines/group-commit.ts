import type { DatabaseSync } from "node:sqlite";
import { createFlushQueue } from "./flush-queue.ts";
import type { WriteAheadLog } from "./write-ahead-log.ts";

/** The most that one COMMIT covers: writers, and milliseconds since the first of them began. */
const usual = { writers: 64, ms: 10 };

/** A transaction among those that share a COMMIT. */
export interface GroupedWriter {
  /** Throws when the database undid it: a full disk can end the whole group in the middle. */
  assertOpen(): void;
  /** Its part is whole. Resolves when the COMMIT that covers it is on the disk; rejects when it failed. */
  end(): Promise<void>;
  /** Takes back what this writer did, and nothing of the others. Does nothing after `end`. */
  undo(): void;
}

/**
 * Writers of one connection, one after the other. Simultaneous writers share a COMMIT, and commits of one moment a flush
 * of the log. No caller gets an answer before that, so no caller acts on a row that may still vanish
 * (docs/decisions/store-and-crashes.md#concurrent-writers-share-a-commit,
 * docs/decisions/store-and-crashes.md#the-main-file-is-flushed-in-the-thread-pool-off-the-event-loop).
 */
export interface GroupCommit {
  begin(): Promise<GroupedWriter>;
  /** A single statement that needs no transaction of its own. */
  write<Result>(run: () => Result): Promise<Result>;
  /** A statement failed: notifies the writers before it when it takes them down too. */
  noteFailure(error: unknown): void;
  /** Resolves when everything committed so far is on the disk; undefined when it is. */
  readonly unflushed: Promise<void> | undefined;
  /** Commits what waits, and waits for the disk. No statement may be running. */
  close(): Promise<void>;
}

interface Group {
  readonly since: number;
  /** Writers that are done and wait for the COMMIT. */
  readonly ended: PromiseWithResolvers<void>[];
  /** Why none of it is kept. */
  lost?: unknown;
}

/** Without a log writers are answered after the COMMIT, whether the disk has it or not. */
export function createGroupCommit(
  database: Pick<DatabaseSync, "exec" | "isTransaction">,
  log?: Pick<WriteAheadLog, "sync" | "lose">,
  most: { readonly writers: number; readonly ms: number } = usual,
): GroupCommit {
  const flushes = log && createFlushQueue(log);
  const waiting: (() => void)[] = [];
  let isAtWork = false;
  let group: Group | undefined;
  let due: NodeJS.Immediate | undefined;

  async function waitForPlace(): Promise<void> {
    if (isAtWork) await new Promise<void>((resolve) => waiting.push(resolve));
    else isAtWork = true;
  }

  function leavePlace(): void {
    try {
      if (group && (group.ended.length >= most.writers || performance.now() - group.since >= most.ms)) commit();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else isAtWork = false;
      // Others whose turn comes in this round of the event loop still join.
      if (!next && group) due ??= setImmediate(commitUnlessAtWork);
    }
  }

  function commitUnlessAtWork(): void {
    due = undefined;
    if (!isAtWork) commit();
  }

  /** A COMMIT that failed, and could not be rolled back at that moment, left its transaction open. */
  function undoLeftover(): void {
    if (!group && database.isTransaction) database.exec("rollback");
  }

  function open(): Group {
    if (group) return group;
    undoLeftover();
    // Deferred, it would fail in the middle when another process writes between its first read and its first write.
    database.exec("begin immediate");
    group = { since: performance.now(), ended: [] };
    return group;
  }

  function commit(): void {
    const ending = group;
    if (!ending) return;
    clearImmediate(due);
    due = undefined;
    try {
      database.exec("commit");
    } catch (error) {
      lose(ending, error);
      return;
    }
    group = undefined;
    void answer(ending.ended);
  }

  async function answer(ended: Group["ended"]): Promise<void> {
    try {
      await flushes?.flush();
      for (const writer of ended) writer.resolve();
    } catch (error) {
      for (const writer of ended) writer.reject(repeatFault(error));
    }
  }

  /**
   * Undoes the whole group and rejects each writer with the cause. It never throws, since every writer that ends passes
   * here.
   */
  function lose(losing: Group, error: unknown): void {
    losing.lost = error;
    group = undefined;
    try {
      undoLeftover();
    } catch {
      // The next one to write begins with it.
    }
    for (const writer of losing.ended) writer.reject(repeatFault(error));
  }

  function join(joined: Group): Promise<void> {
    if (joined.lost !== undefined) throw repeatFault(joined.lost);
    const ended = Promise.withResolvers<void>();
    joined.ended.push(ended);
    return ended.promise;
  }

  /** The same way as a group, so answers come in the order of the commits. */
  function waitAlone(): Promise<void> | undefined {
    if (!flushes) return undefined;
    const ended = Promise.withResolvers<void>();
    void answer([ended]);
    return ended.promise;
  }

  function noteFailure(error: unknown): void {
    if (group && !database.isTransaction) lose(group, error);
  }

  async function begin(): Promise<GroupedWriter> {
    await waitForPlace();
    const isFirst = group === undefined;
    let isOver = false;
    let mine: Group;
    try {
      mine = open();
      if (!isFirst) database.exec("savepoint writer");
    } catch (error) {
      noteFailure(error);
      leavePlace();
      throw error;
    }

    function undo(): void {
      if (isOver) return;
      isOver = true;
      try {
        if (mine.lost !== undefined) return;
        if (isFirst) lose(mine, new Error("its only writer took it back"));
        else database.exec("rollback to writer; release writer");
      } catch (error) {
        lose(mine, error);
      } finally {
        leavePlace();
      }
    }

    return {
      undo,
      assertOpen() {
        if (mine.lost !== undefined) throw repeatFault(mine.lost);
      },
      async end() {
        if (!isFirst && mine.lost === undefined) database.exec("release writer");
        const committed = join(mine);
        isOver = true;
        leavePlace();
        await committed;
      },
    };
  }

  async function write<Result>(run: () => Result): Promise<Result> {
    await waitForPlace();
    // Others that write at this moment come along.
    if (!group) await new Promise((resolve) => setImmediate(resolve));
    let committed: Promise<void> | undefined;
    try {
      // Alone it is a transaction by itself, and a statement that fails undoes itself.
      undoLeftover();
      const joined = group || waiting.length > 0 ? open() : undefined;
      const result = run();
      committed = joined ? join(joined) : waitAlone();
      return result;
    } catch (error) {
      noteFailure(error);
      // It may have failed on a row that is not on the disk yet.
      committed = flushes?.pending;
      throw error;
    } finally {
      leavePlace();
      await committed;
    }
  }

  async function close(): Promise<void> {
    commit();
    while (flushes?.pending) await flushes.pending;
  }

  return {
    begin,
    write,
    noteFailure,
    get unflushed() {
      return flushes?.pending;
    },
    close,
  };
}

/** An error of its own for each that hears of it, with the code by which a fault of the store is known. */
function repeatFault(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  return Object.assign(new Error(error.message, { cause: error }), {
    ...(code !== undefined && { code }),
    ...(errcode !== undefined && { errcode }),
  });
}
