import { join } from "node:path";
import { approveMcp } from "./approve.ts";
import { listMcp } from "./list.ts";
import { withServers } from "./reach-servers.ts";
import { serveHelp, serveMcp } from "./serve.ts";
import { readOptions } from "../../../kernel/command-line/read-options.ts";
import { toTerminalLine } from "../../../kernel/command-line/to-terminal-text.ts";
import type { McpServer } from "../servers/types.ts";
import type { CommandContext, LoadedCommand } from "../../../kernel/command-line/command.ts";
import { readMcpConfiguration } from "./mcp-command-context.ts";
import { AppError } from "../../../core/errors.ts";
import { kurisuCommand } from "../../../core/kurisu-command.ts";
import { removeFromMcpFile } from "../servers/mcp-file.ts";

const help = `${kurisuCommand} mcp list [--json] | approve SERVER [TOOL] [--json] | remove SERVER [--json]
           login SERVER [ADDRESS] [--json] | logout SERVER [--json]

list      the servers of config/mcp.json, of skills and of .mcp.json, their tools, and how what waits for you differs from what was there
approve   shows the difference and lets it through: all that waits of the server, or one tool; lets a server of .mcp.json start
remove    takes the server out of config/mcp.json and forgets what was known of its tools
login     shows the address to log in at; with the ADDRESS (or code) that the browser was sent back with, ends it
logout    deletes the tokens

${serveHelp}`;

export const mcpCommand: LoadedCommand<CommandContext> = {
  help,
  async run(context) {
    // It parses its own options.
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

/** Edits the file first: a running Kurisu must not find the server again in between. */
async function removeMcp(context: CommandContext, server: string, json: boolean): Promise<number> {
  const file = join(readMcpConfiguration(context).configFolder, "mcp.json");
  const wasWritten = removeFromMcpFile(file, server);
  const wasKnown = await withServers(context, (servers) => servers.forget(server));
  const found = readMcpConfiguration(context).mcp.servers.find(({ name }) => name === server);
  const remedy = found === undefined ? "" : describeRemedy(found);
  if (!wasWritten && !wasKnown && remedy === "")
    throw new AppError("USAGE", `There is no MCP server ${server}. ${kurisuCommand} mcp list shows them.`);
  const said = `${server}: ${wasWritten ? `taken out of ${file}` : `not in ${file}`}; ${wasKnown ? "its tools are forgotten" : "nothing was known of its tools"}.${remedy}`;
  process.stdout.write(
    json ? `${JSON.stringify({ server, removed: wasWritten, forgotten: wasKnown })}\n` : `${said}\n`,
  );
  return 0;
}

function describeRemedy({ project, skill }: McpServer): string {
  if (project !== undefined) return " The project's .mcp.json still has it; nothing of it runs without a new yes.";
  return skill === undefined ? "" : ` The skill ${skill} brings it: take that away, or exclude it in skills.yaml.`;
}

/** Shows the address to log in at, or ends the login with what was pasted. Nothing is opened. */
async function loginMcp(
  context: CommandContext,
  { server, pasted, json }: { readonly server: string; readonly pasted?: string; readonly json: boolean },
): Promise<number> {
  const answer = await withServers(context, (servers) => servers.login(server, pasted));
  if (!answer) throw new AppError("USAGE", `There is no MCP server ${server}. ${kurisuCommand} mcp list shows them.`);
  if (json) process.stdout.write(`${JSON.stringify({ ...answer, server })}\n`);
  switch (answer.kind) {
    case "open":
      if (json) return 0;
      process.stdout.write(
        `To log in at ${server}, open this address (${server} chose it; it is at ${answer.host}, so look closely):\n\n  ${answer.url}\n\n` +
          `Your browser then comes back to ${toTerminalLine(answer.redirectUrl)}.\n` +
          `If that page does not open, give the address it shows, in quotes, within ten minutes:\n` +
          `  ${kurisuCommand} mcp login ${server} 'ADDRESS'\n`,
      );
      return 0;
    case "done":
      if (!json) process.stdout.write(`Logged in at ${server}.\n`);
      return 0;
    case "refused":
      if (!json) process.stderr.write(`Not logged in at ${server}: ${toTerminalLine(answer.reason)}\n`);
      return 1;
  }
}

async function logoutMcp(context: CommandContext, server: string, json: boolean): Promise<number> {
  const wasIn = await withServers(context, (servers) => servers.logout(server));
  const said = wasIn ? `Logged out of ${server}; its tokens are deleted.` : `Nobody was logged in at ${server}.`;
  process.stdout.write(`${json ? JSON.stringify({ server, loggedOut: wasIn }) : said}\n`);
  return 0;
}
