import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Configuration } from "./config/types.ts";
import { systemClock } from "./core/clock.ts";
import { createFileReadTool } from "./tools/builtin/file-read.ts";
import { createFileWriteTool } from "./tools/builtin/file-write.ts";
import { createShellTool } from "./tools/builtin/shell.ts";
import { createTimeTool } from "./tools/builtin/time.ts";
import { createHttpTool } from "./tools/http/create-http-tool.ts";
import { createToolRegistry, limitTool } from "./tools/registry.ts";
import { nameInstallation } from "./tools/sandbox/name-installation.ts";
import { openSandbox } from "./tools/sandbox/open-sandbox.ts";
import type { Tool } from "./tools/types.ts";
import { createWorkspace } from "./tools/workspace/create-workspace.ts";
import { createThrowAwayCopies } from "./tools/workspace/preview/throw-away-copies.ts";

/** The sandbox, the workspaces and every tool; `task` is the one that starts sub-agents. */
export async function assembleTools(configuration: Configuration, log: Logger, task: Tool) {
  const { home, zone } = configuration;
  const sandbox = await openSandbox({
    ...configuration.sandbox,
    installation: nameInstallation(home),
    instance: randomUUID(),
    clock: systemClock,
    log,
  });
  const root = join(home, "workspaces");
  const workspace = createWorkspace({ root });
  const limits = { defaultTimeoutSeconds: configuration.sandbox.timeoutMs / 1000 };
  const tools = [
    createTimeTool({ defaultZone: zone }),
    createShellTool({ sandbox, workspace, ...limits }),
    createFileReadTool({ workspace }),
    createFileWriteTool({ workspace }),
    task,
    ...Object.entries(configuration.tools.http).map(([name, declared]) => createHttpTool(name, declared)),
  ] as Tool[];
  const { exclude, options } = configuration.tools;
  return {
    sandbox,
    workspace,
    limits,
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
