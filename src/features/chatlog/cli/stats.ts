import { countOf } from "../../../core/words/count-of.ts";
import { AppError } from "../../../core/errors.ts";
import { formatIso } from "../../../core/schedule/zoned-time.ts";
import { nameChat } from "../name-places.ts";
import { listLogSenders, measureLog } from "../queries/chat-log-people.ts";
import { readOptions } from "../../../kernel/command-line/read-options.ts";
import { toTerminalLine } from "../../../kernel/command-line/to-terminal-text.ts";
import { withChats, type ChatlogCommandContext } from "./open-chats.ts";

export const statsHelp = `chatlog stats [--chat NAME|NUMBER] [--as PERSON] [--json]

Tells of each chat of the log how many messages it has, of how many people, from when to when.`;

export async function measureChats(context: ChatlogCommandContext): Promise<number> {
  const { positionals, values } = readOptions("chatlog stats", context.arguments, {
    as: { type: "string" },
    chat: { type: "string" },
    json: { type: "boolean", default: false },
  });
  if (positionals.length > 0) throw new AppError("USAGE", statsHelp);
  return withChats(context, values, async ({ chats, db, zone }) => {
    if (chats.length === 0 && !values.json) process.stdout.write("There are no chats in the log.\n");
    for (const chat of chats) {
      const { id, kind } = chat;
      const name = nameChat(chat);
      const senders = await listLogSenders(db, [id]);
      const { bySender, from, to } = await measureLog(db, { chats: [id], senders: senders.map((one) => one.id) });
      const total = [...bySender.values()].reduce((sum, count) => sum + count, 0);
      const day = (at: number | undefined) => (at === undefined ? null : formatIso(at, zone));
      const fields = { id, name, kind, total, senders: senders.length, from: day(from), to: day(to) };
      const term = from === undefined ? "" : `  ${fields.from?.slice(0, 10)} to ${fields.to?.slice(0, 10)}`;
      const line = `${id}  ${kind}  ${toTerminalLine(name)}  ${countOf(total, "message")} of ${senders.length}${term}`;
      process.stdout.write(`${values.json ? JSON.stringify(fields) : line}\n`);
    }
    return 0;
  });
}
