/** The events of /api/stream, as the page reads them. */

/** The first one of a connection. */
export interface HelloEvent {
  readonly version: string;
  readonly now: number;
}

/** Every few seconds: the connection is there. */
export interface BeatEvent {
  readonly now: number;
}

/** Rows of this kind may be others than before. */
export interface StaleEvent {
  readonly topic: string;
  readonly id: string | null;
  readonly session: string | null;
}
