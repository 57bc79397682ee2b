import type { ModelFailure } from "./classify-failure.ts";

/** A server that asks for a longer wait is left for the next model. */
const maxWaitMs = 5_000;

/**
 * How long to wait before the same model is asked again, or undefined when it should not be. `attempt` counts the
 * failed ones from 1; `chance` is a random number in 0..1 that spreads clients which failed together.
 */
export function planRetry(
  failure: ModelFailure,
  attempt: number,
  limits: { readonly retries: number; readonly backoffMs: number },
  chance: number,
): number | undefined {
  if (attempt > limits.retries) return undefined;
  switch (failure.kind) {
    case "busy":
    case "server":
    case "network":
    case "broken": {
      // A pause would only be waited by the person: nothing is wrong with the server.
      if (failure.stale && attempt === 1) return 0;
      const wanted = failure.retryAfterMs;
      if (wanted !== undefined) return wanted > maxWaitMs ? undefined : wanted;
      return limits.backoffMs * 2 ** (attempt - 1) * (0.5 + chance / 2);
    }
    // Waiting the full limit a second time costs more than asking another model.
    case "slow":
    case "key":
    case "quota":
    case "missing":
    case "long":
    case "refused":
      return undefined;
  }
}
