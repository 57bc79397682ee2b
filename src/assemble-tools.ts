import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Kysely } from "kysely";
import type { createTaskTool } from "./agents/sub-agents/task-tool.ts";
import type { Configuration } from "./config.ts";
import { createExtensionTools } from "./assemble-skill-store.ts";
import type { createFindSkillTool } from "./skills/find-skill-tool.ts";
import { systemClock } from "./core/clock.ts";
import type { ReadableServer } from "./mcp/readable-servers.ts";
import { createSearchThreads } from "./tools/builtin/search/search-thread.ts";
import type { FileDelivery } from "./tools/builtin/send-file.ts";
import type { Database } from "./store/schema/database.ts";
import type { ToolOptions } from "./tools/tool-options.ts";
import { applySettings, createToolRegistry } from "./tools/registry.ts";
import { chooseContainerIdentity } from "./sandbox/container-identity.ts";
import { createContainerBrowser } from "./sandbox/container-browser.ts";
import { createEgress } from "./sandbox/egress/open-egress.ts";
import { nameInstallation } from "./sandbox/name-installation.ts";
import { openSandbox } from "./sandbox/open-sandbox.ts";
import type { Tool } from "./tools/types.ts";
import { createChosenFiles } from "./workspace/container/choose-files.ts";
import { createContainerFiles } from "./workspace/container/container-files.ts";
import { createHostBrowser } from "./web/browser/host-browser.ts";
import { createBrowser } from "./web/browser/open-page.ts";
import { createGuardedDial } from "./web/guarded-dial.ts";
import { createGuardedFetch } from "./web/guarded-fetch.ts";
import { createWorkspace } from "./workspace/create-workspace.ts";
import { createKnownContents } from "./workspace/known-contents.ts";
import { createThrowAwayCopies } from "./workspace/preview/throw-away-copies.ts";

/** A tool of any input. */
type MadeTool = Pick<Tool<never>, "name" | "run">;

