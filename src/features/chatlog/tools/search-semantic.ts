import { z } from "zod";
import { defineLogTool } from "./define-log-tool.ts";
import { chatArgument, type LogParts } from "./open-log.ts";
import type { MemoryParts } from "../../memory/tools/memory-parts.ts";
import { readyMessages, showMessage } from "./show-messages.ts";

/** Messages that the question itself may be, which answer nothing. */
const maxOfQuestion = 3;

export function createSearchSemanticTool(
  parts: LogParts & { readonly memory?: Pick<MemoryParts["memory"], "meaning"> },
) {
  return defineLogTool(parts, {
    name: "search_semantic",
    description: {
      zh: "按意思找聊天记录里最相关的消息，query 写一句完整的话。结果里的 kind 说明是按意思（semantic）还是按用词（lexical）比的。",
      en: "The messages of the chat log that fit a sentence best. kind says whether meanings were compared (semantic) or words (lexical).",
    },
    input: z.strictObject({
      query: z.string().max(2_000),
      top_k: z.int().min(1).max(100).default(10),
      chat: chatArgument,
    }),
    summarize: ({ query }) => query,
    async read({ query, top_k }, log, context) {
      if (query.trim() === "") return { ok: false, error: "query is empty: write what is looked for, in a sentence." };
      const { expandQuestion } = await import("../expand-question.ts");
      const { searchSemantic } = await import("../search-semantic.ts");
      const { chats, db, to } = log;
      const { now, zone } = context;
      const meaning = parts.memory?.meaning;
      const options = { limit: top_k + maxOfQuestion, now, zone, told: expandQuestion(query).keywords };
      const { found: all, kind } = await searchSemantic({ db, meaning }, chats, query, options);
      const found = all.filter(({ message }) => message.saidAt <= to).slice(0, top_k);
      const scores = new Map(found.map(({ message, score }) => [message.id, score]));
      const { readable, sources, taint } = await readyMessages(
        log,
        found.map(({ message }) => message),
        context,
      );
      return {
        output: {
          kind,
          messages: readable.map((message) => ({
            ...showMessage(message, { metadata: false, zone }),
            score: Math.round((scores.get(message.id) ?? 0) * 1_000) / 1_000,
          })),
          ...(kind === "lexical" && {
            note: "Words were compared, not meanings: say so if it matters, and try other words where nothing fits.",
          }),
        },
        message: `${kind} ${found.length}`,
        taint,
        sources,
      };
    },
  });
}
