import { z } from "zod";
import { factCategories } from "../../../language/facts/plain-fact.ts";
import { listMemories } from "../people/list-memories.ts";
import { defineTool } from "../../../kernel/tools/define-tool.ts";
import { describeMemories, findScope, labelMemories, type MemoryParts, refuseAsker } from "./memory-parts.ts";

/** The person's own, the newest first; in a group those that they said there. */
export function createListMemoriesTool(parts: MemoryParts) {
  return defineTool({
    name: "list_memories",
    description: {
      zh: "列出记住的对方自己的事，新的在前：id、类别、内容、什么时候起。群里只列在这个群说过的。",
      en: "Lists what is remembered of this person, the newest first: id, category, content, since when. In a group only what they said there.",
    },
    input: z.strictObject({
      category: z.enum(factCategories).optional(),
      limit: z.int().min(1).max(100).default(20),
    }),
    level: "safe",
    readOnly: true,
    idempotent: true,
    place: "gateway",
    summarize: ({ category }) => category ?? "",
    async run({ category, limit }, context) {
      const refusal = refuseAsker(parts, context);
      if (refusal) return refusal;
      const scope = await findScope(parts, context);
      const found = await listMemories(parts.database(), scope, { category, limit, own: true });
      return {
        ok: true as const,
        output: { memories: await describeMemories(parts.database(), found, scope, context.zone) },
        message: String(found.length),
        ...labelMemories(found, scope, context),
      };
    },
  });
}
