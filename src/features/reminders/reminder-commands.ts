import { wordsFor } from "../../core/words/words.ts";
import { reminderWords } from "./words.ts";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { describeRepetition, describeTime, describeWait } from "../../core/words/describe-time.ts";
import { findZoneOfPlace } from "../../language/time/find-places.ts";
import { resolveZone } from "../../core/schedule/zoned-time.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { listLinkedAccounts } from "../../store/queries/account-links.ts";
import { findPersonSettings, findPersonZone, savePersonSettings } from "../../store/queries/person-settings.ts";
import { cancelReminder, listOwnReminders, type Reminder } from "./queries/reminders.ts";
import type { Store } from "../../store/open-store.ts";
import { describeFault } from "./describe-fault.ts";
import { setReminder, type ReminderParts } from "./tools/reminders/set-reminder.ts";
import { moveToZone } from "./move-to-zone.ts";
import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";

/** More of the moved reminders, or of the others, are only counted in the answer to a person's first zone. */
const maxShownReminders = 5;

/** `/reminders`, `/reminders cancel N`, `/reminders zone Z` and `/remind WHEN WHAT`; no model is asked. */
export function createReminderCommands(parts: {
  readonly store: Pick<Store, "main">;
  readonly reminders: ReminderParts["reminders"];
  /** The zone of people who named none. */
  readonly zone: () => string;
  readonly clock: Clock;
}) {
  const { store, clock } = parts;

  const findZone = async (person: string): Promise<string> =>
    (await findPersonZone(store.main, person)) ?? parts.zone();

  /** A group reads along, so it only sees what was set there. */
  const list = ({ message, person, session }: CommandCall) =>
    listOwnReminders(store.main, person.id, message.chatKind === "private" ? undefined : session);

  async function show(call: CommandCall): Promise<string> {
    const { language } = call;
    const own = await list(call);
    if (own.length === 0) return reminderWords[language].none;
    const zone = await findZone(call.person.id);
    const lines = own.map((reminder, index) => describeItem(reminder, index + 1, { zone, language }));
    return [reminderWords[language].heading(own.length), ...lines].join("\n");
  }

  function describeItem(
    { nextDue, schedule, task, text }: Reminder,
    number: number,
    { zone, language }: { readonly zone: string; readonly language: Language },
  ): string {
    const texts = wordsFor(language).times;
    const now = clock.now();
    const next = nextDue ?? now;
    const how = describeRepetition(schedule, language);
    const when = `${describeTime(next, zone, language, now)}${how === undefined ? "" : texts.repeats(how)}`;
    const shown = `${makeVisible(text.replaceAll(/\s+/g, " "))}${task ? ` ${reminderWords[language].task}` : ""}`;
    return texts.item({ number, when, left: describeWait(next - now, language), text: shown });
  }

  /** By the number of the list, or by id. */
  async function cancel(call: CommandCall, which: string): Promise<string> {
    const texts = reminderWords[call.language];
    const own = await list(call);
    const reminder = /^\d{1,3}$/.test(which)
      ? own[Number(which) - 1]
      : own.find(({ id }) => id === which.toUpperCase());
    const isDone = reminder !== undefined && (await cancelReminder(store.main, reminder.id, clock.now()));
    return isDone ? texts.cancelled(makeVisible(reminder.text)) : texts.unknown(makeVisible(which.slice(0, 20)));
  }

  async function setZone(call: CommandCall, wanted: string): Promise<string> {
    const { person, language } = call;
    const texts = reminderWords[language];
    if (wanted === "") return texts.zoneIs(await findZone(person.id));
    const zone = wanted.length > 64 ? undefined : (findZoneOfPlace(wanted) ?? resolveZone(wanted));
    if (zone === undefined) return texts.zoneUnknown(makeVisible(wanted.slice(0, 40)));
    const accounts = await listLinkedAccounts(store.main, person.id);
    const now = clock.now();
    const moved = await store.main.transaction().execute(async (tx) => {
      const isFirst = (await findPersonSettings(tx, accounts)).zone === null;
      await savePersonSettings(tx, person.id, accounts, { zone, now });
      return isFirst ? moveToZone(tx, accounts, { from: parts.zone(), to: zone, now }) : undefined;
    });
    if (moved === undefined) return texts.zoneSet(zone);
    if (moved.size > 0) parts.reminders.onChange();
    return tellFirstZone(call, zone, moved);
  }

  /** Shows what became of the reminders that were set before the person named a zone. */
  async function tellFirstZone(call: CommandCall, zone: string, moved: ReadonlySet<string>): Promise<string> {
    const { language } = call;
    const texts = reminderWords[language];
    const shown = (await list(call)).map((reminder, index) => ({
      isMoved: moved.has(reminder.id),
      line: describeItem(reminder, index + 1, { zone, language }),
    }));
    const linesOf = (isMoved: boolean): readonly string[] =>
      shown.filter((one) => one.isMoved === isMoved).map(({ line }) => line);
    const cut = (lines: readonly string[], heading: string, hint: readonly string[] = []): readonly string[] =>
      lines.length === 0
        ? []
        : [
            heading,
            ...lines.slice(0, maxShownReminders),
            ...(lines.length > maxShownReminders ? [texts.zoneMore(lines.length - maxShownReminders)] : []),
            ...hint,
          ];
    return [
      texts.zoneFirst(zone),
      ...cut(linesOf(true), texts.zoneMoved),
      ...cut(linesOf(false), texts.zoneKept, [texts.zoneAgain]),
    ].join("\n");
  }

  async function reminders(call: CommandCall): Promise<CommandAnswer> {
    const { rest, language } = call;
    const [, action = "", what = ""] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
    switch (action.toLowerCase()) {
      case "":
      case "list":
      case "列表":
      case "一覧":
        return { text: await show(call) };
      case "cancel":
      case "取消":
      case "キャンセル":
        return { text: what === "" ? reminderWords[language].usage : await cancel(call, what.trim()) };
      case "zone":
      case "时区":
      case "タイムゾーン":
        return { text: await setZone(call, what.trim()) };
      default:
        // People write 「/提醒 明早八点 开会」 for /remind; words of English are misspelt actions.
        return /\P{ASCII}/u.test(rest) ? remind(call) : { text: reminderWords[language].usage };
    }
  }

  async function remind({ language, person, rest, session }: CommandCall): Promise<CommandAnswer> {
    const texts = reminderWords[language];
    if (rest === "") return { text: texts.remindUsage };
    const zone = await findZone(person.id);
    const now = clock.now();
    const place = { session, person, language, zone, taint: person.role === "owner" ? "owner" : "user", now } as const;
    const ports = { database: () => store.main, reminders: parts.reminders };
    const done = await setReminder(ports, { at: rest }, place, false);
    if (!done.ok) return { text: describeFault(done.fault, zone, language, now) };
    const how = describeRepetition(done.schedule, language);
    const when = `${describeTime(done.next, zone, language, now)}${how === undefined ? "" : wordsFor(language).times.repeats(how)}`;
    const set = texts.set({ when, left: describeWait(done.next - now, language), text: makeVisible(done.text) });
    return { text: done.isZoneAssumed ? `${set}\n${texts.zoneAssumed(done.zone)}` : set };
  }

  return { reminders, remind };
}
