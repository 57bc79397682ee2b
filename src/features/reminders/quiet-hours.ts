import { dueWords } from "./due-words.ts";
import type { Clock } from "../../core/clock.ts";
import { readCount } from "../../language/time/read-count.ts";
import { findHours } from "../../language/time/said-hours.ts";
import type { DayPart } from "../../core/schedule/time-parts.ts";
import { listLinkedAccounts } from "../../store/queries/account-links.ts";
import { findPersonSettings, savePersonSettings } from "../../store/queries/person-settings.ts";
import { releaseReminders } from "./queries/reminders.ts";
import type { Store } from "../../store/open-store.ts";
import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";

/** `/quiet 23:00-07:00`, `/quiet off`; alone it says how it is. They hold for all accounts of a person, in their zone. */
export function createQuietHours(parts: {
  readonly store: Pick<Store, "main">;
  /** The zone of people who named none. */
  readonly zone: () => string;
  /** Reminders that waited for the end of quiet hours may be due now. */
  readonly onChange: () => void;
  readonly clock: Clock;
}) {
  const { store, clock } = parts;
  return async ({ person, rest, language }: CommandCall): Promise<CommandAnswer> => {
    const wanted = readQuietHours(rest);
    if (wanted === undefined) return { text: dueWords[language].quietHours.usage };
    const accounts = await listLinkedAccounts(store.main, person.id);
    if (wanted !== "show") {
      await store.main.transaction().execute(async (tx) => {
        await savePersonSettings(tx, person.id, accounts, { ...wanted, now: clock.now() });
        await releaseReminders(tx, accounts);
      });
      parts.onChange();
    }
    const { quietFrom: from, quietUntil: until, zone } = await findPersonSettings(store.main, accounts);
    if (from !== null && until !== null)
      return {
        text: dueWords[language].quietHours.set({
          from: toClock(from),
          until: toClock(until),
          zone: zone ?? parts.zone(),
        }),
      };
    return { text: wanted === "show" ? dueWords[language].quietHours.none : dueWords[language].quietHours.off };
  };
}

function readQuietHours(
  text: string,
): { readonly quietFrom: number | null; readonly quietUntil: number | null } | "show" | undefined {
  const said = text.normalize("NFKC").trim().toLowerCase();
  if (said === "") return "show";
  if (["off", "关", "关掉", "オフ"].includes(said)) return { quietFrom: null, quietUntil: null };
  const [, from = "", until = ""] =
    /^([^-–—~到至]{1,16}?)\s*(?:-|–|—|~|到|至|から|to)\s*([^-–—~到至]{1,16}?)(?:まで)?$/.exec(said) ?? [];
  const [quietFrom, quietUntil] = [readClock(from), readClock(until)];
  if (quietFrom === undefined || quietUntil === undefined || quietFrom === quietUntil) return undefined;
  return { quietFrom, quietUntil };
}

const clock =
  /^(凌晨|早上|早|上午|中午|下午|傍晚|晚上|晚|夜里|夜|午前|午後|朝)?\s*(\d{1,2}|[一二两三四五六七八九十]{1,3})(?::(\d{2})|[点點時时]钟?(半)?)?\s*([ap]m)?$/;

/** 23:00, 23点, 晚上十一点, 11pm. 24:00 is the midnight that ends a day. */
function readClock(text: string): number | undefined {
  const match = clock.exec(text.trim());
  if (match === null) return undefined;
  const [, part = "", said = "", minutes = "0", half, meridiem] = match;
  const minute = half === undefined ? Number(minutes) : 30;
  const named = readCount(said) ?? NaN;
  if (meridiem !== undefined && !(named >= 1 && named <= 12)) return undefined;
  const [hour] = findHours({ hour: named, minute, plain: true }, dayParts[meridiem ?? part]) ?? [];
  return hour === undefined ? undefined : (hour % 24) * 60 + minute;
}

const dayParts: Readonly<Record<string, DayPart>> = {
  凌晨: "small",
  am: "small",
  早上: "morning",
  早: "morning",
  上午: "morning",
  朝: "morning",
  午前: "morning",
  中午: "noon",
  下午: "afternoon",
  午後: "afternoon",
  pm: "afternoon",
  傍晚: "evening",
  晚上: "night",
  晚: "night",
  夜里: "night",
  夜: "night",
};

function toClock(minutes: number): string {
  const pad = (count: number): string => String(count).padStart(2, "0");
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
