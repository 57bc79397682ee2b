/** A key that one process holds. `retryCount` = how many holders fell silent before this one. */
export interface ClaimedKey {
  readonly id: string;
  readonly key: string;
  readonly retryCount: number;
}

/** Keys that processes of one database hold, each one process at a time. All calls may fail with a store error. */
export interface ClaimQueue {
  /** Lets any process take these keys. A key that waits or is held stays as it is. */
  offer(keys: readonly string[]): Promise<void>;
  /** Takes at most `count` keys that no process holds. */
  take(count: number): Promise<readonly ClaimedKey[]>;
  /** A sign of life. Returns the ids of those that are still held by this process. */
  touch(claims: readonly ClaimedKey[]): Promise<ReadonlySet<string>>;
  /** Afterwards no process holds the key, and it does not wait either. Does nothing when another process holds it by now. */
  giveBack(claim: ClaimedKey): Promise<void>;
}

export interface ClaimQueues {
  open(name: string): Promise<ClaimQueue>;
  /** Ends every claim and offer. For the process that knows that it is alone: all holders are dead. */
  forgetAll(): Promise<void>;
  close(): Promise<void>;
}
