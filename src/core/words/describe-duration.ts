import { countOf } from "./count-of.ts";
import type { Language } from "../conversation.ts";

interface Units {
  readonly less: string;
  readonly second: (count: number) => string;
  readonly minute: (count: number) => string;
  readonly hour: (count: number) => string;
}

const units: Readonly<Record<Language, Units>> = {
  zh: {
    less: "不到 1 秒",
    second: (count) => `${count} 秒`,
    minute: (count) => `${count} 分钟`,
    hour: (count) => `${count} 小时`,
  },
  en: {
    less: "less than a second",
    second: (count) => countOf(count, "second"),
    minute: (count) => countOf(count, "minute"),
    hour: (count) => countOf(count, "hour"),
  },
  ja: {
    less: "1 秒未満",
    second: (count) => `${count} 秒`,
    minute: (count) => `${count} 分`,
    hour: (count) => `${count} 時間`,
  },
};

/** From here on seconds say nothing any more. */
const secondsUntilMs = 10 * 60_000;

/** How long people have for something, never more than it is: whole seconds below ten minutes, else whole minutes. */
export function describeDuration(milliseconds: number, language: Language): string {
  const { less, second, minute, hour } = units[language];
  const seconds = Math.floor(Math.max(0, milliseconds) / 1_000);
  if (!(seconds > 0)) return less;
  const parts = [
    { count: Math.floor(seconds / 3_600), name: hour },
    { count: Math.floor((seconds % 3_600) / 60), name: minute },
    { count: milliseconds < secondsUntilMs ? seconds % 60 : 0, name: second },
  ];
  return parts.flatMap(({ count, name }) => (count > 0 ? [name(count)] : [])).join(" ");
}
