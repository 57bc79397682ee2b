import { AppError } from "../core/errors.ts";
import { approveMcp } from "./mcp/approve.ts";
import { listMcp } from "./mcp/list.ts";
import { loginMcp, logoutMcp } from "./mcp/login.ts";
import { removeMcp } from "./mcp/remove.ts";
import { serveHelp, serveMcp } from "./mcp/serve.ts";
import { readOptions } from "./read-options.ts";
import type { Command } from "./types.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";

const help = `${kurisuCommand} mcp list [--json] | approve SERVER [TOOL] [--json] | remove SERVER [--json]
           login SERVER [ADDRESS] [--json] | logout SERVER [--json]

list      the servers of config/mcp.json and of skills, their tools, and how what waits for you differs from what was there
approve   shows the difference and lets it through: all that waits of the server, or one tool
remove    takes the server out of config/mcp.json and forgets what was known of its tools
login     shows the address to log in at; with the ADDRESS (or code) that the browser was sent back with, ends it
logout    deletes the tokens

${serveHelp}`;

export const mcpCommand: Command = {
  name: "mcp",
  summary: "list MCP servers, log in at them, decide about tools that changed, serve our own tools",
  help,
  async run(context) {
    // It has options of its own.
    const [first, ...given] = context.arguments;
    if (first === "serve") return serveMcp(context, given);
    const { values, positionals } = readOptions("mcp", context.arguments, {
      json: { type: "boolean", default: false },
    });
    const [action = "list", server, tool] = positionals;
    if (action === "list") return listMcp(context, values.json);
    if (server === undefined) throw new AppError("USAGE", help);
    switch (action) {
      case "approve":
        return approveMcp(context, { server, ...(tool !== undefined && { tool }), json: values.json });
      case "login":
        return loginMcp(context, { server, ...(tool !== undefined && { pasted: tool }), json: values.json });
      case "logout":
        return logoutMcp(context, server, values.json);
      case "remove":
        return removeMcp(context, server, values.json);
      default:
        throw new AppError("USAGE", help);
    }
  },
};
