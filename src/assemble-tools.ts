import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Kysely } from "kysely";
import { createDMailTool } from "./agents/dmail/dmail-tool.ts";
import type { Configuration } from "./config/types.ts";
import { systemClock } from "./core/clock.ts";
import { createBrowserTool } from "./tools/builtin/browser.ts";
import { createFetchTool } from "./tools/builtin/fetch.ts";
import { createFileReadTool } from "./tools/builtin/file-read.ts";
import { createFileWriteTool } from "./tools/builtin/file-write.ts";
import { createScreenshotTool } from "./tools/builtin/screenshot.ts";
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
import { createBrowser } from "./tools/web/browser/open-page.ts";
import { createGuardedDial } from "./tools/web/guarded-dial.ts";
import { createGuardedFetch } from "./tools/web/guarded-fetch.ts";
import { createWorkspace } from "./tools/workspace/create-workspace.ts";
import { createThrowAwayCopies } from "./tools/workspace/preview/throw-away-copies.ts";

/** The sandbox, the workspaces and every tool; `task` is the one that starts sub-agents. */
export async function assembleTools(
  configuration: Configuration,
  log: Logger,
  database: () => Kysely<Database>,
  task: Tool,
) {
  const { home, zone } = configuration;
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
    installation: nameInstallation(home),
    instance: randomUUID(),
    clock: systemClock,
    log,
  });
  const root = join(home, "workspaces");
  const workspace = createWorkspace({ root });
  const browser = createBrowser(configuration.tools.browser);
  const limits = { defaultTimeoutSeconds: configuration.sandbox.timeoutMs / 1000 };
  const tools = [
    createTimeTool({ defaultZone: zone }),
    createShellTool({ sandbox, workspace, ...limits }),
    createFileReadTool({ workspace }),
    createFileWriteTool({ workspace }),
    task,
    createFetchTool({ guardedFetch: createGuardedFetch() }),
    createWebSearchTool({ engines: listSearchEngines(configuration.search) }),
    createScreenshotTool({ browser }),
    createBrowserTool({ browser }),
    createThinkTool(),
    createTodoTool({ database }),
    createDMailTool(),
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
