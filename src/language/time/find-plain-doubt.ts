const monthName = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}";
const weekdayName = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?";
const nth = "(?:first|second|third|fourth|fifth|last|final|1st|2nd|3rd|4th|5th)";

/** An hour that no clock shows: 25:00, 9:75, 13pm. */
const impossible =
  /\b(?:at|by|from|until|till|around)\s+(?:(?:2[5-9]|[3-9]\d):\d{2}|\d{1,2}:[6-9]\d)\b|(?<![\d:.])(?:1[3-9]|[2-9]\d)\s?[ap]m\b|(?:^|[^\d:：])(?:2[5-9]|[3-9]\d)\s?o'clock/i;

/** A weekday counted within a month. */
const countedWeekday = new RegExp(
  `\\b${nth}\\s+(?:${weekdayName}|week-?days?|work(?:ing)?\\s?days?|business days?|weekends?)\\s+(?:of|in)\\s+(?:(?:the|each|every|this|next)\\s+)?(?:(?:following\\s+)?(?:month|quarter|year)|${monthName})\\b`,
  "i",
);

/** A week, a month or a year, and no day in it. */
const period = new RegExp(
  `(?:下下?个?|这个?|這個?|本|今|明|后|後)(?:周|週|星期|礼拜|禮拜|月|年)(?![一二三四五六日天末底亮\\d])|[上中下]旬|月初|月中|年初|年中|(?:来|再来)(?:週|月|年)|\\b(?:next|this|coming)\\s+(?:week|month|year|quarter)\\b|\\b(?:early|mid|late|beginning of|end of)[\\s-]+(?:${monthName}|next\\b|this\\b)`,
  "i",
);

/** A doubt in the words themselves, regardless of how a reader of times takes them. */
export function findPlainDoubt(text: string): "impossible" | "unread" | undefined {
  if (impossible.test(text)) return "impossible";
  return countedWeekday.test(text) ? "unread" : undefined;
}

/** Whether a week, a month or a year is named: 下星期, "next month". */
export function namesPeriod(text: string): boolean {
  return period.test(text);
}
