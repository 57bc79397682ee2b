import { AppError } from "../core/errors.ts";
import { serveHelp, serveMcp } from "./mcp/serve.ts";
import type { Command } from "./types.ts";

export const mcpCommand: Command = {
  name: "mcp",
  summary: "offer the tools to other agents (MCP)",
  help: serveHelp,
  async run(context) {
    const [action, ...given] = context.arguments;
    if (action === "serve") return serveMcp(context, given);
    throw new AppError("USAGE", serveHelp);
  },
};
