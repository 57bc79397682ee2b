import { z } from "zod";
import { countLog, searchLog } from "../queries/chat-log-search.ts";
import { defineLogTool } from "./define-log-tool.ts";
import { chatArgument, findOne, readWords, type LogParts } from "./open-log.ts";

const maxKeywords = 30;

export function createSearchByKeywordsTool(parts: LogParts) {
  return defineLogTool(parts, {
    name: "search_by_keywords",
    description: {
      zh: "按词找聊天记录，给出消息编号（最新的在前）和总数。有一个词就算，match_all 要每个词都有；target_person 只找某人说的（名字、带 # 的名字或「我」）。简繁、全半角、大小写都一样。用 load_messages 读内容。",
      en: "Searches the chat log by words: numbers of messages, the newest first, and how many there are. One word is enough, with match_all every one must be there; target_person: only what they said (a name, a name with its #tag, or “me”). load_messages reads them.",
    },
    input: z.strictObject({
      keywords: z.array(z.string().max(100)).max(maxKeywords),
      target_person: z.string().max(100).optional(),
      max_results: z.int().min(1).max(500).default(50),
      match_all: z.boolean().default(false),
      chat: chatArgument,
    }),
    summarize: ({ keywords }) => keywords.join(" "),
    async read({ keywords, match_all, max_results, target_person = "" }, log, context) {
      const { chats, db, to } = log;
      const words = readWords(keywords);
      if (words.length === 0)
        return {
          ok: false,
          error: "keywords is empty: give at least one word to look for; expand_query makes some of a question.",
        };
      const person = target_person.trim() === "" ? undefined : await findOne(log, target_person);
      if (person?.ok === false) return person;
      const asked = {
        chats,
        to,
        withoutQuestions: true,
        ...(match_all ? { all: words } : { any: words }),
        ...(person && { senders: person.senders }),
      };
      const found = await searchLog(db, { ...asked, limit: max_results });
      return {
        output: { line_numbers: found.map(({ id }) => id), total_matches: await countLog(db, asked) },
        message: String(found.length),
        taint: context.taint,
      };
    },
  });
}
