import { z } from "zod";
import { readLogMessages } from "../queries/chat-log.ts";
import { listMessagesOf } from "../queries/chat-log-people.ts";
import { defineLogTool } from "./define-log-tool.ts";
import { chatArgument, findOne, type LogParts } from "./open-log.ts";
import { readyMessages, showMessage } from "./show-messages.ts";

/** Messages before and after each one of the person. */
const around = { before: 1, after: 1 };

export function createSearchPersonTool(parts: LogParts) {
  return defineLogTool(parts, {
    name: "search_person",
    description: {
      zh: "聊天记录里某个人说过的话，最新的在前。person 写名字、带 # 的名字或「我」；include_context 带上前后各一句。",
      en: "What one person said in the chat log, the newest first. person: a name, a name with its #tag, or “me”; include_context adds the message before and after each.",
    },
    input: z.strictObject({
      person: z.string().min(1).max(100),
      include_context: z.boolean().default(true),
      limit: z.int().min(1).max(200).default(50),
      chat: chatArgument,
    }),
    summarize: ({ person }) => person,
    async read({ include_context, limit, person }, log, context) {
      const { chats, db, to } = log;
      const found = await findOne(log, person);
      if (!found.ok) return found;
      const said = await listMessagesOf(db, { chats, senders: found.senders, limit, to });
      const own = new Set(said.map(({ id }) => id));
      const messages = include_context ? await readLogMessages(db, chats, [...own], around) : said;
      const { readable, sources, taint } = await readyMessages(log, messages, context);
      return {
        output: {
          messages: readable
            .toSorted((a, b) => b.message.place - a.message.place)
            .map((message) => ({
              ...showMessage(message, { metadata: false, zone: context.zone }),
              ...(!own.has(message.id) && { context: true }),
            })),
        },
        message: String(said.length),
        taint,
        sources,
      };
    },
  });
}
