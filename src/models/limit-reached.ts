import { AppError } from "../core/errors.ts";
import type { LimitState } from "./list-limits.ts";

/** A limit that stops the user until the next day of this zone begins. */
export interface ReachedLimit extends LimitState {
  readonly zone: string;
}

export class LimitReached extends AppError {
  readonly reached: ReachedLimit;

  constructor(reached: ReachedLimit) {
    const { key, limit, scope, used } = reached;
    super(
      scope === "person" ? "QUOTA_SPENT" : "BUDGET_SPENT",
      `${key} is used up today: ${used} of ${limit}. It begins anew at midnight (${reached.zone}).`,
    );
    this.reached = reached;
  }
}
