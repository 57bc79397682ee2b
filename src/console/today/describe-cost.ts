import type { BudgetOptions } from "../../models/budget-options.ts";
import type { UsageOfDay } from "../../store/queries/days.ts";
import type { CostView } from "../views/today-views.ts";

export const shownDays = 14;
const million = 1_000_000;

/** `days` = the names of the days to show, the oldest first; the last one is today. */
export function describeCost(
  usage: readonly UsageOfDay[],
  days: readonly string[],
  { cost, prices, tokens }: Pick<BudgetOptions, "cost" | "prices" | "tokens">,
): CostView {
  const known = new Map(usage.map((row) => [row.day, row]));
  const shown = days.map((day) => {
    const row = known.get(day);
    return { day, tokens: row ? row.input + row.output : 0, spent: row ? row.cost / million : 0 };
  });
  const today = known.get(days.at(-1) ?? "");
  const hasPrice = Object.keys(prices).length > 0 || shown.some(({ spent }) => spent > 0);
  const limit = hasPrice ? cost : tokens.all;
  return {
    tokens: today ? today.input + today.output : 0,
    ...(hasPrice && { spent: today ? today.cost / million : 0 }),
    ...(limit !== undefined && { limit }),
    ...(today && today.input > 0 && { cached: today.cached / today.input }),
    days: shown,
  };
}
