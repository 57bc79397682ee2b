import { tables } from "../assembly/features.ts";
import { AppError } from "../core/errors.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import { makeVisible } from "../core/persona/show-payload.ts";
import { createAskOwnTool, type AskOwnTool } from "../features/own-tools/ask-own-tool.ts";
import { connectControlSocket, type ControlRequest } from "../kernel/socket/control-socket.ts";
import { createControlClient } from "./chat-connection.ts";
import { listPinnedStates } from "../features/mcp/list-tool-states.ts";
import { explainToPeople, type AskedAbout, type ExplainedCall } from "../kernel/tools/explain-asked-call.ts";
import {
  defineTools,
  listToolRows,
  toolFormats,
  type ToolFormat,
  type ToolRow,
} from "../kernel/tools/list-tool-rows.ts";
import { readPins } from "../features/mcp/cli/read-pins.ts";
import { readFirstSentence } from "../kernel/tools/first-sentence.ts";
import { readOptions } from "../kernel/command-line/read-options.ts";
import { toTerminalLine } from "../kernel/command-line/to-terminal-text.ts";
import type { Command, CommandContext } from "./types.ts";
import type { Configuration } from "../config.ts";
import { admitOwnTool } from "../features/own-tools/declare-own-tool.ts";
import { type OwnToolFolder, ownTools } from "../features/own-tools/own-tools.ts";

const help = `${kurisuCommand} tools [list] [--json] [--format openai|anthropic|mcp] | why NAME ARGS [--user U] [--role R]
             [--chat C] [--group] [--tainted] [--json] | approve NAME [DIGEST]

list   every tool with its level; --format prints the definitions as a model server or an MCP client wants them. A
       running Kurisu is asked; with none, tools of MCP servers are those that were seen last. No server is started for it. Those that
       changed are quarantined, those whose record is damaged are blocked, and --format leaves both out
why    what would become of a call, and why: which line of tools.yaml decided, which were looked at, whose yes it needs.
       ARGS is JSON: ${kurisuCommand} tools why shell '{"command":"ls"}'
       --user    whose call, such as telegram:123; default cli:owner. Who paired is known to a running Kurisu; else say --role
       --role    owner, trusted, member or guest
       --chat    where, such as telegram:-100123; --group = a chat of several people
       --tainted after something untrusted (a web page, a file of a stranger) was read in the same turn
approve the code of config/tools/NAME.ts and its digest; with the digest exactly this code may run from now on`;

export const toolsCommand: Command = {
  name: "tools",
  help,
  async run(context) {
    const { values, positionals } = readOptions("tools", context.arguments, {
      json: { type: "boolean", default: false },
      format: { type: "string" },
      user: { type: "string" },
      role: { type: "string" },
      chat: { type: "string" },
      group: { type: "boolean", default: false },
      tainted: { type: "boolean", default: false },
    });
    const [action = "list", name, given] = positionals;
    const format = toolFormats.find((one) => one === values.format);
    if (values.format !== undefined && !format)
      throw new AppError("USAGE", `--format is one of ${toolFormats.join(", ")}`);
    if (action !== "list" && (!["why", "approve"].includes(action) || name === undefined))
      throw new AppError("USAGE", help);
    if (action === "approve" && name !== undefined) {
      process.stdout.write(`${await approveTool(context.configuration(), name, given, createAskOwnTool())}\n`);
      return 0;
    }
    const look = await reachTools(context);
    try {
      for (const server of look.strangers)
        process.stderr.write(`The MCP server ${server} was never started, so its tools are not known yet.\n`);
      if (action === "why" && name !== undefined) {
        const { json, text } = await look.why({ ...values, name, arguments: given ?? "{}" });
        process.stdout.write(`${values.json ? JSON.stringify(json) : makeVisible(text)}\n`);
      } else if (format) process.stdout.write(`${JSON.stringify(await look.define(format), null, 2)}\n`);
      else {
        const rows = await look.list();
        const lines = values.json ? rows.map(toJson) : toLines(rows);
        process.stdout.write(lines.map((line) => `${line}\n`).join(""));
      }
      return 0;
    } finally {
      await look.leave();
    }
  },
};

/** The running Kurisu, which has the true state; else what can be seen without one. No server is started for it. */
async function reachTools(context: CommandContext) {
  const configuration = context.configuration();
  const socket = await connectControlSocket(configuration.home);
  if (socket) {
    const client = createControlClient(socket, () => undefined);
    const ask = async <T>(make: (id: number) => ControlRequest) => JSON.parse(await client.ask(make)) as T;
    return {
      strangers: [],
      list: () => ask<readonly ToolRow[]>((id) => ({ kind: "tool-list", id })),
      define: (format: ToolFormat) => ask<readonly object[]>((id) => ({ kind: "tool-definitions", id, format })),
      why: (asked: AskedAbout) => ask<ExplainedCall>((id) => ({ kind: "tool-why", id, asked: JSON.stringify(asked) })),
      leave: async () => void socket.destroy(),
    };
  }
  const { pinned, strangers } = await readPins(configuration, tables);
  const seen = await context.inspect(configuration, pinned);
  return {
    strangers,
    list: async () => listToolRows(seen, listPinnedStates(pinned)),
    define: async (format: ToolFormat) => defineTools(seen, format),
    why: (asked: AskedAbout) => explainToPeople(seen, asked),
    leave: () => seen.sandbox.stop(),
  };
}

function toJson(row: ToolRow): string {
  return JSON.stringify({ ...row, description: undefined });
}

/** In columns as wide as the longest name needs. */
function toLines(rows: readonly ToolRow[]): readonly string[] {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, level, source, available, description, state, by, reason = "" }) => {
    const acts = by === undefined ? "" : `→ ${by}: `;
    const about = available
      ? toTerminalLine(readFirstSentence(description))
      : `${state ?? "not offered"}: ${toTerminalLine(reason)}`;
    return `${name.padEnd(width)}  ${level.padEnd(8)} ${source.padEnd(8)} ${acts}${about}`;
  });
}

/** Shows the code of a file of config/tools; with the beginning of its digest, lets it run. */
async function approveTool(
  { features, home }: Configuration,
  name: string,
  digest: string | undefined,
  ask: AskOwnTool,
): Promise<string> {
  const { files } = features[ownTools.name] as OwnToolFolder;
  const file = files.find((one) => one.name === name);
  if (!file) {
    const names = files.map((one) => one.name).join(", ") || "none";
    throw new AppError("USAGE", `There is no config/tools/${name}.ts; there are: ${names}.`);
  }
  const short = file.digest.slice(0, 12);
  const code = file.source.split("\n").map((line) => `| ${toTerminalLine(line)}`);
  if (digest === undefined)
    return [...code, `To let exactly this run: ${kurisuCommand} tools approve ${name} ${short}`].join("\n");
  if (digest.length < 12 || !file.digest.startsWith(digest))
    throw new AppError("USAGE", `The digest of config/tools/${name}.ts is ${short}; look at it again.`);
  const approver = "cli:owner";
  const problem = await admitOwnTool(file, { home, ask, approver, date: new Date().toISOString() });
  const fault = problem === undefined ? "" : ` But it cannot: ${toTerminalLine(problem)}`;
  return `${name} may run, as it is now (${short}).${fault}`;
}
