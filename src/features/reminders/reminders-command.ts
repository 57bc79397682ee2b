import { AppError } from "../../core/errors.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { describeRepetition, describeTime } from "../../core/words/describe-time.ts";
import { formatIso } from "../../core/schedule/zoned-time.ts";
import { listAllReminders, type Reminder } from "./queries/reminders.ts";
import { readOptions } from "../../kernel/command-line/read-options.ts";
import { toTerminalLine } from "../../kernel/command-line/to-terminal-text.ts";
import type { CommandContext, LoadedCommand } from "../../kernel/command-line/command.ts";
import type { CancelReminderRequest } from "./cancel-as-operator.ts";

const help = `${kurisuCommand} reminders list [--json] | cancel ID

Shows the reminders of everybody that wait, the next first, or cancels one as the operator of this machine.`;

export const remindersCommand: LoadedCommand<CommandContext> = {
  help,
  async run(context) {
    const { values, positionals } = readOptions("reminders", context.arguments, {
      json: { type: "boolean", default: false },
    });
    const [action = "list", id] = positionals;
    if (action === "list") return list(context, values.json);
    if (action !== "cancel" || id === undefined) throw new AppError("USAGE", help);
    const text = await context.askKurisu<CancelReminderRequest>({ kind: "cancel-reminder", reminder: id });
    process.stdout.write(values.json ? `${JSON.stringify({ id, text })}\n` : `cancelled: ${toTerminalLine(text)}\n`);
    return 0;
  },
};

async function list(context: CommandContext, json: boolean): Promise<number> {
  const store = await context.openStore();
  try {
    const now = Date.now();
    const waiting = await listAllReminders(store.main);
    if (waiting.length === 0 && !json) process.stdout.write("No reminders are waiting.\n");
    for (const reminder of waiting)
      process.stdout.write(`${json ? JSON.stringify(toJson(reminder)) : toLine(reminder, now)}\n`);
    return 0;
  } finally {
    await store.close();
  }
}

function toJson({ id, nextDue, person, schedule, session, task, text, zone }: Reminder) {
  const every = describeRepetition(schedule, "en");
  const next = nextDue === null ? null : formatIso(nextDue, zone);
  return { id, person, session, text, next, zone, task, ...(every !== undefined && { every }) };
}

function toLine(reminder: Reminder, now: number): string {
  const { id, nextDue, person, schedule, session, task, text, zone } = reminder;
  const every = describeRepetition(schedule, "en");
  const when = nextDue === null ? "never" : `${describeTime(nextDue, zone, "en", now)} ${zone}`;
  const words = `${task ? "task: " : ""}${toTerminalLine(text)}`;
  return [id, when, ...(every === undefined ? [] : [every]), person, session, words].join("  ");
}
