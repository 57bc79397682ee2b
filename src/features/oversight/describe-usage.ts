import { oversightWords } from "./words.ts";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { BudgetState } from "../../models/budget.ts";
import { countTokens, isReached, type LimitState } from "../../models/list-limits.ts";
import type { UsageRow, UsageSum } from "../../core/usage.ts";
import { sumUsage } from "../../store/queries/usage.ts";
import { writeAmount, writePercent } from "../../kernel/turns/describe-limits.ts";
import type { TellOwners } from "../../kernel/outbox/tell-owners.ts";

const maxLines = 8;

/**
 * Today's numbers, each limit with its share: a person's own and their chat's, and for those who may see all, the
 * totals.
 */
export function describeUsage(
  state: BudgetState,
  rows: readonly UsageRow[],
  language: Language,
  { showsAll, hasCheaper }: { readonly showsAll: boolean; readonly hasCheaper: boolean },
): string {
  const texts = oversightWords[language].limits;
  const { all, chat, limits, mine, share, states } = state;
  const find = (scope: LimitState["scope"], unit: LimitState["unit"]) =>
    states.find((limit) => limit.scope === scope && limit.unit === unit);
  const bound = (limit: LimitState | undefined) =>
    limit === undefined
      ? texts.none
      : texts.bound({ limit: limit.limit.toLocaleString("en"), percent: writePercent(limit) });
  const count = (sum: UsageSum) => ({ tokens: countTokens(sum).toLocaleString("en"), calls: sum.calls });
  const cost = (limit: LimitState) => ({ cost: limit.used.toFixed(4), limit: bound(limit) });
  const lines = [texts.mine({ ...count(mine), limit: bound(find("person", "tokens")) })];
  const ownCost = find("person", "cost");
  if (ownCost) lines.push(texts.myCost(cost(ownCost)));
  if (mine.estimated > 0) lines.push(texts.estimated(mine.estimated));
  const ofChat = find("chat", "tokens");
  if (ofChat) lines.push(texts.chat({ ...count(chat), limit: bound(ofChat) }));
  if (showsAll) {
    lines.push(texts.all({ ...count(all), limit: bound(find("all", "tokens")) }));
    const ofAll = find("all", "cost");
    if (all.cost > 0 || ofAll) lines.push(texts.cost({ cost: (all.cost / 1_000_000).toFixed(4), limit: bound(ofAll) }));
    for (const limit of states.filter(({ scope }) => scope === "model"))
      lines.push(
        texts.modelLimit({
          model: limit.model ?? "",
          what: writeAmount(limit, wordsFor(language)),
          percent: writePercent(limit),
        }),
      );
    for (const [model, tokens] of listLargest(rows, "model")) lines.push(texts.ofModel({ model, tokens }));
    for (const [person, tokens] of listLargest(rows, "person")) lines.push(texts.ofPerson({ person, tokens }));
    if (all.estimated > 0) lines.push(texts.estimated(all.estimated));
  }
  if (share >= 1) lines.push(texts.over({ ownersGoOn: limits.whenSpent === "owner" }));
  else if (share >= limits.cheaperAt && hasCheaper) lines.push(texts.cheaper);
  return lines.join("\n");
}

/** The models or people that used the most tokens, with how many; those without any are left out. */
function listLargest(rows: readonly UsageRow[], by: "model" | "person"): readonly (readonly [string, string])[] {
  const names = [...new Set(rows.map((row) => row[by]))];
  const sums = names.map((name) => [name, countTokens(sumUsage(rows.filter((row) => row[by] === name)))] as const);
  const largest = sums
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, maxLines);
  return largest.map(([name, tokens]) => [name, tokens.toLocaleString("en")]);
}

/** Tells the owners: of each limit at its warning and at its end, once a day. */
export async function warnOwners(
  tellOwners: TellOwners,
  state: BudgetState,
  limit: LimitState,
  hasCheaper: boolean,
): Promise<void> {
  const isOver = isReached(limit);
  const ownersGoOn = state.limits.whenSpent === "owner";
  const id = `budget:${state.day}${isOver ? `:reached:${limit.model ?? ""}` : ""}`;
  await tellOwners(id, (words, language) => {
    const limits = oversightWords[language].limits;
    const of = { percent: writePercent(limit), what: writeAmount(limit, words) };
    if (limit.scope === "model") return limits.modelSpent({ ...of, model: limit.model ?? "" });
    return isOver ? limits.spent({ ...of, ownersGoOn, hasCheaper }) : limits.warning({ ...of, hasCheaper });
  });
}
