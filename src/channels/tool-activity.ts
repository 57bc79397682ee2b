/** A call of a running turn, as shown to people. */
export interface ToolActivity {
  readonly id: string;
  readonly name: string;
  /** The sub-agent that does it; absent for the main agent. */
  readonly agent?: string;
  /** The key argument, short and without secrets. */
  readonly summary: string;
  /** Her line about it while it runs. */
  readonly phrase: string;
  /** writing = the model still writes what the call is; whether it may run is not judged yet. */
  readonly status: "writing" | "started" | "done" | "failed" | "denied" | "unknown";
  /** Its progress while it runs: one short line. */
  readonly note?: string;
  readonly timingMs?: number;
  /** Its display, as Markdown of ours that quotes it; only for channels that show it live. */
  readonly display?: string;
  /** A command that ran, and ended with a code that is not 0 or by its time limit: for people it failed. */
  readonly ended?: CommandEnd;
}

/** `code` null when it was killed. */
export interface CommandEnd {
  readonly code: number | null;
  readonly late: boolean;
}
