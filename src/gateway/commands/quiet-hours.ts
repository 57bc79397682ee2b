import type { Clock } from "../../core/clock.ts";
import { listLinkedAccounts } from "../../store/queries/account-links.ts";
import { findPersonSettings, savePersonSettings } from "../../store/queries/person-settings.ts";
import { releaseReminders } from "../../store/queries/reminders.ts";
import type { Store } from "../../store/open-store.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";

/** `/quiet 23:00-07:00`, `/quiet off`; alone it says how it is. They hold for all accounts of a person, in their zone. */
export function createQuietHours(parts: {
  readonly store: Pick<Store, "main">;
  /** Of people who named none. */
  readonly zone: () => string;
  /** What waited for the end of quiet hours may be due now. */
  readonly onChange: () => void;
  readonly clock: Clock;
}) {
  const { store, clock } = parts;
  return async ({ person, rest, words }: CommandCall): Promise<CommandAnswer> => {
    const wanted = readQuietHours(rest);
    if (wanted === undefined) return { text: words.quiet.usage };
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
      return { text: words.quiet.set({ from: toClock(from), until: toClock(until), zone: zone ?? parts.zone() }) };
    return { text: wanted === "show" ? words.quiet.none : words.quiet.off };
  };
}

function readQuietHours(
  text: string,
): { readonly quietFrom: number | null; readonly quietUntil: number | null } | "show" | undefined {
  const said = text.normalize("NFKC").trim().toLowerCase();
  if (said === "") return "show";
  if (["off", "关", "关掉", "オフ"].includes(said)) return { quietFrom: null, quietUntil: null };
  const [, from = "", until = ""] = /^(\d{1,2}:\d{2})\s*(?:-|–|~|到|から)\s*(\d{1,2}:\d{2})$/.exec(said) ?? [];
  const [quietFrom, quietUntil] = [readClock(from), readClock(until)];
  if (quietFrom === undefined || quietUntil === undefined || quietFrom === quietUntil) return undefined;
  return { quietFrom, quietUntil };
}

/** 24:00 is the midnight that ends a day. */
function readClock(text: string): number | undefined {
  const [hour = NaN, minute = NaN] = text.split(":").map(Number);
  if (hour === 24 && minute === 0) return 0;
  return hour < 24 && minute < 60 ? hour * 60 + minute : undefined;
}

function toClock(minutes: number): string {
  const pad = (count: number): string => String(count).padStart(2, "0");
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
