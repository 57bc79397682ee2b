import { z } from "zod";
import { createRankByMeaning } from "../embedding/meaning.ts";
import { recallMemories } from "../people/recall-memories.ts";
import { defineTool } from "../../../kernel/tools/define-tool.ts";
import { describeMemories, findScope, labelMemories, type MemoryParts, refuseAsker } from "./memory-parts.ts";

const notByWords =
  "Not found by words; meanings were not compared, so the same in another language or in other words may be there. list_memories shows all: look there by what is meant, else say that it was not found by words.";

/** In private it finds the person's own memories; in a group those of all members from there. */
export function createRecallMemoryTool(parts: MemoryParts) {
  return defineTool({
    name: "recall_memory",
    description: {
      zh: "按话题找以前记住的事（对方自己的；群里则是大家在这个群说过的）。topic 用对方的原话就行。问以前的情况（以前住哪）也会找出已经过时的，until 是它不再成立的时间。said 是出处：聊天记录里哪条、谁、什么时候、原话；问「为什么记得」就说它。内容里的「我」是对方，回答时说「你」。",
      en: "Finds what was remembered, by topic: the person's own; in a group what people said there. topic may be their own words. A question about the past (where did I live before) also finds what is over; until tells since when. said is where it is from: the number in the chat log, who, when, their words; that answers why you remember it. “I” in them is the person: answer with “you”.",
    },
    input: z.strictObject({
      topic: z.string().trim().min(1).max(500),
      limit: z.int().min(1).max(50).default(5),
    }),
    level: "safe",
    readOnly: true,
    idempotent: true,
    place: "gateway",
    summarize: ({ topic }) => topic,
    async run({ limit, topic }, context) {
      const { now, zone } = context;
      const refusal = refuseAsker(parts, context);
      if (refusal) return refusal;
      const scope = await findScope(parts, context);
      const { meaning } = parts.memory;
      const rankByMeaning = meaning && createRankByMeaning(meaning, scope);
      const options = { limit, now, touch: true, ...(rankByMeaning && { rankByMeaning }) };
      const found = await recallMemories(parts.database(), scope, topic, options);
      const described = await describeMemories(parts.database(), found, scope, zone);
      const memories = described.map((memory, index) => ({
        ...memory,
        score: Math.round((found[index]?.score ?? 0) * 100) / 100,
      }));
      return {
        ok: true as const,
        output: { memories, ...(memories.length === 0 && rankByMeaning === undefined && { note: notByWords }) },
        message: String(memories.length),
        ...labelMemories(found, scope, context),
      };
    },
  });
}
