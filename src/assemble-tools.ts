import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Kysely } from "kysely";
import { createDMailTool } from "./agents/dmail/dmail-tool.ts";
import type { Configuration } from "./config/types.ts";
import { systemClock } from "./core/clock.ts";
import { createFileDeleteTool } from "./tools/builtin/file-delete.ts";
import { createFileEditTool } from "./tools/builtin/file-edit.ts";
import { createFilePatchTool } from "./tools/builtin/file-patch.ts";
import { createFileReadTool } from "./tools/builtin/file-read.ts";
import { createFileWriteTool } from "./tools/builtin/file-write.ts";
import { createGlobTool } from "./tools/builtin/glob.ts";
import { createGrepTool } from "./tools/builtin/grep.ts";
import { createSearchThreads } from "./tools/builtin/search/search-thread.ts";
import { createBrowserTool } from "./tools/builtin/browser.ts";
import { createFetchTool } from "./tools/builtin/fetch.ts";
import { createScreenshotTool } from "./tools/builtin/screenshot.ts";
import { createSendFileTool, type FileDelivery } from "./tools/builtin/send-file.ts";
import { createShellTool } from "./tools/builtin/shell.ts";
import { createThinkTool } from "./tools/builtin/think.ts";
import { createTimeTool } from "./tools/builtin/time.ts";
import { createWebSearchTool, listSearchEngines } from "./tools/builtin/web-search.ts";
import { createTodoTool } from "./tools/builtin/todo.ts";
import type { Database } from "./store/schema.ts";
import { createHttpTool } from "./tools/http/create-http-tool.ts";
import { createToolRegistry, limitTool } from "./tools/registry.ts";
import { chooseContainerIdentity } from "./tools/sandbox/container-identity.ts";
import { createEgress } from "./tools/sandbox/egress/open-egress.ts";
import { nameInstallation } from "./tools/sandbox/name-installation.ts";
import { openSandbox } from "./tools/sandbox/open-sandbox.ts";
import type { Tool } from "./tools/types.ts";
import { createChosenFiles } from "./tools/workspace/container/choose-files.ts";
import { createContainerFiles } from "./tools/workspace/container/container-files.ts";
import { createBrowser } from "./tools/web/browser/open-page.ts";
import { createGuardedDial } from "./tools/web/guarded-dial.ts";
import { createGuardedFetch } from "./tools/web/guarded-fetch.ts";
import { createWorkspace } from "./tools/workspace/create-workspace.ts";
import { createThrowAwayCopies } from "./tools/workspace/preview/throw-away-copies.ts";

/** The sandbox, the workspaces and every tool; `task` is the one that starts sub-agents. */
export async function assembleTools(
  configuration: Configuration,
  parts: {
    readonly database: () => Kysely<Database>;
    readonly delivery: FileDelivery;
    readonly task: Tool;
    readonly log: Logger;
  },
) {
  const { database, delivery, task, log } = parts;
  const { home, zone } = configuration;
  const root = join(home, "workspaces");
  const uid = process.getuid?.();
  const egress =
    configuration.sandbox.network === "off"
      ? undefined
      : createEgress({
          root: join(home, "egress"),
          dial: createGuardedDial(),
          log,
          // Only root can give the socket away; anyone else runs commands under its own number.
          ...(uid === 0 && { owner: chooseContainerIdentity(uid, process.getgid?.()) }),
        });
  const sandbox = await openSandbox({
    ...configuration.sandbox,
    ...(egress && { egress }),
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
  const browser = createBrowser(configuration.tools.browser);
  const limits = { defaultTimeoutSeconds: configuration.sandbox.timeoutMs / 1000 };
  const threads = createSearchThreads();
  const tools = [
    createTimeTool({ defaultZone: zone }),
    createShellTool({ sandbox, workspace, ...limits }),
    createFileReadTool({ workspace }),
    createFileWriteTool({ workspace }),
    createFileEditTool({ workspace }),
    createFilePatchTool({ workspace }),
    createFileDeleteTool({ workspace }),
    createGlobTool({ workspace, threads }),
    createGrepTool({ workspace, threads }),
    task,
    createFetchTool({ guardedFetch: createGuardedFetch() }),
    createWebSearchTool({ engines: listSearchEngines(configuration.search) }),
    createScreenshotTool({ browser }),
    createBrowserTool({ browser }),
    createThinkTool(),
    createTodoTool({ database }),
    createDMailTool(),
    createSendFileTool({ workspace, delivery }),
    ...Object.entries(configuration.tools.http).map(([name, declared]) => createHttpTool(name, declared)),
  ] as Tool[];
  const { exclude, options } = configuration.tools;
  return {
    sandbox,
    workspace,
    limits,
    egress,
    copies: createThrowAwayCopies({ root, workspace }),
    registry: createToolRegistry(
      tools.map((tool) => limitTool(tool, options[tool.name])),
      {
        exclude,
        conflicts: configuration.tools.conflicts,
        onConflict: ({ name, source }, loser) =>
          log.warn({ tool: name, winner: source, loser: loser.source }, "two tools have one name"),
      },
    ),
  };
}
