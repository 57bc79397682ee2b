import { reminderWords } from "../words.ts";
import { z } from "zod";
import { describeRepetition, describeTime, describeWait } from "../../../core/words/describe-time.ts";
import { namesRepetition } from "../../../language/time/read-english-time.ts";
import { findHanTime } from "../../../language/time/read-han-time.ts";
import { formatIso, resolveZone } from "../../../core/schedule/zoned-time.ts";
import { defineTool } from "../../../kernel/tools/define-tool.ts";
import type { ToolContext } from "../../../kernel/tools/types.ts";
import { explainFault } from "./reminders/explain-fault.ts";
import { setReminder, type ReminderParts } from "./reminders/set-reminder.ts";

/** 「每天八点」 and "Mondays at 9" in `at`. */
const comesBack = (at: string): boolean => findHanTime(at)?.parts.every !== undefined || namesRepetition(at);

const words = (longest: number) => z.string().trim().min(1).max(longest);

/**
 * Sets or changes a reminder. What it stores keeps the label of the turn, so a plain one for one time needs no
 * approval.
 */
export function createRemindTool(parts: ReminderParts) {
  return defineTool({
    name: "remind",
    description: {
      zh: "定一个提醒,到时间会发到这个聊天。给 text 和 at、every、cron 之一。at 可以直接写对方的原话(明早八点),时间含糊会告诉你要问什么。成功后把 when(和 note)说给对方听。task=true:到时候由你去做 text 里的事(查天气发来),而不只是提醒。改已有的:给 id 和要改的。",
      en: "Sets a reminder, which is sent to this chat when it is due. Give text and one of at, every, cron. at may be the person's own words (tomorrow at 8am); when they are vague you are told what to ask. Then tell them the `when` of the result, and its `note` if there is one. task=true: at that time you do what text says (look up the weather) instead of only saying it. To change one: its id and what changes.",
    },
    input: z.strictObject({
      text: words(1000).optional().describe("What to remind of, or with task what to do."),
      at: words(300).optional().describe("ISO 8601, or words: 明早八点, in 10 minutes."),
      every: words(200).optional().describe("1d, 2 hours, 每周一 09:00, weekday 9:00."),
      cron: words(100).optional().describe("Five fields."),
      zone: z
        .string()
        .max(64)
        .refine((zone) => resolveZone(zone) !== undefined, { error: "must be a time zone such as Asia/Shanghai" })
        .optional()
        .describe("The person's own when left out."),
      task: z.boolean().optional(),
      id: words(20).optional().describe("Changes that one."),
      others: z.boolean().optional().describe("The id is another person's; owners only, and it asks."),
    }),
    level: "safe",
    readOnly: false,
    // A task acts later, a change may spoil what was set in a clean turn, and a repeated one goes on for ever.
    contained: ({ at, cron, every, id, task }) =>
      task !== true && id === undefined && every === undefined && cron === undefined && !comesBack(at ?? ""),
    asksFor: ({ others }) => others === true,
    concurrencySafe: false,
    idempotent: false,
    place: "gateway",
    summarize: ({ at, cron, every, id, text }) =>
      [id, at ?? every ?? cron, text].filter((part) => part !== undefined).join(" "),
    async run({ others, zone, ...wanted }, context: ToolContext) {
      const { language, now, person } = context;
      const given = { ...wanted, zone: zone === undefined ? undefined : resolveZone(zone) };
      const set = await setReminder(parts, given, context, others === true && person.role === "owner");
      if (!set.ok) return { ok: false, error: explainFault(set.fault, context) };
      const { id, next, schedule, text } = set;
      const every = describeRepetition(schedule, language);
      const when = describeTime(next, set.zone, language, now);
      const output = {
        id,
        text,
        next: formatIso(next, set.zone),
        when,
        left: describeWait(next - now, language),
        ...(every !== undefined && { every }),
        ...(set.isZoneAssumed && { note: reminderWords[language].zoneAssumed(set.zone) }),
      };
      return { ok: true, output, message: `${id} ${output.next}` };
    },
  });
}
