import { z } from "zod";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import type { Tool } from "../../kernel/tools/types.ts";
import { rankByWords } from "./matching/rank-by-words.ts";

/** Loads the definitions of tools of MCP servers that are too many to be offered all the time. */
export function createFindToolTool(parts: { readonly listTools: () => readonly Pick<Tool, "name" | "description">[] }) {
  return defineTool({
    name: "find_tool",
    kind: "search",
    description: {
      zh: "按要做的事找 MCP 服务器的工具并载入：words 用英文写要做什么，带上服务器名更准。载入之后就能直接调用，这个会话里一直有效。",
      en: "Find tools of MCP servers for what is to be done and load them. `words` says it in English; the server's name helps. Loaded tools can be called at once, for the rest of this conversation.",
    },
    input: z.strictObject({
      words: z.string().trim().min(1).max(500).describe("What is to be done, in English words."),
      limit: z.number().int().min(1).max(20).default(6).describe("Tools at most, 1 to 20."),
    }),
    level: "safe",
    readOnly: true,
    concurrencySafe: true,
    idempotent: true,
    place: "gateway",
    summarize: ({ words }) => words,
    async run({ words, limit }) {
      const found = rankByWords(
        words,
        parts.listTools(),
        ({ name, description }) => `${name.replaceAll(/[_-]+/g, " ")} ${description.en.slice(0, 2_000)}`,
      ).slice(0, limit);
      if (found.length === 0)
        return {
          ok: false,
          error: "No tool of a server fits these words. Try others: a verb and a thing, in English.",
        };
      const loaded = found.map(({ name }) => name);
      return { ok: true, output: { loaded }, message: loaded.join(", "), loads: loaded };
    },
  });
}
