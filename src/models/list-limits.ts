import type { DayUsage, UsageSum } from "../core/usage.ts";
import type { BudgetOptions } from "./budget-options.ts";

/** A limit of a day, and how far it is used up. */
export interface LimitState {
  readonly scope: "person" | "chat" | "all" | "model";
  readonly unit: "tokens" | "cost";
  /** `provider:NAME`; of the scope model. */
  readonly model?: string;
  /** Tokens, or the currency of the prices. */
  readonly used: number;
  readonly limit: number;
  /** The key of models.yaml that sets it. */
  readonly key: string;
}

const million = 1_000_000;

export function countTokens({ input, output }: UsageSum): number {
  return input + output;
}

/**
 * The limits that are set, in the order in which they stop a person. The limits for all people hold for owners, too.
 */
export function listLimits(options: BudgetOptions, usage: DayUsage, owner: boolean): readonly LimitState[] {
  const { tokens, cost, personCost, models } = options;
  const own = owner ? "owner" : "person";
  const states: (LimitState | undefined)[] = [
    limitOf("tokens", usage.mine, tokens[own], { scope: "person", key: `budget.tokens.${own}` }),
    limitOf("cost", usage.mine, owner ? undefined : personCost, { scope: "person", key: "budget.personCost" }),
    limitOf("tokens", usage.chat, tokens.chat, { scope: "chat", key: "budget.tokens.chat" }),
    limitOf("tokens", usage.all, tokens.all, { scope: "all", key: "budget.tokens.all" }),
    limitOf("cost", usage.all, cost, { scope: "all", key: "budget.cost" }),
  ];
  for (const [model, limits] of Object.entries(models)) {
    const used = usage.models.get(model) ?? { calls: 0, estimated: 0, input: 0, output: 0, cost: 0 };
    const of = { scope: "model", model } as const;
    states.push(
      limitOf("tokens", used, limits.tokens, { ...of, key: `budget.models.${model}.tokens` }),
      limitOf("cost", used, limits.cost, { ...of, key: `budget.models.${model}.cost` }),
    );
  }
  return states.filter((state) => state !== undefined);
}

function limitOf(
  unit: LimitState["unit"],
  usage: UsageSum,
  limit: number | undefined,
  of: Pick<LimitState, "scope" | "model" | "key">,
): LimitState | undefined {
  if (limit === undefined) return undefined;
  return { ...of, unit, used: unit === "tokens" ? countTokens(usage) : usage.cost / million, limit };
}

/** A share that is no number counts as reached. */
export function isReached({ used, limit }: Pick<LimitState, "used" | "limit">): boolean {
  return !(used < limit);
}

/** 1 = reached. */
export function shareOf({ used, limit }: Pick<LimitState, "used" | "limit">): number {
  const share = used / limit;
  return limit === 0 || Number.isNaN(share) ? 1 : share;
}

/** Whole percent for people: 100 only when it is reached, and then what it really is. */
export function percentOf(state: Pick<LimitState, "used" | "limit">): number {
  if (state.limit === 0 || Number.isNaN(state.used)) return 100;
  // 290 of 1,000 is 28.999… when it is divided first.
  const percent = Math.floor((state.used * 100) / state.limit + 1e-9);
  return isReached(state) ? Math.max(percent, 100) : Math.min(percent, 99);
}

/** The fullest limit of a scope; undefined when it has none. */
export function findFullest(states: readonly LimitState[], scope: LimitState["scope"]): LimitState | undefined {
  return states.filter((state) => state.scope === scope).toSorted((a, b) => shareOf(b) - shareOf(a))[0];
}
