import { countOf } from "../../../core/words/count-of.ts";
import { z } from "zod";
import { defineTool } from "../../../kernel/tools/define-tool.ts";
import type { ExtensionCatalogue } from "../extensions/extension-catalogue.ts";

const maxFound = 8;

/** Looks for a server or a skill that could do what no tool here does. Nothing is installed by it. */
export function createFindExtensionTool({ catalogue }: { readonly catalogue: ExtensionCatalogue }) {
  return defineTool({
    name: "find_extension",
    kind: "search",
    description: {
      zh: "没有工具能做这件事时，在登记处和目录里找能做的 MCP 服务器或技能。只看不装；要装就从里面挑一个，说明理由，再用 install_extension 请主人同意。",
      en: "When no tool can do it: look in the registry and the catalogue for an MCP server or a skill that can. It installs nothing; to propose one, pick it, say why, and ask the owner with install_extension.",
    },
    input: z.strictObject({ query: z.string().trim().min(1).max(100).describe("A word or two for what is missing.") }),
    level: "safe",
    readOnly: true,
    idempotent: true,
    taint: "untrusted",
    place: "network",
    timeoutMs: 20_000,
    summarize: ({ query }) => query,
    availability: () =>
      catalogue.isSet
        ? { ok: true }
        : { ok: false, reason: "No registry and no catalogue is set: extensions in tools.yaml (docs/skills.md)." },
    async run({ query }, { signal }) {
      const result = await catalogue.search(query, signal);
      if (!result.ok) return { ok: false, error: result.problem };
      const extensions = result.found.slice(0, maxFound).map((one) =>
        one.kind === "mcp"
          ? {
              kind: "mcp",
              name: one.server.name,
              version: one.server.version,
              description: one.server.description.slice(0, 300),
              from: one.from,
            }
          : { kind: "skill", name: one.skill.id, description: one.skill.description.slice(0, 300), from: one.from },
      );
      const { leftOut } = result;
      const note = `${countOf(leftOut, "entry of the owner's catalogue is", "entries of the owner's catalogue are")} not understood and left out (docs/skills.md).`;
      return {
        ok: true,
        output: { extensions, ...(leftOut > 0 && { note }) },
        message: `${extensions.length} found`,
      };
    },
  });
}
