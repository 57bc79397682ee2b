import { z } from "zod";
import { byteSizeOption } from "../../core/byte-size.ts";
import { durationOption } from "../../core/duration.ts";
import { wholeNumber } from "../../core/whole-number.ts";

/** The section `backup` of config/system/schedule.yaml. */
export const backupOptions = z
  .strictObject({
    every: z
      .union([z.literal("off").transform(() => undefined), durationOption], {
        error: "must be off, or a time such as 30m, 1h or 1d",
      })
      .prefault("1h")
      .describe("Time between two backups, made when something has changed; off = none (docs/backup.md)."),
    hourly: wholeNumber(1, 1_000).default(24).describe("The newest backups that are kept."),
    daily: wholeNumber(1, 1_000).default(7).describe("Beside them, the newest of each of so many days."),
    files: byteSizeOption
      .prefault("256m")
      .describe("Files of chats that are larger than this in all are left out; `./kurisu backup FILE` takes them all."),
  })
  .prefault({})
  .describe("Backups that Kurisu makes by herself, on SQLite, into backups/ of the data folder.");

export type BackupOptions = z.output<typeof backupOptions>;
