import { z } from "zod";
import { describeRepetition, describeTime, describeWait } from "../../../core/words/describe-time.ts";
import { formatIso } from "../../../core/schedule/zoned-time.ts";
import { joinSources, joinTaint } from "../../../core/taint.ts";
import { listOwnReminders } from "../queries/reminders.ts";
import { defineTool } from "../../../kernel/tools/define-tool.ts";
import type { ReminderParts } from "./reminders/set-reminder.ts";

/** The asker's own; in a group only those that were set there, because its members read along. */
export function createListRemindersTool({ database }: Pick<ReminderParts, "database">) {
  return defineTool({
    name: "list_reminders",
    description: {
      zh: "对方自己还没到时间的提醒:id、内容、下一次的时间。",
      en: "The person's own reminders that are still to come: id, text, next time.",
    },
    input: z.strictObject({}),
    level: "safe",
    readOnly: true,
    idempotent: true,
    place: "gateway",
    summarize: () => "",
    async run(_, { chatKind, language, now, person, session, taint }) {
      const own = await listOwnReminders(database(), person.id, chatKind === "private" ? undefined : session);
      const reminders = own.map(({ id, nextDue, schedule, task, text, zone }) => {
        const every = describeRepetition(schedule, language);
        return {
          id,
          text,
          next: formatIso(nextDue ?? now, zone),
          when: describeTime(nextDue ?? now, zone, language, now),
          left: describeWait((nextDue ?? now) - now, language),
          ...(every !== undefined && { every }),
          ...(task && { task }),
        };
      });
      return {
        ok: true as const,
        output: { reminders },
        message: String(reminders.length),
        taint: joinTaint(taint, ...own.map((reminder) => reminder.taint)),
        sources: joinSources(...own.map(({ sources }) => sources)),
      };
    },
  });
}
