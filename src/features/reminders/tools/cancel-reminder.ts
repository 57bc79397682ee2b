import { z } from "zod";
import { listLinkedAccounts } from "../../../store/queries/account-links.ts";
import { cancelReminder } from "../queries/reminders.ts";
import { defineTool } from "../../../kernel/tools/define-tool.ts";
import { explainFault } from "./reminders/explain-fault.ts";
import { findOwn, type ReminderParts } from "./reminders/set-reminder.ts";

/** One's own are cancelled at once; another person's only with an owner's approval. */
export function createCancelReminderTool({ database }: Pick<ReminderParts, "database">) {
  return defineTool({
    name: "cancel_reminder",
    description: {
      zh: "取消一个提醒。id 来自 list_reminders 或 remind。",
      en: "Cancels a reminder. The id comes from list_reminders or remind.",
    },
    input: z.strictObject({
      id: z.string().trim().min(1).max(20),
      others: z.boolean().optional().describe("It is another person's; owners only, and it asks."),
    }),
    level: "safe",
    readOnly: false,
    asksFor: ({ others }) => others === true,
    concurrencySafe: false,
    idempotent: true,
    place: "gateway",
    summarize: ({ id }) => id,
    async run({ id, others }, context) {
      const { now, person } = context;
      const accounts = await listLinkedAccounts(database(), person.id);
      const found = await findOwn(database(), id, accounts, others === true && person.role === "owner", context);
      if ("kind" in found) return { ok: false, error: explainFault(found, context) };
      const isCancelled = await cancelReminder(database(), found.id, now);
      if (!isCancelled) return { ok: false, error: explainFault({ kind: "unknown" }, context) };
      const { taint, sources, text } = found;
      return { ok: true, output: { id: found.id, text }, message: found.id, taint, sources };
    },
  });
}
