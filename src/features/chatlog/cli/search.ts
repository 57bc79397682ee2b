import { AppError } from "../../../core/errors.ts";
import { formatIso } from "../../../core/schedule/zoned-time.ts";
import { linkMessage, nameChat } from "../name-places.ts";
import { readLogKeys } from "../queries/chat-log-people.ts";
import { searchLog } from "../queries/chat-log-search.ts";
import { readOptions } from "../../../kernel/command-line/read-options.ts";
import { toTerminalLine } from "../../../kernel/command-line/to-terminal-text.ts";
import { withChats, type ChatlogCommandContext } from "./open-chats.ts";

const defaultLimit = 20;
const maxLimit = 1_000;

export const searchHelp = `chatlog search WORDS [--chat NAME|NUMBER] [--person NAME] [--limit N] [--as PERSON] [--json]

Finds the newest messages in which all the words are, in any chat: who runs this owns the data folder. --as telegram:123
shows what that person could find in a private chat. The number before a message is its number for good.`;

export async function searchChats(context: ChatlogCommandContext): Promise<number> {
  const { positionals, values } = readOptions("chatlog search", context.arguments, {
    as: { type: "string" },
    chat: { type: "string" },
    json: { type: "boolean", default: false },
    limit: { type: "string", default: String(defaultLimit) },
    person: { type: "string" },
  });
  const words = positionals.flatMap((one) => one.split(/\s+/)).filter((word) => word !== "");
  const limit = Number(values.limit);
  if (words.length === 0 || !Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    throw new AppError("USAGE", searchHelp);
  return withChats(context, values, async ({ chats, db, findPeople, her, zone }) => {
    const senders = values.person === undefined ? undefined : await findPeople(values.person);
    const ids = chats.map(({ id }) => id);
    const found = await searchLog(db, { chats: ids, all: words, limit, ...(senders && { senders }) });
    const keys = await readLogKeys(
      db,
      found.map(({ id }) => id),
    );
    if (found.length === 0 && !values.json) process.stdout.write("Nothing was found.\n");
    for (const { chat, id, role, saidAt, sender, text } of found) {
      const from = role === "her" ? her : sender.name;
      const where = chats.find((one) => one.id === chat);
      const link = linkMessage({ key: keys.get(id) ?? "", session: where?.session ?? null });
      const at = formatIso(saidAt, zone);
      const fields = { id, at, chat: where ? nameChat(where) : "", from, text, ...(link !== undefined && { link }) };
      const line = `#${id}  ${at.slice(0, 16).replace("T", " ")}  [${toTerminalLine(fields.chat)}] ${toTerminalLine(from)}: ${toTerminalLine(text)}`;
      process.stdout.write(`${values.json ? JSON.stringify(fields) : line}\n`);
    }
    return 0;
  });
}
