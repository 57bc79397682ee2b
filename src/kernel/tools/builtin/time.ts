import { z } from "zod";
import type { Language } from "../../../core/conversation.ts";
import { addDuration, parseDuration } from "../../../core/schedule/add-duration.ts";
import { parseMoment } from "../../../language/time/parse-moment.ts";
import { formatIso, resolveZone } from "../../../core/schedule/zoned-time.ts";
import { defineTool } from "../define-tool.ts";

const locales = { zh: "zh-CN", en: "en-GB", ja: "ja-JP" } as const;
const earliest = new Date("0001-01-02T00:00:00Z").getTime();
const latest = Date.UTC(9999, 11, 30);

/** Tells the time in any zone and computes with dates, so that the model need not. */
export function createTimeTool({ defaultZone }: { readonly defaultZone: string }) {
  return defineTool({
    name: "time",
    kind: "time",
    description: {
      zh: "现在几点、某地的时间、某个时刻加减一段时间后的日期、星期几、农历。不要自己推算日期,用这个工具。",
      en: "The time now or in another place, a date plus or minus some time, the weekday, the Chinese lunar date. Use it instead of working dates out yourself.",
    },
    input: z.strictObject({
      zone: z
        .string()
        .max(64)
        .refine((zone) => resolveZone(zone) !== undefined, {
          error: "must be a time zone such as Asia/Shanghai or UTC+8",
        })
        .optional()
        .describe("IANA time zone or offset; the person's own when left out."),
      at: z
        .string()
        .max(64)
        .optional()
        .describe("Moment to start from: 2026-11-22, 18:30 or 2026-11-22T18:30; now when left out."),
      add: z
        .string()
        .max(64)
        .optional()
        .describe("Time to add: 3h, -2d, 1h30m, 2w, 1mo, 1y, or ISO 8601 such as P1DT2H."),
      lunar: z.boolean().default(false).describe("Also give the Chinese lunar date."),
    }),
    level: "safe",
    readOnly: true,
    idempotent: true,
    place: "gateway",
    summarize: ({ at, add, zone }) => [at ?? "now", add, zone].filter((part) => part !== undefined).join(" "),
    run: (input, context) => {
      const zone = resolveZone(input.zone ?? context.zone) ?? defaultZone;
      const start = input.at === undefined ? context.now : parseMoment(input.at, zone, context.now);
      if (start === undefined) {
        return fail(`"${input.at}" is not a moment; write it like 2026-11-22T18:30, 2026-11-22 or 18:30.`);
      }
      const duration = parseDuration(input.add ?? "0s");
      if (duration === undefined) {
        return fail(`"${input.add}" is not a length of time; write it like 3h, -2d, 1h30m, 1mo or P1DT2H.`);
      }
      const instant = addDuration(start, duration, zone);
      if (!(instant >= earliest && instant <= latest))
        return fail("Only years 1 to 9999 can be told; use a nearer date.");
      const output = {
        iso: formatIso(instant, zone),
        local: formatLocal(instant, zone, context.language),
        weekday: new Intl.DateTimeFormat(locales[context.language], { timeZone: zone, weekday: "long" }).format(
          instant,
        ),
        zone,
        ...(input.lunar ? { lunar: formatLunar(instant, zone, context.language) } : {}),
      };
      return Promise.resolve({ ok: true as const, output, message: output.iso });
    },
  });
}

function fail(error: string): Promise<{ ok: false; error: string }> {
  return Promise.resolve({ ok: false, error });
}

function formatLocal(instant: number, zone: string, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], {
    timeZone: zone,
    dateStyle: "long",
    timeStyle: "medium",
    hourCycle: "h23",
  }).format(instant);
}

const animals = {
  zh: "鼠牛虎兔龙蛇马羊猴鸡狗猪",
  en: ["Rat", "Ox", "Tiger", "Rabbit", "Dragon", "Snake", "Horse", "Goat", "Monkey", "Rooster", "Dog", "Pig"],
};
const branches = "子丑寅卯辰巳午未申酉戌亥";

/** The Chinese calendar date of an instant in a zone: 丙午年(马)十月十四. A leap month reads 闰六月. */
function formatLunar(instant: number, zone: string, language: "zh" | "en" | "ja"): string {
  const format = new Intl.DateTimeFormat("zh-CN-u-ca-chinese", { timeZone: zone, dateStyle: "full" });
  const parts = format.formatToParts(instant);
  const read = (type: string): string => parts.find((part) => (part.type as string) === type)?.value ?? "";
  const year = read("yearName");
  const animal = branches.indexOf(year.slice(-1));
  const date = `${year}年(${animals.zh.charAt(animal)})${read("month")}${read("day")}`;
  return language === "en" ? `${date}, year of the ${animals.en[animal] ?? ""}` : date;
}
