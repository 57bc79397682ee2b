import { dueWords } from "./due-words.ts";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Alarm } from "../../core/schedule/alarm.ts";
import { findQuietEnd } from "./find-quiet-end.ts";
import { findNext, type Schedule } from "../../core/schedule/schedule.ts";
import { createWakeLoop } from "../../core/schedule/wake-loop.ts";
import { isStoreFault } from "../../store/engines/is-store-fault.ts";
import type { Store } from "../../store/open-store.ts";
import { listLinkedAccounts } from "../../store/queries/account-links.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import { findPause } from "../../store/queries/pause.ts";
import { findPersonSettings } from "../../store/queries/person-settings.ts";
import {
  advanceReminder,
  cancelReminder,
  findNextDue,
  holdReminder,
  listDueReminders,
  type Reminder,
} from "./queries/reminders.ts";
import type { Database } from "../../store/schema/database.ts";
import { findSession } from "../../store/queries/sessions.ts";
import { toAddress } from "../../channels/to-address.ts";
import type { FindVoice } from "../../kernel/tools/persona-wrapper.ts";
import { queueReminder } from "./reminder-job.ts";
import { queueMessage } from "../../kernel/outbox/outbox.ts";
import { quoteReminder } from "./describe-due.ts";

export interface ReminderClock {
  start(): void;
  /** Fires nothing any more, and waits until what has begun is done. */
  stop(): Promise<void>;
}

/** Timers stand still while the machine sleeps, and the wall clock may be moved: so it is looked at this often. */
const maxWaitMs = 20_000;
const firedAtOnce = 50;
/** Missed occurrences that are counted. */
const maxCounted = 99;

/** The one clock for everything that is due at a time. It asks for the next due time only. */
export function createReminderClock(parts: {
  readonly store: Pick<Store, "main">;
  readonly alarm: Alarm;
  /** Gives a row to the one who works on it. */
  readonly take: (item: InboxItem) => void;
  readonly onFault: (error: unknown) => void;
  readonly retryMs: number;
  readonly wakeOutbox: (session: string) => void;
  readonly voice: FindVoice;
  /** Takes known secrets out. */
  readonly scrub: (text: string) => string;
  /** The zone of people who named none. */
  readonly zone: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}): ReminderClock {
  const { store, clock, log } = parts;
  let startedAt = clock.now();
  const loop = createWakeLoop({ look, alarm: parts.alarm });

  /** Fires what is due. Returns when to look again, in milliseconds. Never throws. */
  async function look(): Promise<number> {
    try {
      const next = await findNextDue(store.main);
      if (next === undefined || next > clock.now()) return Math.min((next ?? Infinity) - clock.now(), maxWaitMs);
      // Reminders that become due in the meantime stay so, and are delivered late, once.
      if (await findPause(store.main)) return maxWaitMs;
      const fired: InboxItem[] = [];
      for (const reminder of await listDueReminders(store.main, clock.now(), firedAtOnce))
        fired.push(...(await fire(reminder)));
      // After all rows are written, so that those of one chat are delivered together.
      for (const item of fired) parts.take(item);
      return 0;
    } catch (error) {
      log.error({ err: error }, "reminders could not be looked at; trying again");
      parts.onFault(error);
      return parts.retryMs;
    }
  }

  async function fire(reminder: Reminder): Promise<readonly InboxItem[]> {
    try {
      const item = await store.main.transaction().execute((tx) => fireIn(tx, reminder));
      return item ? [item] : [];
    } catch (error) {
      if (isStoreFault(error)) throw error;
      log.error({ err: error, reminder: reminder.id }, "a reminder that nothing can be done with was cancelled");
      await giveUp(reminder);
      return [];
    }
  }

  /** The person who waits for it has to know that it will not come. */
  async function giveUp({ id, language, session: where, text }: Reminder): Promise<void> {
    const session = await findSession(store.main, where);
    const now = clock.now();
    await store.main.transaction().execute(async (tx) => {
      if (!(await cancelReminder(tx, id, now)) || session === undefined || session.gone_at !== null) return;
      const broken = dueWords[language].broken(quoteReminder(text, parts.scrub));
      const told = parts.voice(where).tell({ chat: where, language }, "failed", broken);
      const notice = { id: `reminder-broken:${id}`, kind: "notice", address: toAddress(session), plain: true } as const;
      await queueMessage(tx, { ...notice, text: told }, now);
    });
    parts.wakeOutbox(where);
  }

  /** Writes the row that delivers it and the next time together: a crash leaves both or none. */
  async function fireIn(tx: Kysely<Database>, reminder: Reminder): Promise<InboxItem | undefined> {
    const { heldDue, nextDue, person, schedule } = reminder;
    const now = clock.now();
    const due = heldDue ?? nextDue;
    if (due === null) return undefined;
    const set = await findPersonSettings(tx, await listLinkedAccounts(tx, person));
    // A person who names one time wants to hear of it then.
    if (schedule.kind !== "once" && set.quietFrom !== null && set.quietUntil !== null) {
      const hours = { from: set.quietFrom, until: set.quietUntil, zone: set.zone ?? parts.zone() };
      const end = findQuietEnd(hours, now);
      if (end !== undefined) {
        await holdReminder(tx, reminder, end);
        return undefined;
      }
    }
    if (!(await advanceReminder(tx, reminder, { due, next: findNext(schedule, now), now }))) return undefined;
    const missed = countMissed(schedule, due, now);
    return queueReminder(
      tx,
      reminder,
      { due, firedAt: now, missed, quiet: heldDue !== null, ...(due < startedAt && { away: true }) },
      now,
    );
  }

  return {
    start() {
      startedAt = clock.now();
      void loop.ring();
    },
    stop: loop.stop,
  };
}

/** Occurrences after `due` up to now, at most `maxCounted`. */
function countMissed(schedule: Schedule, due: number, now: number): number {
  let count = 0;
  for (let at = findNext(schedule, due); at !== undefined && at <= now && count < maxCounted; count += 1)
    at = findNext(schedule, at);
  return count;
}
