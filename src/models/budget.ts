import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import { AppError, describeError } from "../core/errors.ts";
import type { BudgetOptions } from "./budget-options.ts";
import type { Models, Payer, Spending } from "./types.ts";
import type { UsageRow, UsageSum } from "../core/usage.ts";

/** How far the limits of a day are used up. */
export interface BudgetState {
  readonly day: string;
  readonly mine: UsageSum;
  readonly all: UsageSum;
  /** The fullest limit of all: 1 = reached. */
  readonly share: number;
  readonly limits: BudgetOptions;
}

export interface Budget {
  /** Counts what a request to a model has used up. Never throws. */
  spend(spending: Spending): Promise<void>;
  look(person: string): Promise<BudgetState>;
  /** The same models, asked only as far as the limits allow; close to them those of `cheaper`. */
  guard(models: Models, cheaper: () => Models): Models;
}

const million = 1_000_000;

export function createBudget(parts: {
  /** Where it is counted. */
  readonly usage: {
    readonly add: (row: UsageRow) => void;
    readonly sumDay: (day: string, person: string) => Promise<{ readonly all: UsageSum; readonly mine: UsageSum }>;
  };
  readonly options: () => BudgetOptions;
  readonly zone: () => string;
  /** A share of a limit of all is used up; told again at each request until somebody notes it. */
  readonly onWarning: (state: BudgetState) => Promise<void>;
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
}): Budget {
  const { clock, log } = parts;
  let warned = "";

  let days = { zone: "", format: new Intl.DateTimeFormat("sv-SE") };
  const today = (): string => {
    const zone = parts.zone();
    // Making the format takes longer than all else here.
    if (days.zone !== zone) days = { zone, format: new Intl.DateTimeFormat("sv-SE", { timeZone: zone }) };
    return days.format.format(clock.now());
  };

  async function look(person: string): Promise<BudgetState> {
    const day = today();
    const { all, mine } = await parts.usage.sumDay(day, person);
    const limits = parts.options();
    const shares = [countTokens(all) / (limits.tokens.all ?? Number.POSITIVE_INFINITY)];
    if (limits.cost !== undefined) shares.push(limits.cost === 0 ? 1 : all.cost / million / limits.cost);
    const share = Math.max(...shares);
    // A share that is no number counts as a limit that is reached.
    return { day, mine, all, share: Number.isNaN(share) ? 1 : share, limits };
  }

  async function spend({ estimated, model, payer, usage }: Spending): Promise<void> {
    try {
      const { input, output, cachedInput: cached } = usage;
      const price = parts.options().prices[model] ?? { input: 0, output: 0 };
      const paid = (input - cached) * price.input + cached * (price.cachedInput ?? price.input) + output * price.output;
      const counted = { calls: 1, estimated: estimated ? 1 : 0, input, output, cached, cost: Math.round(paid) };
      const row = { day: today(), person: payer.id, model, ...counted };
      parts.usage.add(row);
      // The count of the one before died with its process: it is taken to have been as large as this one.
      if (payer.repeats) parts.usage.add({ ...row, estimated: 1 });
      if (!hasLimitOfAll(parts.options()) || warned === today()) return;
      const state = await look(payer.id);
      if (state.share < state.limits.warnAt) return;
      await parts.onWarning(state);
      warned = state.day;
    } catch (error) {
      // The answer is there and paid for; a turn that fails now would pay again.
      log.error({ model, person: payer.id, reason: describeError(error) }, "what a model used up was not counted");
    }
  }

  async function choose(payer: Payer): Promise<"usual" | "cheaper"> {
    const { tokens } = parts.options();
    const own = (payer.owner ? tokens.owner : tokens.person) ?? Number.POSITIVE_INFINITY;
    if (own === Number.POSITIVE_INFINITY && !hasLimitOfAll(parts.options())) return "usual";
    const { limits, mine, share } = await look(payer.id);
    if (!(countTokens(mine) < own)) throw new AppError("QUOTA_SPENT", `${payer.id} has used up ${own} tokens today.`);
    if (share >= 1 && !(payer.owner && limits.whenSpent === "owner")) {
      throw new AppError("BUDGET_SPENT", "The limits of models.yaml for everybody are used up today.");
    }
    return share >= limits.cheaperAt ? "cheaper" : "usual";
  }

  return {
    spend,
    look,
    guard: (models, cheaper) => ({
      offline: models.offline,
      get contextTokens() {
        return models.contextTokens;
      },
      get inputs() {
        return models.inputs;
      },
      status: () => models.status(),
      async ask(request, onEvent) {
        const chosen = await choose(request.payer);
        return (chosen === "usual" ? models : cheaper()).ask(request, onEvent);
      },
    }),
  };
}

function hasLimitOfAll({ cost, tokens }: BudgetOptions): boolean {
  return cost !== undefined || tokens.all !== undefined;
}

export function countTokens({ input, output }: UsageSum): number {
  return input + output;
}
