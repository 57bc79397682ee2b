/** Every time the channel keeps, milliseconds. */
export interface QqPace {
  /** Until the server has said hello and has let us in. */
  readonly handshakeMs: number;
  /** Before the connection is opened again, after the first, second … failure; the last one stays. */
  readonly reconnectMs: readonly number[];
  /** After a refusal that only an operator can mend. */
  readonly refusedMs: number;
  /** After the first, second … failure to store. */
  readonly storingMs: readonly number[];
  /** How often the API is asked whether it is there, where no connection tells. */
  readonly checkMs: number;
  /** Between two pieces of a text that grows. */
  readonly streamMs: number;
}

export const defaultQqPace: QqPace = {
  handshakeMs: 20_000,
  reconnectMs: [1_000, 2_000, 5_000, 10_000, 30_000],
  refusedMs: 60_000,
  storingMs: [1_000, 2_000, 5_000, 10_000],
  checkMs: 60_000,
  streamMs: 800,
};
