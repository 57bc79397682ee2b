import { countOf } from "../../../core/words/count-of.ts";
import { toTerminalLine } from "../../../kernel/command-line/to-terminal-text.ts";
import type { CommandContext } from "../../../kernel/command-line/command.ts";
import { withServers } from "./reach-servers.ts";

/** One line per server, with one per tool below it; differences follow under their tool. */
export async function listMcp(context: CommandContext, json: boolean): Promise<number> {
  const reports = await withServers(context, (servers) => servers.list());
  for (const report of reports) {
    if (json) {
      process.stdout.write(`${JSON.stringify(report)}\n`);
      continue;
    }
    const { server, from, way, state, detail, tools, refused } = report;
    process.stdout.write(
      `${server}  ${state}  of ${from}  ${toTerminalLine(way)}${detail === "" ? "" : `  ${toTerminalLine(detail)}`}\n`,
    );
    if (report.tokens > 0)
      process.stdout.write(
        `  ${countOf(tools.length, "tool")}, about ${countOf(report.tokens, "token")} if a model is told of all of them\n`,
      );
    if (report.entry !== undefined) process.stdout.write(`  waits for your yes\n${indent(report.entry.text)}\n`);
    for (const tool of tools) {
      const mended = tool.mended === undefined ? "" : `  (schema mended for models: ${tool.mended.join(", ")})`;
      process.stdout.write(`  ${tool.name.padEnd(40)} ${tool.state}${toTerminalLine(mended)}\n`);
      if (tool.difference !== undefined) process.stdout.write(`${indent(tool.difference)}\n`);
    }
    for (const { name, reason } of refused)
      process.stdout.write(`  ${toTerminalLine(name).padEnd(40)} not taken: ${toTerminalLine(reason)}\n`);
  }
  if (reports.length === 0 && !json)
    process.stdout.write("No MCP servers; they go into config/mcp.json (or .mcp.json beside the config folder).\n");
  return 0;
}

/** Hidden characters were shown when the difference was made. */
export function indent(text: string): string {
  return text.replaceAll(/^/gm, "      ");
}
