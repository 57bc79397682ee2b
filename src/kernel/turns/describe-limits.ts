import type { Words } from "../../core/words/dictionary.ts";
import type { ReachedLimit } from "../../models/limit-reached.ts";
import { isReached, percentOf, type LimitState } from "../../models/list-limits.ts";

export function writePercent(limit: Pick<LimitState, "used" | "limit">): string {
  return percentOf(limit).toLocaleString("en");
}

/** The used amount against the limit. */
export function writeAmount({ limit, unit, used }: LimitState, { control }: Words): string {
  if (unit === "cost") return `${used.toFixed(4)} / ${limit}`;
  return control.limits.tokens(`${used.toLocaleString("en")} / ${limit.toLocaleString("en")}`);
}

/** Explains a reached limit: which one, how far, when it resets, and what owners can do. */
export function describeReached(reached: ReachedLimit, words: Words, owner: boolean): string {
  const { key, model = "", scope, zone } = reached;
  const of = { percent: writePercent(reached), what: writeAmount(reached, words) };
  const { limits } = words.control;
  const remedy = owner ? limits.ownerRemedy(key) : limits.remedy(key);
  return `${limits.reached[scope]({ ...of, model })}${limits.anew(zone)}${remedy}`;
}

/** The line below a reply when a limit of its person or chat is close, or was exceeded by this reply. */
export function describeClose(limit: LimitState, zone: string, words: Words): string {
  const { limits } = words.control;
  const of = { scope: limit.scope, percent: writePercent(limit), what: writeAmount(limit, words) };
  return isReached(limit) ? `${limits.passed(of)}${limits.anew(zone)}` : limits.close(of);
}
