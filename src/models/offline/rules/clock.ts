import { z } from "zod";
import { hanNumber, readCount } from "../../../language/time/read-count.ts";
import type { ToolReport } from "../read-conversation.ts";
import { call, say } from "../rule.ts";
import type { Call, Clause, Rule, Wish } from "../rule.ts";
import { findPlaces } from "../../../language/time/find-places.ts";
import type { Place } from "../../../language/time/find-places.ts";

const asksNow =
  /几点|幾點|几时|现在.{0,6}(?:时间|日期|時間)|(?:当前|当地|什么|现在的|看下|看看|报一?下?)(?:时间(?!线|旅行)|日期|時間)|报时|几号|幾號|几月几|哪一?天(?!.{0,4}[去来有])|多少号|(?:星期|周|礼拜)几|(?:星期|週|禮拜)幾|^(?:时间|日期|時間)[?？。]?$|(?:农历|阴历|旧历).{0,6}(?:几|多少|什么|是)|\bwhat(?:'s|’s|s| is| was| will)?\s+(?:the\s+|be the |it )?(?:current\s+|local\s+)?(?:time|date|day)\b(?!\s*(?:machine|travel|leap|line|loop|difference))|\bwhat weekday\b|\b(?:current|local) (?:time|date)\b|\btell me the time\b|\btime is it\b|\btime now\b|\bthe time in\b|\btoday'?s date\b|^(?:time|date)[?.!]?$|何時(?!間)|何日(?!間)|何曜日|何月何日|今の時刻|時刻を|今日の日付|日時を|日付は|旧暦/;

const amount = `(?<amount>\\d{1,6}|[${hanNumber}半]{1,6}|a|an|one|two|three|four|five|six|seven|eight|nine|ten)`;
const units: readonly (readonly [names: string, unit: string])[] = [
  ["秒钟?|seconds?|secs?|秒", "s"],
  ["分钟|minutes?|mins?|分", "m"],
  ["个?半?小时|个?钟头|hours?|hrs?|時間", "h"],
  ["天|日|days?", "d"],
  ["个?星期|周|个?礼拜|weeks?|週間?", "w"],
  ["个月|月|months?|[かヶケカ]月", "mo"],
  ["年|years?", "y"],
];
const unit = `(?<unit>${units.map(([names]) => names).join("|")})`;
const offsets: readonly (readonly [form: RegExp, sign: "" | "-"])[] = [
  [new RegExp(`${amount}\\s*${unit}(?:之后|以后|过后|后|後)`), ""],
  [new RegExp(`(?:再过|过)\\s*${amount}\\s*${unit}`), ""],
  [
    new RegExp(
      `\\bin ${amount} ${unit}\\b|\\b${amount.replace("amount", "amount2")} ${unit.replace("unit", "unit2")} (?:from (?:now|today)|later)\\b`,
    ),
    "",
  ],
  [new RegExp(`${amount}\\s*${unit}(?:之前|以前|前)`), "-"],
  [new RegExp(`\\b${amount} ${unit} ago\\b`), "-"],
];
const days: readonly (readonly [form: RegExp, add: string])[] = [
  [/大后天|しあさって/, "3d"],
  [/后天|後天|day after tomorrow|明後日|あさって/, "2d"],
  [/明天|明日|明儿|tomorrow/, "1d"],
  [/大前天/, "-3d"],
  [/前天|day before yesterday|一昨日|おととい/, "-2d"],
  [/昨天|昨日|昨儿|yesterday/, "-1d"],
  [/下个?(?:星期|周|礼拜)的?今天|a week from today|来週の今日/, "1w"],
];

const feasts: readonly (readonly [form: RegExp, month: number, day: number])[] = [
  [/圣诞|聖誕|christmas|xmas|クリスマス/, 12, 25],
  [/元旦|新年|跨年|new year|お正月|元日|元旦/, 1, 1],
  [/国庆/, 10, 1],
  [/情人节|valentine|バレンタイン/, 2, 14],
  [/万圣节|halloween|ハロウィン/, 10, 31],
  [/劳动节|五一/, 5, 1],
  [/愚人节|april fool/, 4, 1],
];
const day = /(?:(?<year>\d{4})\s*[-年/.]\s*)?(?<month>\d{1,2})\s*[-月/.]\s*(?<day>\d{1,2})\s*[日号號]?/;

/** 「2026-12-25」, 「12月25号」, 「圣诞节」; the year may be left open. */
function findDay(text: string): { readonly year?: number; readonly month: number; readonly day: number } | undefined {
  const { year, month, day: date } = day.exec(text)?.groups ?? {};
  if (month !== undefined && date !== undefined && Number(month) <= 12 && Number(date) <= 31)
    return { ...(year !== undefined && { year: Number(year) }), month: Number(month), day: Number(date) };
  const feast = feasts.find(([form]) => form.test(text));
  return feast && { month: feast[1], day: feast[2] };
}

const pad = (value: number): string => String(value).padStart(2, "0");
const timeOutput = z.object({ iso: z.string() });

function readIso(report: ToolReport | undefined): string | undefined {
  return report?.result.ok === true ? timeOutput.safeParse(report.result.output).data?.iso : undefined;
}

/** The places of the clause, or else of what was said before it. */
function placesIn({ at, request, text }: Clause): readonly Place[] {
  const own = findPlaces(text, request.original(at));
  return own.length > 0 ? own : findPlaces(request.text, request.original(0));
}

/** How many days until it is that day, counted from the day the clock shows. */
const countdown: Rule = {
  kind: "ask",
  forms: [
    /(?:离|距|到).{1,20}(?:还有|还剩|有)?(?:多少天|几天|多久)|how (?:many days|long) (?:until|till|to|before|left)|days (?:until|till|to|left)|まで(?:あと)?(?:何日|どれくらい)/,
  ],
  read({ clause }) {
    const date = findDay(clause.text);
    if (date === undefined) return undefined;
    return call("time", {}, ([report]) => {
      const now = /^(\d{4})-(\d{2})-(\d{2})/.exec(readIso(report) ?? "");
      if (now === null) return undefined;
      const today = Date.UTC(Number(now[1]), Number(now[2]) - 1, Number(now[3]));
      const inYear = (year: number): number => Date.UTC(year, date.month - 1, date.day);
      const thisYear = inYear(date.year ?? Number(now[1]));
      const target = thisYear < today && date.year === undefined ? inYear(Number(now[1]) + 1) : thisYear;
      const shown = new Date(target).toISOString().slice(0, 10);
      const left = Math.round((target - today) / 86_400_000);
      return say(left === 0 ? "dayIsToday" : "daysLeft", { day: shown, days: left });
    });
  },
};

const difference: Rule = {
  kind: "ask",
  forms: [/差几个?小时|差多少(?:个)?小时|时差|時差|time (?:zone )?difference|hours? (?:ahead|behind|apart)/],
  read({ clause }) {
    const places = placesIn(clause);
    const [first, second] = places;
    if (first === undefined) return undefined;
    return {
      kind: "call",
      calls: [first, second].map((place) => ({
        name: "time",
        arguments: place === undefined ? {} : { zone: place.zone },
      })),
      next([one, other]) {
        const [from, to] = [readOffset(readIso(one)), readOffset(readIso(other))];
        if (from === undefined || to === undefined) return undefined;
        const hours = Math.round(Math.abs(from - to) / 6) / 10;
        const here = second?.name ?? "";
        const [ahead, behind] = from >= to ? [first.name, here] : [here, first.name];
        if (second === undefined)
          return hours === 0
            ? say("sameTimeHere", { place: first.name })
            : say(from > to ? "aheadOfHere" : "behindHere", { place: first.name, hours });
        return hours === 0
          ? say("sameTime", { one: first.name, other: here })
          : say("timeDifference", { ahead, behind, hours });
      },
    };
  },
};

/** Minutes east of Greenwich. */
function readOffset(iso: string | undefined): number | undefined {
  const match = /(?:Z|([+-])(\d{2}):?(\d{2}))$/.exec(iso ?? "");
  if (match === null) return undefined;
  return match[1] === undefined ? 0 : (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
}

/** 「北京时间 15:00 是纽约几点」: the moment there first, then what the other clock shows. */
const elsewhere: Rule = {
  kind: "ask",
  forms: [/(?<hour>\d{1,2})\s*(?:[:：点時]\s*(?<minute>\d{2})?|\s*(?<half>[ap]m)\b)/],
  read(found) {
    const { clause } = found;
    const [from, to] = placesIn(clause);
    const hour = Number(found.part("hour")) + (found.part("half") === "pm" && Number(found.part("hour")) < 12 ? 12 : 0);
    if (from === undefined || to === undefined || hour > 23 || !/几点|何時|what time|in /.test(clause.text))
      return undefined;
    const at = `${pad(hour)}:${found.part("minute") || "00"}`;
    return call("time", { zone: from.zone, at }, ([report]) => {
      const iso = readIso(report);
      return iso === undefined ? undefined : call("time", { zone: to.zone, at: iso });
    });
  },
};

const clock: Rule = {
  kind: "ask",
  forms: [asksNow],
  read({ clause }): Wish | undefined {
    if (/从几|几点(?:睡|起|下班|上班|吃|开|到|出|有)|何日か/.test(clause.text)) return undefined;
    const place = placesIn(clause)[0];
    const zone = place === undefined ? {} : { zone: place.zone };
    const lunar = /农历|阴历|旧历|lunar|旧暦/.test(clause.text) ? { lunar: true } : {};
    const add = findOffset(clause.text);
    if (add !== undefined) return call("time", { ...zone, add, ...lunar });
    const date = findDay(clause.text);
    if (date === undefined) return call("time", { ...zone, ...lunar });
    const at = (year: number): Call =>
      call("time", { ...zone, at: `${year}-${pad(date.month)}-${pad(date.day)}`, ...lunar });
    if (date.year !== undefined) return at(date.year);
    return call("time", zone, ([report]) => {
      const year = Number(readIso(report)?.slice(0, 4));
      return Number.isInteger(year) ? at(year) : undefined;
    });
  },
};

function findOffset(text: string): string | undefined {
  for (const [form, sign] of offsets) {
    const groups = form.exec(text)?.groups;
    const count = readCount(groups?.amount ?? groups?.amount2 ?? "");
    const named = groups?.unit ?? groups?.unit2;
    const short = units.find(([names]) => new RegExp(`^(?:${names})$`).test(named ?? ""))?.[1];
    if (count === undefined || short === undefined) continue;
    if (Number.isInteger(count)) return `${sign}${count}${short}`;
    return short === "h" ? `${sign}${count * 60}m` : undefined;
  }
  return days.find(([form]) => form.test(text))?.[1];
}

/** 「再过 100 天是哪一天」: the question may come before or after the offset. */
const later: Rule = {
  kind: "ask",
  forms: [/(?:是|was|is|は)(?:哪天|哪一天|什么日子|何)|哪一天|what (?:date|day|time)/],
  read({ clause }) {
    const add = findOffset(clause.text);
    return add === undefined ? undefined : call("time", { add });
  },
};

export const clockRules: readonly Rule[] = [countdown, difference, elsewhere, clock, later];
