import type { InboxItem } from "../../store/queries/inbox.ts";

/** The conversations that this process works on. */
export interface SessionClaims {
  /** Whether there may be other processes. */
  readonly isShared: boolean;
  /** Whether this process alone works on the conversation now. */
  isOurs(session: string): boolean;
  /** A row was committed: the process that works on its conversation begins it; if there is none, one is found. */
  pass(item: InboxItem): void;
  /** Looks for rows that wait and that no process has. */
  passAll(): Promise<void>;
  /** Stops the running work of a conversation that another process has. */
  abortElsewhere(session: string): void;
  /** Takes conversations from now on. */
  start(worker: ClaimWorker): Promise<void>;
  /** Takes no more; those that are held go on. */
  close(): Promise<void>;
  /** Gives back all. The work on them has ended. */
  stop(): Promise<void>;
}

/** The process, as its claims see it. */
export interface ClaimWorker {
  /** How many more conversations there is room for. */
  room(): number;
  /** Recovers what the last holder of a conversation left. `losses` = how many holders fell silent in a row. */
  takeUp(session: string, losses: number): Promise<void>;
  /** Leaves a conversation to others: saves what they need, unless it was `lost` to them already. Never throws. */
  letGo(session: string, lost: boolean): Promise<void>;
  /** Begins every unfinished row of a conversation that is not in progress, in order. */
  takeRows(session: string): Promise<void>;
  /** Begins a row that was just committed. */
  takeRow(item: InboxItem): void;
  /** Whether a row is in progress here. */
  hasRow(id: string): boolean;
  /** Whether nothing is in progress there. */
  isQuiet(session: string): boolean;
  /** Ends what runs there as at a shutdown: another process goes on with it. */
  leave(session: string): Promise<void>;
  abort(session: string): void;
}

/** Every conversation belongs to the one process there is: SQLite, and whoever has a Postgres database alone. */
export function claimEverySession(): SessionClaims {
  let worker: ClaimWorker | undefined;
  return {
    isShared: false,
    isOurs: () => true,
    // Rows from before the start are found by the recovery.
    pass: (item) => worker?.takeRow(item),
    passAll: async () => undefined,
    abortElsewhere: () => undefined,
    async start(given) {
      worker = given;
    },
    close: async () => undefined,
    stop: async () => undefined,
  };
}