/** The sandbox, the workspaces and every tool that is not excluded; `task` = what the tool of that name needs. */
export async function assembleTools(
  configuration: Configuration,
  parts: {
    readonly database: () => Kysely<Database>;
    readonly delivery: FileDelivery;
    readonly task: Parameters<typeof createTaskTool>[0];
    readonly skills: Omit<Parameters<typeof createFindSkillTool>[0], "listTools">;
    /** Those of MCP servers, which come and go. */
    readonly coming: () => readonly Tool[];
    /** Reads the configuration anew: what was just installed is there for the next call. */
    readonly reload: () => void;
    /** Where the tools that read from MCP servers read. */
    readonly readable: () => readonly ReadableServer[];
    readonly log: Logger;
  },
) {
  const { coming, database, delivery, task, skills, reload, log } = parts;
  const { home, zone } = configuration;
  const root = join(home, "workspaces");
  const uid = process.getuid?.();
  // Only root can give a socket away; anyone else runs containers under its own number.
  const owner = uid === 0 ? { owner: chooseContainerIdentity(uid, process.getgid?.()) } : {};
  const chosen = configuration.tools.browser;
  const browserRoot = join(home, "browser");
  const egress =
    configuration.sandbox.network === "off"
      ? undefined
      : createEgress({
          root: join(home, "egress"),
          dial: createGuardedDial(),
          log,
          ...owner,
        });
  const sandbox = await openSandbox({
    ...configuration.sandbox,
    ...(egress && { egress }),
    ...(!chosen.host && { browserImage: chosen.image }),
    workspaces: root,
    seccompFile: join(home, "seccomp.json"),
    installation: nameInstallation(home),
    instance: randomUUID(),
    clock: systemClock,
    log,
  });
  const workspace = createWorkspace({
    root,
    trash: join(home, "trash"),
    limits: configuration.sandbox.workspaceLimits,
    files: (host) => createChosenFiles({ sandbox, host, container: createContainerFiles({ sandbox }), log }),
  });
  const contents = createKnownContents({ database });
  const browser = createBrowser({
    place: chosen.host
      ? createHostBrowser(chosen)
      : createContainerBrowser({ sandbox, image: chosen.image, root: browserRoot, ...owner }),
  });
  const runsIn = (session: string) => sandbox.findImage(session);
  const limits = { defaultTimeoutSeconds: configuration.sandbox.timeoutMs / 1000 };
  const guardedFetch = createGuardedFetch();
  const threads = createSearchThreads();
  // A module is imported when its tool is made, and one that is excluded never.
  const table: Readonly<Record<string, (options: ToolOptions) => Promise<MadeTool>>> = {
    time: async () => (await import("./tools/builtin/time.ts")).createTimeTool({ defaultZone: zone }),
    shell: async ({ maxTimeout }) =>
      (await import("./tools/builtin/shell.ts")).createShellTool({
        sandbox,
        workspace,
        contents,
        ...limits,
        ...(maxTimeout !== undefined && { maximumTimeoutSeconds: maxTimeout / 1000 }),
      }),
    file_read: async (options) =>
      (await import("./tools/builtin/file-read.ts")).createFileReadTool({ ...options, workspace, contents }),
    file_write: async () =>
      (await import("./tools/builtin/file-write.ts")).createFileWriteTool({ workspace, contents, runsIn }),
    file_edit: async () =>
      (await import("./tools/builtin/file-edit.ts")).createFileEditTool({ workspace, contents, runsIn }),
    file_patch: async () =>
      (await import("./tools/builtin/file-patch.ts")).createFilePatchTool({ workspace, contents, runsIn }),
    file_delete: async () => (await import("./tools/builtin/file-delete.ts")).createFileDeleteTool({ workspace }),
    glob: async (options) =>
      (await import("./tools/builtin/glob.ts")).createGlobTool({ ...options, workspace, threads, contents }),
    grep: async (options) =>
      (await import("./tools/builtin/grep.ts")).createGrepTool({ ...options, workspace, threads, contents }),
    task: async () => (await import("./agents/sub-agents/task-tool.ts")).createTaskTool(task),
    fetch: async (options) => (await import("./tools/builtin/fetch.ts")).createFetchTool({ ...options, guardedFetch }),
    web_search: async (options) => {
      const { createWebSearchTool, listSearchEngines } = await import("./tools/builtin/web-search.ts");
      return createWebSearchTool({ ...options, engines: listSearchEngines(configuration.search, options.engines) });
    },
    screenshot: async (options) =>
      (await import("./tools/builtin/screenshot.ts")).createScreenshotTool({ ...options, browser }),
    browser: async () => (await import("./tools/builtin/browser.ts")).createBrowserTool({ browser }),
    think: async () => (await import("./tools/builtin/think.ts")).createThinkTool(),
    todo: async () => (await import("./tools/builtin/todo.ts")).createTodoTool({ database }),
    dmail: async () => (await import("./agents/dmail/dmail-tool.ts")).createDMailTool(),
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
      const listTools = () => registry.list().filter(({ skill, source }) => source === "mcp" || skill !== undefined);
      return (await import("./skills/find-skill-tool.ts")).createFindSkillTool({ ...skills, listTools });
    },
    mcp_resources: async () =>
      (await import("./mcp/tools/mcp-resources.ts")).createMcpResourcesTool({ servers: parts.readable }),
    mcp_read: async () => (await import("./mcp/tools/mcp-read.ts")).createMcpReadTool({ servers: parts.readable }),
    skill_file: async () => (await import("./skills/skill-file-tool.ts")).createSkillFileTool(skills),
    send_file: async (options) =>
      (await import("./tools/builtin/send-file.ts")).createSendFileTool({ ...options, workspace, delivery }),
  };
  const declared = Object.entries(configuration.tools.http).map(
    ([name, request]) =>
      [name, async () => (await import("./tools/http/create-http-tool.ts")).createHttpTool(name, request)] as const,
  );
  const { exclude, options } = configuration.tools;
  const seconds = Object.entries(options).flatMap(([name, { use }]) => {
    const make = use && table[use];
    return make ? [[name, make] as const] : [];
  });
  const wanted = [...Object.entries(table), ...declared, ...seconds].filter(([name]) => !exclude.includes(name));
  const tools = await Promise.all(
    wanted.map(async ([name, make]) => {
      const given = options[name] ?? {};
      return applySettings((await make(given)) as Tool, { ...given, name });
    }),
  );
  for (const name of Object.keys(options)) {
    // Those of MCP servers come later.
    if (!name.startsWith("mcp__") && !tools.some((tool) => tool.name === name))
      log.warn({ tool: name }, "tools.yaml has options for a tool that is not there");
  }
  const registry = createToolRegistry(tools, {
    coming,
    conflicts: configuration.tools.conflicts,
    overrides: configuration.tools.overrides,
    onConflict: ({ name, source }, loser) =>
      log.warn({ tool: name, winner: source, loser: loser.source }, "two tools have one name"),
  });
  return {
    sandbox,
    workspace,
    contents,
    limits,
    /** Removes the sockets of what a process that died was running. Only while nothing runs. */
    async sweepSockets() {
      await egress?.sweep();
      await rm(browserRoot, { recursive: true, force: true });
    },
    copies: createThrowAwayCopies({ root, workspace }),
    registry,
  };
}
