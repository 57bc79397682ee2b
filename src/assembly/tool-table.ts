import type { Kysely } from "kysely";
import type { Configuration } from "../config.ts";
import type { ReadableServer } from "../features/mcp/readable-servers.ts";
import type { createFindSkillTool } from "../features/skills/find-skill-tool.ts";
import type { Database } from "../store/schema/database.ts";
import { kernelTools, type KernelToolParts, type MakeTool } from "../kernel/tools/table/kernel-tools.ts";
import type { MadeFeature } from "../kernel/feature/make-features.ts";
import type { ToolRegistry } from "../kernel/tools/registry.ts";
import type { GuardedFetch } from "../web/guarded-fetch.ts";
import type { Workspace } from "../workspace/types.ts";
import { createExtensionTools } from "./assemble-skill-store.ts";

/** The parts of tools. */
export interface ToolTableParts {
  readonly configuration: Configuration;
  readonly features: readonly MadeFeature[];
  readonly kernel: KernelToolParts;
  readonly workspace: Workspace;
  readonly database: () => Kysely<Database>;
  readonly skills: Omit<Parameters<typeof createFindSkillTool>[0], "listTools">;
  /** Every tool there is, as of the call. */
  readonly listTools: ToolRegistry["list"];
  /** Reads the configuration anew: what was just installed is there for the next call. */
  readonly reload: () => void;
  /** Where the tools that read from MCP servers read. */
  readonly readable: () => readonly ReadableServer[];
  readonly guardedFetch: GuardedFetch;
}

/** Every tool of ours: the kernel's, those of features, and those whose features have no definition yet. */
export function createToolTable(parts: ToolTableParts): Readonly<Record<string, MakeTool>> {
  const { configuration, database, guardedFetch, readable, reload, skills, workspace } = parts;
  return {
    ...Object.fromEntries(
      Object.entries(kernelTools).map(([name, make]): [string, MakeTool] => [
        name,
        (options) => make(parts.kernel, options),
      ]),
    ),
    ...Object.fromEntries(parts.features.flatMap(({ tools }) => Object.entries(tools))),
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
    skill_file: async () => (await import("../features/skills/skill-file-tool.ts")).createSkillFileTool(skills),
  };
}
