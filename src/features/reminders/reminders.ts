import { createAlarm } from "../../core/schedule/alarm.ts";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { pickMenu } from "../../kernel/feature/pick-menu.ts";
import { reminderWords } from "./words.ts";
import { createBeginReminder } from "./begin-reminder.ts";
import { createCancelAsOperator, type CancelReminderRequest } from "./cancel-as-operator.ts";
import { createOwnerReminders } from "./owner-reminders.ts";
import { createQuietHours } from "./quiet-hours.ts";
import { createReminderClock } from "./reminder-clock.ts";
import { createReminderCommands } from "./reminder-commands.ts";
import type { ReminderJob } from "./reminder-job.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import { type ScheduleLimits, scheduleOptions } from "./schedule-options.ts";
import { reminderTables } from "./tables.ts";

/**
 * Reminders: what Kurisu says, or does, at a time.
 *
 *     `remind`, /remind       write a row of `reminders` and ring the alarm
 *     start -> reminder clock when one is due: a row of the inbox, unique by (reminder, due time), and the next time
 *     job `reminder`          delivers it in the chat, or begins a turn that does what it asks for
 *     `kurisu reminders`      lists what waits, and cancels it by the hook `requests`
 *     /quiet                  hours in which repeated reminders wait
 */
export const reminders = defineFeature({
  name: "reminders",
  tables: reminderTables,
  files: { schedule: scheduleOptions },
  configure: (_values, files) => (files as { readonly schedule: ScheduleLimits }).schedule,
  words: reminderWords,
  make(kernel, limits) {
    const { store, clock } = kernel;
    const alarm = createAlarm();
    const setting = { limits, onChange: alarm.ring };
    const reminderClock = createReminderClock({
      ...kernel,
      alarm,
      take: (item) => kernel.gateway.takeItem(item),
      onFault: (error) => kernel.gateway.reconcile(error),
    });
    const cancelAsOperator = createCancelAsOperator({ store, clock });
    return {
      start: reminderClock.start,
      stop: reminderClock.stop,
      resumed: alarm.ring,
      jobs: {
        reminder: {
          // The delivery of a plain reminder waits for no turn.
          lane: ({ payload, session }: InboxItem) =>
            (JSON.parse(payload) as ReminderJob).task ? session : `${session} reminders`,
          begin: createBeginReminder({
            ...kernel,
            limits,
            isGroupOpen: (session) => kernel.gateway.isGroupOpen(session),
          }),
        },
      },
      ...createReminderCommands({ ...kernel, reminders: setting }),
      quiet: createQuietHours({ ...kernel, ...setting }),
      requests: {
        "cancel-reminder": ({ reminder }: CancelReminderRequest) => cancelAsOperator(reminder, "cli:owner"),
      },
      owner: createOwnerReminders({ cancel: cancelAsOperator, parts: setting, store, clock }),
      /** Wakes the clock: a due time may have changed. */
      ring: alarm.ring,
      toolParts: { database: () => store.main, reminders: setting },
    };
  },
  commands: [
    {
      names: ["reminders", "提醒"],
      menu: pickMenu(reminderWords, "reminders"),
      everyday: true,
      who: "everybody",
      inGroups: true,
      answer: (made, call) => made.reminders(call),
    },
    {
      names: ["remind"],
      menu: pickMenu(reminderWords, "remind"),
      everyday: true,
      who: "everybody",
      inGroups: true,
      answer: (made, call) => made.remind(call),
    },
    {
      names: ["quiet"],
      menu: pickMenu(reminderWords, "quiet"),
      who: "members",
      answer: ({ quiet }, call) => quiet(call),
    },
  ],
  cli: [
    {
      name: "reminders",
      summary: {
        zh: "列出和取消还没到的提醒",
        en: "list and cancel the reminders that wait",
        ja: "待っているリマインダーの一覧と取り消し",
      },
      load: async () => (await import("./reminders-command.ts")).remindersCommand,
    },
  ],
  tools: {
    remind: async ({ toolParts }) => (await import("./tools/remind.ts")).createRemindTool(toolParts),
    list_reminders: async ({ toolParts }) =>
      (await import("./tools/list-reminders.ts")).createListRemindersTool(toolParts),
    cancel_reminder: async ({ toolParts }) =>
      (await import("./tools/cancel-reminder.ts")).createCancelReminderTool(toolParts),
  },
});
