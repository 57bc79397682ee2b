import { createInterface } from "node:readline/promises";
import { AppError } from "../../../core/errors.ts";
import type { CommandContext } from "../../../kernel/command-line/command.ts";
import { indent } from "./list.ts";
import { withServers } from "./reach-servers.ts";
import { kurisuCommand } from "../../../core/kurisu-command.ts";

/**
 * Shows the differences and lets exactly those through. In a terminal it asks first; elsewhere the command is the
 * approval.
 */
export async function approveMcp(
  context: CommandContext,
  { server, tool, json }: { readonly server: string; readonly tool?: string; readonly json: boolean },
): Promise<number> {
  return withServers(context, async (servers) => {
    const report = (await servers.list()).find((one) => one.server === server);
    if (!report) throw new AppError("USAGE", `There is no MCP server ${server}. ${kurisuCommand} mcp list shows them.`);
    const { entry } = report;
    // Until the server is let in, nothing is known of its tools.
    const waiting = entry && { name: `${server} of .mcp.json`, state: "new", difference: entry.text, hash: entry.hash };
    const changed = report.tools.flatMap((one) =>
      one.hash !== undefined && (tool === undefined || one.tool === tool || one.name === tool)
        ? [{ ...one, hash: one.hash }]
        : [],
    );
    const held = waiting ? [waiting] : changed;
    if (held.length === 0) {
      process.stdout.write(json ? `${JSON.stringify({ server, approved: [] })}\n` : `Nothing of ${server} waits.\n`);
      return 0;
    }
    for (const { name, state, difference = "" } of json ? [] : held)
      process.stdout.write(`${name} (${state})\n${indent(difference)}\n`);
    if (!json && process.stdin.isTTY && !(await saysYes())) return 1;
    const approved = await servers.approve(
      server,
      held.map(({ hash }) => hash),
    );
    process.stdout.write(json ? `${JSON.stringify({ server, approved })}\n` : `Let through: ${approved.join(", ")}\n`);
    return approved.length === held.length ? 0 : 1;
  });
}

async function saysYes(): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^(?:y|yes|确认|承認)$/i.test((await lines.question("Let it through? [y/N] ")).trim());
  } finally {
    lines.close();
  }
}
