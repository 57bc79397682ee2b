import { AppError } from "../core/errors.ts";
import type { Tool } from "../tools/types.ts";
import { createCompiler } from "./check-input.ts";
import { createMcpTool } from "./create-mcp-tool.ts";
import { explainHeld } from "./describe-quarantine.ts";
import { nameHolder, type PinnedTool } from "./pin-book.ts";
import { isWanted } from "./read-tools.ts";
import type { McpServer } from "./types.ts";

/** The tools of these servers as they are pinned, to look at: nothing is started, and none of them can be called. */
export async function listPinnedTools(
  servers: readonly McpServer[],
  pinned: readonly PinnedTool[],
): Promise<readonly Tool[]> {
  if (pinned.length === 0) return [];
  const compiler = createCompiler();
  await compiler.load();
  return pinned.flatMap((pin) => {
    const server = servers.find((one) => nameHolder(one) === pin.holder);
    if (!server || !isWanted(server, pin.tool)) return [];
    return [
      createMcpTool({
        server,
        pinned: pin,
        compile: compiler.compile,
        timeoutMs: server.timeoutMs,
        unavailable: () => explainHeld(pin),
        call: () => Promise.reject(new AppError("INTERNAL", "Nothing runs while tools are only looked at.")),
        warm: () => Promise.resolve(),
        whyNotHere: () => Promise.resolve(undefined),
      }),
    ];
  });
}
