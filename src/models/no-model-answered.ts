import { AppError, type ErrorCode } from "../core/errors.ts";
import type { ModelFailure } from "./classify-failure.ts";

/** An outage that may pass by itself. */
export interface PassingOutage {
  /** How many models there are; none of them answered. */
  readonly models: number;
  /** The shortest time that a server asked to be left alone for, milliseconds. */
  readonly retryAfterMs: number;
}

/** No model answered. `passing` is absent where waiting does not help: a refused key, an empty account, a wrong name. */
export class NoModelAnswered extends AppError {
  readonly passing: PassingOutage | undefined;
  /** The newest of each model, in the order of asking. */
  readonly failures: readonly ModelFailure[];

  constructor(
    code: ErrorCode,
    message: string,
    passing: PassingOutage | undefined,
    failures: readonly ModelFailure[] = [],
  ) {
    super(code, message);
    this.passing = passing;
    this.failures = failures;
  }
}

const passingKinds: ReadonlySet<ModelFailure["kind"]> = new Set(["busy", "server", "network", "slow"]);

/** The reason to wait, from the newest failure of each model. */
export function findPassingOutage(failures: readonly ModelFailure[]): PassingOutage | undefined {
  const passing = failures.filter(({ kind }) => passingKinds.has(kind));
  if (passing.length === 0) return undefined;
  return { models: failures.length, retryAfterMs: Math.min(...passing.map(({ retryAfterMs = 0 }) => retryAfterMs)) };
}
