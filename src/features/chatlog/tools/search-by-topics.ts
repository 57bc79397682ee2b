import { z } from "zod";
import { countLog, searchLog } from "../queries/chat-log-search.ts";
import { defineLogTool } from "./define-log-tool.ts";
import { chatArgument, readWords, type LogParts } from "./open-log.ts";

const maxTopics = 20;

export function createSearchByTopicsTool(parts: LogParts) {
  return defineLogTool(parts, {
    name: "search_by_topics",
    description: {
      zh: "找聊天记录里说到这些话题（任一个）的消息，给出编号和每个话题的条数，最新的在前。话题名来自 list_topics，也可以自己写。用 load_messages 读内容。",
      en: "Messages of the chat log that name any of these topics: their numbers, the newest first, and how many each has. Topics come from list_topics or are words of yours. load_messages reads them.",
    },
    input: z.strictObject({
      topics: z.array(z.string().max(100)).max(maxTopics),
      max_results: z.int().min(1).max(500).default(50),
      chat: chatArgument,
    }),
    summarize: ({ topics }) => topics.join(" "),
    async read({ max_results, topics }, log, context) {
      const { chats, db, to } = log;
      const any = readWords(topics);
      if (any.length === 0)
        return { ok: false, error: "topics is empty: name at least one; list_topics shows those there are." };
      const asked = { chats, to, withoutQuestions: true };
      const found = await searchLog(db, { ...asked, any, limit: max_results });
      const breakdown: [string, number][] = [];
      for (const topic of any) breakdown.push([topic, await countLog(db, { ...asked, any: [topic] })]);
      return {
        output: { line_numbers: found.map(({ id }) => id), topic_breakdown: Object.fromEntries(breakdown) },
        message: String(found.length),
        taint: context.taint,
      };
    },
  });
}
