import { countTokens, type BudgetState } from "../../models/budget.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { UsageRow } from "../../core/usage.ts";
import { sumUsage } from "../../store/queries/usage.ts";
import type { TellOwners } from "../outbox/tell-owners.ts";

const mostLines = 8;

/** Today's numbers: a person's own, and everybody's for an owner. */
export function describeUsage(state: BudgetState, rows: readonly UsageRow[], words: Words, owner: boolean): string {
  const texts = words.oversight.limits;
  const { all, limits, mine, share } = state;
  const limit = (most: number | undefined) => (most === undefined ? texts.none : most.toLocaleString("en"));
  const own = limit(owner ? limits.tokens.owner : limits.tokens.person);
  const lines = [texts.mine({ tokens: countTokens(mine).toLocaleString("en"), calls: mine.calls, limit: own })];
  if (mine.estimated > 0) lines.push(texts.estimated(mine.estimated));
  if (owner) {
    const total = { tokens: countTokens(all).toLocaleString("en"), calls: all.calls, limit: limit(limits.tokens.all) };
    lines.push(texts.all(total));
    if (all.cost > 0 || limits.cost !== undefined)
      lines.push(texts.cost({ cost: (all.cost / 1_000_000).toFixed(4), limit: limit(limits.cost) }));
    // Models without a price and calls without tokens say nothing.
    for (const [model, tokens] of group(rows, "model")) lines.push(texts.ofModel({ model, tokens }));
    for (const [person, tokens] of group(rows, "person")) lines.push(texts.ofPerson({ person, tokens }));
    if (all.estimated > 0) lines.push(texts.estimated(all.estimated));
  }
  if (share >= limits.cheaperAt) lines.push(texts.cheaper);
  return lines.join("\n");
}

function group(rows: readonly UsageRow[], by: "model" | "person"): readonly (readonly [string, string])[] {
  const names = [...new Set(rows.map((row) => row[by]))];
  const sums = names.map((name) => [name, countTokens(sumUsage(rows.filter((row) => row[by] === name)))] as const);
  const largest = sums
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, mostLines);
  return largest.map(([name, tokens]) => [name, tokens.toLocaleString("en")]);
}

/** Which limit of all it is, for the warning. */
function nameShare({ all, limits, share }: BudgetState): string {
  const tokens = countTokens(all);
  if (limits.tokens.all !== undefined && tokens / limits.tokens.all >= share)
    return `${tokens} / ${limits.tokens.all} token`;
  return `${(all.cost / 1_000_000).toFixed(4)} / ${limits.cost ?? 0}`;
}

/** Tells the owners once a day. */
export async function warnOwners(tellOwners: TellOwners, state: BudgetState): Promise<void> {
  const of = { percent: Math.floor(state.share * 100), what: nameShare(state) };
  await tellOwners(`budget:${state.day}`, (words) => words.oversight.limits.warning(of));
}
