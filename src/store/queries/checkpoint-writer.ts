import { AppError } from "../../core/errors.ts";

export interface CheckpointKey {
  readonly thread: string;
  readonly namespace: string;
  readonly id: string;
}

export interface StoredCheckpoint extends CheckpointKey {
  readonly parent: string | null;
  readonly format: string;
  readonly checkpoint: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface StoredWrite {
  readonly task: string;
  readonly position: number;
  readonly channel: string;
  readonly format: string;
  readonly value: Uint8Array;
  readonly taskPath: string;
}

/**
 * Writes every step of a turn. The one place where the engines differ in more than types: SQLite's way is a
 * transaction, which costs nothing in one process; Postgres' way is one statement, which is one trip to the server.
 * A thread that was fenced refuses any token but the fence's with TURN_LOST.
 */
export interface CheckpointWriter {
  /** Stores a checkpoint; with `prune` its ancestors go, and their writes. */
  put(row: StoredCheckpoint, options: { readonly prune: boolean; readonly token: number | undefined }): Promise<void>;
  /** Stores the writes of one task. Special writes (negative position) replace, ordinary ones are kept as first written. */
  putWrites(key: CheckpointKey, writes: readonly StoredWrite[], token: number | undefined): Promise<void>;
  /** Removes the threads that are not listed (turns that have ended), fences included: at start no writer is late. */
  sweep(keep: readonly string[]): Promise<void>;
}

/** Throws when another writer holds the thread's fence; null when it was never fenced. */
export function requireFence(thread: string, fence: number | null, token: number | undefined): void {
  if (fence === null || fence === token) return;
  throw new AppError("TURN_LOST", `Thread ${thread} belongs to token ${fence}, not ${token ?? "none"}.`);
}
