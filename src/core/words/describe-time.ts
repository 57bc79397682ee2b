import type { Language } from "../conversation.ts";
import { describeDuration } from "./describe-duration.ts";
import type { Words } from "./dictionary.ts";
import { wordsFor } from "./words.ts";
import type { Schedule } from "../schedule/schedule.ts";
import { toWallTime } from "../schedule/zoned-time.ts";

const locales = { zh: "zh-CN", en: "en-GB", ja: "ja-JP" } as const;
const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** With its weekday, as people say it: 「11月24日周二 08:00」; the year when it is another one, seconds within the hour. */
export function describeTime(at: number, zone: string, language: Language, now: number): string {
  const isThisYear = toWallTime(at, zone).year === toWallTime(now, zone).year;
  const date = new Intl.DateTimeFormat(locales[language], {
    timeZone: zone,
    month: language === "en" ? "short" : "long",
    day: "numeric",
    weekday: "short",
    ...(!isThisYear && { year: "numeric" }),
  }).format(at);
  const isExact = at % 60_000 !== 0 && Math.abs(at - now) < hourMs;
  const clock = new Intl.DateTimeFormat(locales[language], {
    timeZone: zone,
    hourCycle: "h23",
    hour: "2-digit",
    minute: "2-digit",
    ...(isExact && { second: "2-digit" }),
  }).format(at);
  return `${date} ${clock}`;
}

/** How long it is until then; days are counted in whole ones only. */
export function describeWait(milliseconds: number, language: Language): string {
  const days = Math.floor(milliseconds / dayMs);
  return days >= 1 ? wordsFor(language).times.days(days) : describeDuration(milliseconds, language);
}

/** How something repeats: 「每周一 09:00」; undefined when it comes once. */
export function describeRepetition(schedule: Schedule, language: Language): string | undefined {
  const { every } = wordsFor(language).times;
  switch (schedule.kind) {
    case "once":
      return undefined;
    case "every": {
      const days = schedule.everyMs / dayMs;
      return Number.isInteger(days) ? every.days(days) : every.term(describeDuration(schedule.everyMs, language));
    }
    case "cron":
      return describeCron(schedule.cron, language);
  }
}

function describeCron(cron: string, language: Language): string {
  const { every } = wordsFor(language).times;
  const [minute = "", hours = "", day = "", month = "", weekdays = ""] = cron.trim().split(/\s+/);
  if (!/^\d{1,2}$/.test(minute) || !/^\d{1,2}(?:,\d{1,2}){0,23}$/.test(hours)) return every.cron(cron);
  const clock = hours
    .split(",")
    .map((hour) => `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`)
    .join(" ");
  if (day === "*" && month === "*") {
    if (weekdays === "*") return every.day(clock);
    if (weekdays === "1-5") return every.workdays(clock);
    if (/^[0-6](?:,[0-6]){0,6}$/.test(weekdays))
      return every.weekdays({ days: nameWeekdays(weekdays.split(",").map(Number), language), clock });
  }
  if (weekdays !== "*") return every.cron(cron);
  if (day === "L" && month === "*") return every.monthEnd(clock);
  if (!/^\d{1,2}$/.test(day)) return every.cron(cron);
  const date = Number(day);
  if (month === "*") return tellSkipped(every.month({ day: date, clock }), date, everyMonth, every);
  if (!/^\d{1,2}(?:,\d{1,2}){0,11}$/.test(month)) return every.cron(cron);
  const months = month.split(",").map(Number);
  const [only = 1, second] = months;
  if (second === undefined) {
    const how = every.year({ month: only, day: date, clock });
    return only === 2 && date === 29 ? every.leapYears(how) : how;
  }
  return tellSkipped(
    every.months({ months: months.join(separators[language]), day: date, clock }),
    date,
    months,
    every,
  );
}

const everyMonth = Array.from({ length: 12 }, (_, index) => index + 1);

/** Cron leaves months out that are too short; February counts with its 28 days. */
function tellSkipped(how: string, day: number, months: readonly number[], every: Words["times"]["every"]): string {
  const isSkipped = months.some((month) => new Date(Date.UTC(2027, month, 0)).getUTCDate() < day);
  return isSkipped ? every.skips({ how, day }) : how;
}

const separators = { zh: "、", en: ", ", ja: "・" } as const;

/** 0 = Sunday. */
function nameWeekdays(weekdays: readonly number[], language: Language): string {
  const weekday = language === "en" ? "long" : "narrow";
  const format = new Intl.DateTimeFormat(locales[language], { weekday, timeZone: "UTC" });
  // 4 January 1970 was a Sunday.
  return weekdays.map((day) => format.format((3 + day) * dayMs)).join(separators[language]);
}
