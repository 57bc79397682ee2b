/** Milliseconds. */
export interface ApiPace {
  /** After each message the end of the answer is looked for this many times, every `quickMs`. */
  readonly quickLooks: number;
  readonly quickMs: number;
  /** Between all other looks. */
  readonly lookMs: number;
  /** A comment in a stream, so that nothing on the way takes it for dead. */
  readonly aliveMs: number;
}

export const defaultApiPace: ApiPace = { quickLooks: 40, quickMs: 10, lookMs: 500, aliveMs: 15_000 };
