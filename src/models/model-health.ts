import type { Clock } from "../core/clock.ts";
import type { ModelFailure } from "./classify-failure.ts";
import type { ModelStatus } from "./types.ts";

/** After the first, second and every later failure in a row a model is left alone this long. */
const coolDownsMs = [60_000, 5 * 60_000, 25 * 60_000];

export interface ModelHealth {
  succeed(): void;
  fail(failure: ModelFailure): void;
  /** It failed lately and should not be asked while another can be. */
  readonly coolingDown: boolean;
  /** Why it failed last; undefined when it has answered since. */
  readonly lastFailure: ModelFailure | undefined;
  status(): ModelStatus;
}

/** The health of one model, from its own answers; nothing is probed. */
export function createModelHealth(model: string, clock: Clock): ModelHealth {
  let state: ModelStatus["state"] = model === "offline" ? "ready" : "unproven";
  let since = clock.now();
  let detail = model === "offline" ? "rule-driven, built in" : "not asked yet";
  let failures = 0;
  let coolUntil = 0;
  let lastFailure: ModelFailure | undefined;

  function change(next: ModelStatus["state"]): void {
    if (next !== state) since = clock.now();
    state = next;
  }

  return {
    succeed() {
      change("ready");
      detail = model === "offline" ? "rule-driven, built in" : "answers";
      failures = 0;
      coolUntil = 0;
      lastFailure = undefined;
    },
    fail(failure) {
      // A single conversation that the model refuses says nothing about the next.
      if (failure.kind === "refused" || failure.kind === "long") return;
      const coolDown = coolDownsMs[Math.min(failures, coolDownsMs.length - 1)] ?? 0;
      failures += 1;
      lastFailure = failure;
      coolUntil = clock.now() + Math.max(coolDown, failure.retryAfterMs ?? 0);
      change("failing");
      detail = failure.detail;
    },
    get lastFailure() {
      return lastFailure;
    },
    get coolingDown() {
      return clock.now() < coolUntil;
    },
    status: () => ({ model, state, since, detail }),
  };
}
