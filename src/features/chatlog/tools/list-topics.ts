import { z } from "zod";
import { createGlob } from "../match-glob.ts";
import { foldText } from "../../../store/search/fold-text.ts";
import { defineLogTool } from "./define-log-tool.ts";
import { chatArgument, type LogParts } from "./open-log.ts";
import { labelMade } from "./label-messages.ts";

export function createListTopicsTool(parts: LogParts) {
  return defineLogTool(parts, {
    name: "list_topics",
    description: {
      zh: "聊天记录里常说到的事，按说到的条数排。pattern 只留名字里有这几个字的，可以用 * 和 ?。",
      en: "What the chat log is often about, by the number of messages. pattern keeps topics whose name holds it; * and ? stand for other letters.",
    },
    input: z.strictObject({
      limit: z.int().min(1).max(200).default(30),
      pattern: z.string().max(60).optional(),
      chat: chatArgument,
    }),
    summarize: ({ pattern = "" }) => pattern,
    async read({ limit, pattern }, log, context) {
      const wanted = foldText((pattern ?? "").trim());
      const matches = createGlob(wanted);
      const { listTopics } = await import("../list-topics.ts");
      const { looked, topics, total } = await listTopics(
        log,
        limit,
        wanted === "" ? undefined : (name) => matches(foldText(name)),
      );
      return {
        output: {
          topics: topics.map(({ count, name }) => ({ name, count })),
          ...(looked.length < total && {
            counted_in: `${looked.length} of ${total} messages: the newest ones and some of every time before; the counts are of these`,
          }),
        },
        message: String(topics.length),
        ...(await labelMade(log, looked, context)),
      };
    },
  });
}
