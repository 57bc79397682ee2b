/** Milliseconds. */
export interface ApiPace {
  /** After something was said the end is looked for so often, at these distances. */
  readonly quickLooks: number;
  readonly quickMs: number;
  /** Otherwise. */
  readonly lookMs: number;
  /** A comment in a stream, so that nothing on the way takes it for dead. */
  readonly aliveMs: number;
}

export const defaultApiPace: ApiPace = { quickLooks: 40, quickMs: 10, lookMs: 500, aliveMs: 15_000 };
