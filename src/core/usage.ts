/** Usage of some requests to models. `cost` is in millionths of the currency that the prices are in. */
export interface UsageSum {
  readonly calls: number;
  /** How many of them the server reported no usage for. */
  readonly estimated: number;
  readonly input: number;
  readonly output: number;
  readonly cost: number;
}

export interface UsageRow extends UsageSum {
  /** `2026-11-22`, in the configured zone. */
  readonly day: string;
  readonly person: string;
  /** The conversation it was for; "" = none. */
  readonly session: string;
  readonly model: string;
  /** Part of the input that came from the cache. */
  readonly cached: number;
}

/** One request to a model in a round of a turn. Tokens, milliseconds, and the cost as in UsageSum. */
export interface ModelCall {
  readonly turn: string;
  readonly round: number;
  /** `provider:name` */
  readonly model: string;
  readonly startedAt: number;
  readonly ms: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cost: number;
  /** The server did not report the tokens. */
  readonly isEstimated: boolean;
  readonly end: "answered" | "stopped" | "failed";
}

/** A day's sums: of all people, of one person with all their accounts, of one conversation, and by model. */
export interface DayUsage {
  readonly all: UsageSum;
  readonly mine: UsageSum;
  readonly chat: UsageSum;
  readonly models: ReadonlyMap<string, UsageSum>;
}

/** The same, with the accounts of that person. */
export interface PersonDay extends DayUsage {
  readonly accounts: readonly string[];
}
