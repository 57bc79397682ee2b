import { AppError } from "../core/errors.ts";
import { approveMcp } from "./mcp/approve.ts";
import { listMcp } from "./mcp/list.ts";
import { removeMcp } from "./mcp/remove.ts";
import { readOptions } from "./read-options.ts";
import type { Command } from "./types.ts";

const help = `kurisu mcp list [--json] | approve SERVER [TOOL] [--json] | remove SERVER [--json]

list      the servers of config/mcp.json, their tools, and how what waits for you differs from what was there
approve   shows the difference and lets it through: all that waits of the server, or one tool
remove    takes the server out of config/mcp.json and forgets what was known of its tools`;

export const mcpCommand: Command = {
  name: "mcp",
  summary: "list MCP servers and decide about tools that changed",
  help,
  async run(context) {
    const { values, positionals } = readOptions("mcp", context.arguments, {
      json: { type: "boolean", default: false },
    });
    const [action = "list", server, tool] = positionals;
    if (action === "list") return listMcp(context, values.json);
    if (server === undefined) throw new AppError("USAGE", help);
    switch (action) {
      case "approve":
        return approveMcp(context, { server, ...(tool !== undefined && { tool }), json: values.json });
      case "remove":
        return removeMcp(context, server, values.json);
      default:
        throw new AppError("USAGE", help);
    }
  },
};
