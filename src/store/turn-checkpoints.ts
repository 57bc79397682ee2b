import type { Kysely } from "kysely";
import { AppError } from "../core/errors.ts";
import type { CheckpointKey, CheckpointWriter, StoredCheckpoint, StoredWrite } from "./queries/checkpoint-writer.ts";
import { deleteCheckpoints, fenceThread } from "./queries/checkpoints.ts";
import type { CheckpointDatabase } from "./schema/database.ts";

/** Turned into bytes only when it is stored: most states of a turn never are. */
interface HeldCheckpoint {
  toRow(): Promise<StoredCheckpoint>;
}
interface HeldWrites {
  readonly key: CheckpointKey;
  toRows(): Promise<readonly StoredWrite[]>;
}

/**
 * The state of running turns. The newest one stays in memory until it must be on disk: before a tool acts, a model is
 * asked once more, or the turn waits for people (kernel/agent/agent.ts). A turn that dies before goes on from the state
 * before it.
 */
export interface TurnCheckpoints {
  /** From now on only this token may write the thread, in memory and on disk. The first token finds nothing on disk. */
  fence(thread: string, token: number): Promise<void>;
  /** Whether there is nothing of the thread, neither here nor on disk. */
  isEmpty(thread: string): boolean;
  /** Takes the place of the state before it. Refuses a token that is not the thread's with TURN_LOST, like `holdWrites`. */
  hold(thread: string, token: number | undefined, checkpoint: HeldCheckpoint): void;
  holdWrites(thread: string, token: number | undefined, writes: HeldWrites): void;
  /** Writes down what is held. */
  flush(thread: string): Promise<void>;
  /**
   * The newest state on disk. LangGraph reads it twice when a turn goes on; the second time it comes from memory, since
   * only the holder of the token writes.
   */
  readNewest(thread: string, read: () => Promise<NewestState | undefined>): Promise<NewestState | undefined>;
  /** The turn has ended: removes everything of it. Writers that come late are refused. */
  remove(thread: string): Promise<void>;
}

export interface NewestState {
  readonly row: StoredCheckpoint;
  readonly writes: readonly StoredWrite[];
}

interface Thread {
  readonly token: number;
  /** Something of it may be on disk. */
  isStored: boolean;
  checkpoint: HeldCheckpoint | undefined;
  writes: HeldWrites[];
  newest?: NewestState | undefined;
  /** On its way to the disk. */
  writing?: Promise<void>;
}

export function createTurnCheckpoints(db: Kysely<CheckpointDatabase>, writer: CheckpointWriter): TurnCheckpoints {
  const threads = new Map<string, Thread>();

  function take(thread: string, token: number | undefined): Thread {
    const known = threads.get(thread);
    if (known !== undefined && known.token === token) return known;
    const owner = known === undefined ? "has ended" : `belongs to token ${known.token}`;
    throw new AppError("TURN_LOST", `Thread ${thread} ${owner}; token ${token ?? "none"} may not write.`);
  }

  return {
    async fence(thread, token) {
      const known = threads.get(thread);
      if (known === undefined || known.token < token) {
        // After a fault of the store the same process goes on from what it holds.
        const { checkpoint, isStored = token > 1, writes = [] } = known ?? {};
        threads.set(thread, { token, isStored: isStored || token > 1, checkpoint, writes });
      }
      // Before its first token no process held the turn.
      if (token > 1) await fenceThread(db, thread, token);
    },
    isEmpty(thread) {
      const known = threads.get(thread);
      return known !== undefined && !known.isStored && known.checkpoint === undefined;
    },
    hold(thread, token, checkpoint) {
      const known = take(thread, token);
      known.checkpoint = checkpoint;
      known.writes = [];
      known.newest = undefined;
    },
    holdWrites(thread, token, writes) {
      const known = take(thread, token);
      known.writes.push(writes);
      known.newest = undefined;
    },
    async flush(thread) {
      const known = threads.get(thread);
      if (known === undefined) return;
      const { checkpoint, token, writes } = known;
      if (checkpoint !== undefined) {
        const row = await checkpoint.toRow();
        // Bytes take a moment. What is written after the end of the turn would stay for ever.
        take(thread, token);
        const prune = known.isStored;
        known.isStored = true;
        await (known.writing = writer.put(row, { prune, token }));
        if (known.checkpoint === checkpoint) known.checkpoint = undefined;
      }
      for (const held of writes) {
        const rows = await held.toRows();
        take(thread, token);
        known.isStored = true;
        await (known.writing = writer.putWrites(held.key, rows, token));
        known.writes = known.writes.filter((one) => one !== held);
      }
    },
    async readNewest(thread, read) {
      const known = threads.get(thread);
      if (known?.newest === undefined) {
        const newest = await read();
        if (known) known.newest = newest;
        return newest;
      }
      const { newest } = known;
      known.newest = undefined;
      return newest;
    },
    async remove(thread) {
      const known = threads.get(thread);
      threads.delete(thread);
      await known?.writing?.catch(() => undefined);
      if (known?.isStored !== false) await deleteCheckpoints(db, thread);
    },
  };
}
