import { z } from "zod";
import { durationOption } from "../../core/duration.ts";
import { backupOptions } from "../../store/backup/backup-options.ts";
import { wholeNumber } from "../../core/whole-number.ts";

/** config/system/schedule.yaml */
export const scheduleOptions = z
  .strictObject({
    reminders: z
      .strictObject({
        person: wholeNumber(0, 1_000).default(50).describe("Reminders that wait, of one person."),
        guest: wholeNumber(0, 1_000).default(0).describe("The same of a guest in an open group, who sets no tasks."),
        interval: durationOption.prefault("5m").describe("Least time between two occurrences of one."),
      })
      .prefault({})
      .describe("How many reminders people may set."),
    tasks: z
      .strictObject({
        interval: durationOption
          .prefault("1h")
          .describe("Least time between two occurrences of a task; those of owners need only that of reminders."),
        person: wholeNumber(0, 1_000)
          .default(24)
          .describe(
            "Scheduled tasks of one person that she begins in a day; the first one over it is told, once that day.",
          ),
        all: wholeNumber(0, 10_000).default(100).describe("The same of all people together."),
      })
      .prefault({})
      .describe("What she begins by herself: reminders that carry a task."),
    backup: backupOptions,
  })
  .describe("Reminders, scheduled tasks and backups (config/system/schedule.yaml).");

export type ScheduleLimits = z.output<typeof scheduleOptions>;
