import type { Block, StepView } from "./chats-views.ts";

/** The events of /api/stream, as the page reads them. */

/** The first one of a connection. */
export interface HelloEvent {
  readonly version: string;
  readonly now: number;
}

/** Sent every few seconds as a sign of life. */
export interface BeatEvent {
  readonly now: number;
}

/** Rows of this topic may have changed. */
export interface StaleEvent {
  readonly topic: string;
  readonly id: string | null;
  readonly session: string | null;
}

/** The running turn of the watched conversation, as far as it has come. */
export interface LiveEvent {
  readonly session: string;
  readonly turn: string;
  readonly blocks: readonly Block[];
  readonly steps: readonly LiveStep[];
  readonly at: number;
}

export interface LiveStep extends Pick<StepView, "call" | "tool" | "argument" | "ms"> {
  /** writing = she still writes what the call is. */
  readonly state: "writing" | StepView["state"];
  /** Its progress, one line. */
  readonly note?: string;
  /** The sub-agent that does it. */
  readonly agent?: string;
}

/** That turn does not run any more; what it said is stored in a moment. */
export interface LiveEndEvent {
  readonly session: string;
  readonly turn: string;
}
