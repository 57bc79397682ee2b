import type { BudgetOptions } from "./budget-options.ts";
import type { Spending } from "./types.ts";

/** The price of a request, in millionths of the currency of the prices; 0 for a model without a price. */
export function priceUsage(
  prices: BudgetOptions["prices"],
  model: string,
  { cachedInput: cached, input, output }: Spending["usage"],
): number {
  const price = prices[model] ?? { input: 0, output: 0 };
  return Math.round(
    (input - cached) * price.input + cached * (price.cachedInput ?? price.input) + output * price.output,
  );
}
