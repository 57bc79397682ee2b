import type { Kysely } from "kysely";
import type { createTaskTool } from "../agents/sub-agents/task-tool.ts";
import type { Configuration } from "../config.ts";
import type { ReadableServer } from "../mcp/readable-servers.ts";
import type { createFindSkillTool } from "../skills/find-skill-tool.ts";
import type { Database } from "../store/schema/database.ts";
import { createSearchThreads } from "../tools/builtin/search/search-thread.ts";
import type { FileDelivery } from "../tools/builtin/send-file.ts";
import type { OwnTools } from "../tools/own/own-tools.ts";
import type { ToolOptions } from "../tools/tool-options.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { Tool } from "../tools/types.ts";
import { createGuardedFetch } from "../web/guarded-fetch.ts";
import type { Places } from "./assemble-places.ts";
import { createExtensionTools } from "./assemble-skill-store.ts";

/** What tools are made of. */
export interface ToolTableParts {
  readonly configuration: Configuration;
  readonly places: Pick<Places, "browser" | "sandbox" | "workspace" | "contents">;
  readonly database: () => Kysely<Database>;
  readonly delivery: FileDelivery;
  /** What `task` needs. */
  readonly task: Parameters<typeof createTaskTool>[0];
  readonly skills: Omit<Parameters<typeof createFindSkillTool>[0], "listTools">;
  /** Those of config/tools. */
  readonly own: OwnTools;
  /** Every tool there is, as of the call. */
  readonly listTools: ToolRegistry["list"];
  /** Reads the configuration anew: what was just installed is there for the next call. */
  readonly reload: () => void;
  /** Where the tools that read from MCP servers read. */
  readonly readable: () => readonly ReadableServer[];
}

/** A tool of any input. */
type MadeTool = Pick<Tool<never>, "name" | "run">;

/** Every tool of ours, one row each. A module is imported when its tool is made, and one that is excluded never. */
export function createToolTable(
  parts: ToolTableParts,
): Readonly<Record<string, (options: ToolOptions) => Promise<MadeTool>>> {
  const { configuration, database, delivery, readable, reload, skills, task } = parts;
  const { browser, sandbox, workspace, contents } = parts.places;
  const runsIn = (session: string) => sandbox.findImage(session);
  const limits = { defaultTimeoutSeconds: configuration.sandbox.timeoutMs / 1000 };
  const guardedFetch = createGuardedFetch();
  const threads = createSearchThreads();
  return {
    time: async () => (await import("../tools/builtin/time.ts")).createTimeTool({ defaultZone: configuration.zone }),
    shell: async ({ maxTimeout }) =>
      (await import("../tools/builtin/shell.ts")).createShellTool({
        sandbox,
        workspace,
        contents,
        ...limits,
        ...(maxTimeout !== undefined && { maximumTimeoutSeconds: maxTimeout / 1000 }),
      }),
    file_read: async (options) =>
      (await import("../tools/builtin/file-read.ts")).createFileReadTool({ ...options, workspace, contents }),
    file_write: async () =>
      (await import("../tools/builtin/file-write.ts")).createFileWriteTool({ workspace, contents, runsIn }),
    file_edit: async () =>
      (await import("../tools/builtin/file-edit.ts")).createFileEditTool({ workspace, contents, runsIn }),
    file_patch: async () =>
      (await import("../tools/builtin/file-patch.ts")).createFilePatchTool({ workspace, contents, runsIn }),
    file_delete: async () => (await import("../tools/builtin/file-delete.ts")).createFileDeleteTool({ workspace }),
    glob: async (options) =>
      (await import("../tools/builtin/glob.ts")).createGlobTool({ ...options, workspace, threads, contents }),
    grep: async (options) =>
      (await import("../tools/builtin/grep.ts")).createGrepTool({ ...options, workspace, threads, contents }),
    task: async () => (await import("../agents/sub-agents/task-tool.ts")).createTaskTool(task),
    fetch: async (options) => (await import("../tools/builtin/fetch.ts")).createFetchTool({ ...options, guardedFetch }),
    web_search: async (options) => {
      const { createWebSearchTool, listSearchEngines } = await import("../tools/builtin/web-search.ts");
      return createWebSearchTool({ ...options, engines: listSearchEngines(configuration.search, options.engines) });
    },
    screenshot: async (options) =>
      (await import("../tools/builtin/screenshot.ts")).createScreenshotTool({ ...options, browser }),
    browser: async () => (await import("../tools/builtin/browser.ts")).createBrowserTool({ browser }),
    use_tool: async () => (await import("../tools/own/use-tool.ts")).createUseToolTool({ own: parts.own }),
    think: async () => (await import("../tools/builtin/think.ts")).createThinkTool(),
    todo: async () => (await import("../tools/builtin/todo.ts")).createTodoTool({ database }),
    dmail: async () => (await import("../agents/dmail/dmail-tool.ts")).createDMailTool(),
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
      return (await import("../skills/find-skill-tool.ts")).createFindSkillTool({ ...skills, listTools });
    },
    mcp_resources: async () =>
      (await import("../mcp/tools/mcp-resources.ts")).createMcpResourcesTool({ servers: readable }),
    mcp_read: async () => (await import("../mcp/tools/mcp-read.ts")).createMcpReadTool({ servers: readable }),
    skill_file: async () => (await import("../skills/skill-file-tool.ts")).createSkillFileTool(skills),
    send_file: async (options) =>
      (await import("../tools/builtin/send-file.ts")).createSendFileTool({ ...options, workspace, delivery }),
  };
}
