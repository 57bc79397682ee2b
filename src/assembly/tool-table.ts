import type { Kysely } from "kysely";
import type { createTaskTool } from "../features/sub-agents/task-tool.ts";
import type { Configuration } from "../config.ts";
import type { ReadableServer } from "../features/mcp/readable-servers.ts";
import type { createFindSkillTool } from "../features/skills/find-skill-tool.ts";
import type { Database } from "../store/schema/database.ts";
import { builtinNames, builtinTools, type BuiltinParts, type MadeTool } from "../kernel/tools/table/builtin-tools.ts";
import type { SearchThreads } from "../features/work-tools/search-thread.ts";
import type { FileDelivery } from "../features/work-tools/send-file.ts";
import type { OwnTools } from "../features/own-tools/own-tools.ts";
import type { ToolOptions } from "../kernel/tools/tool-options.ts";
import type { ToolRegistry } from "../kernel/tools/registry.ts";
import type { GuardedFetch } from "../web/guarded-fetch.ts";
import type { Places } from "./assemble-places.ts";
import { features } from "./features.ts";
import { createExtensionTools } from "./assemble-skill-store.ts";

/** The parts of tools. */
export interface ToolTableParts {
  readonly configuration: Configuration;
  readonly places: Pick<Places, "browser" | "sandbox" | "workspace" | "contents" | "followed">;
  readonly database: () => Kysely<Database>;
  readonly delivery: FileDelivery;
  /** The parts of `task`. */
  readonly task: Parameters<typeof createTaskTool>[0];
  readonly skills: Omit<Parameters<typeof createFindSkillTool>[0], "listTools">;
  readonly reminders: BuiltinParts["reminders"];
  readonly hearsAll: BuiltinParts["hearsAll"];
  readonly memory: BuiltinParts["memory"];
  readonly servedAs: BuiltinParts["servedAs"];
  readonly spokenSince: BuiltinParts["spokenSince"];
  readonly herNames: BuiltinParts["herNames"];
  readonly smallModel: BuiltinParts["smallModel"];
  /** Those of config/tools. */
  readonly own: OwnTools;
  /** Every tool there is, as of the call. */
  readonly listTools: ToolRegistry["list"];
  /** Reads the configuration anew: what was just installed is there for the next call. */
  readonly reload: () => void;
  /** Where the tools that read from MCP servers read. */
  readonly readable: () => readonly ReadableServer[];
  readonly guardedFetch: GuardedFetch;
  readonly threads: SearchThreads;
}

/** Every tool of ours: those of kernel/tools/table/builtin-tools.ts, those of features, and those that need a room left of tools, one row each. */
export function createToolTable(
  parts: ToolTableParts,
): Readonly<Record<string, (options: ToolOptions) => Promise<MadeTool>>> {
  const { configuration, database, delivery, readable, reload, skills, task } = parts;
  const { workspace } = parts.places;
  const { guardedFetch, threads } = parts;
  const builtinParts: BuiltinParts = {
    ...parts.places,
    database,
    delivery,
    guardedFetch,
    threads,
    zone: configuration.zone,
    defaultTimeoutSeconds: configuration.sandbox.timeoutMs / 1000,
    search: configuration.search,
    reminders: parts.reminders,
    hearsAll: parts.hearsAll,
    memory: parts.memory,
    servedAs: parts.servedAs,
    spokenSince: parts.spokenSince,
    herNames: parts.herNames,
    smallModel: parts.smallModel,
  };
  return {
    ...Object.fromEntries(
      builtinNames.map((name) => [name, (options: ToolOptions) => builtinTools[name](builtinParts, options)]),
    ),
    task: async () => (await import("../features/sub-agents/task-tool.ts")).createTaskTool(task),
    use_tool: async () => (await import("../features/own-tools/use-tool.ts")).createUseToolTool({ own: parts.own }),
    ...Object.fromEntries(features.flatMap(({ tools = {} }) => Object.entries(tools))),
    ...createExtensionTools({
      configuration,
      skills: () => skills.skillRegistry().list(),
      request: skills.skills.request,
      reload,
      workspace,
      database,
      guardedFetch,
    }),
    find_skill: async () => {
      const listTools = () => parts.listTools().filter(({ skill, source }) => source === "mcp" || skill !== undefined);
      return (await import("../features/skills/find-skill-tool.ts")).createFindSkillTool({ ...skills, listTools });
    },
    find_tool: async () => {
      const listTools = () => parts.listTools().filter(({ skill, source }) => source === "mcp" && skill === undefined);
      return (await import("../features/skills/find-tool-tool.ts")).createFindToolTool({ listTools });
    },
    mcp_resources: async () =>
      (await import("../features/mcp/tools/mcp-resources.ts")).createMcpResourcesTool({ servers: readable }),
    mcp_read: async () => (await import("../features/mcp/tools/mcp-read.ts")).createMcpReadTool({ servers: readable }),
    import_card: async () =>
      (await import("../features/cards/import-card.ts")).createImportCardTool({
        workspace,
        personaFolders: configuration.personaFolders,
        reload,
      }),
    skill_file: async () => (await import("../features/skills/skill-file-tool.ts")).createSkillFileTool(skills),
  };
}
