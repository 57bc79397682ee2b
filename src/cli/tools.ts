import { AppError } from "../core/errors.ts";
import { makeVisible } from "../core/persona/show-payload.ts";
import { findLevel } from "../tools/permission.ts";
import { describeTool } from "../tools/registry.ts";
import { nameTool } from "../tools/mcp-bridge/name-tool.ts";
import type { PinnedTool } from "../tools/mcp-bridge/pin-book.ts";
import type { KnownTool } from "../tools/types.ts";
import { readPins } from "./mcp/read-pins.ts";
import { toTerminalLine } from "./terminal-text.ts";
import { explainToPeople } from "./explain-call.ts";
import { readOptions } from "./read-options.ts";
import type { Command, Inspected } from "./types.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";

const help = `${kurisuCommand} tools [list] [--json] [--format openai|anthropic|mcp] | why NAME ARGS [--user U] [--role R]
             [--chat C] [--group] [--tainted] [--json]

list   every tool with its level; --format prints the definitions as a model server or an MCP client wants them. Tools
       of MCP servers are those that were seen when the server was started last; no server is started for it. Those that
       changed are quarantined, those whose record is damaged are blocked, and --format leaves both out
why    what would become of a call, and why: which line of tools.yaml decided, which were looked at, whose yes it needs.
       ARGS is JSON: ${kurisuCommand} tools why shell '{"command":"ls"}'
       --user    whose call, such as telegram:123; default cli:owner. Who paired in a chat is not looked up: say --role
       --role    owner, trusted, member or guest
       --chat    where, such as telegram:-100123; --group = a chat of several people
       --tainted after something untrusted (a web page, a file of a stranger) was read in the same turn`;

const formats = ["openai", "anthropic", "mcp"] as const;
type Format = (typeof formats)[number];

export const toolsCommand: Command = {
  name: "tools",
  summary: "list the tools and explain what they may do",
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
    const format = formats.find((one) => one === values.format);
    if (values.format !== undefined && !format) throw new AppError("USAGE", `--format is one of ${formats.join(", ")}`);
    if (action !== "list" && (action !== "why" || name === undefined)) throw new AppError("USAGE", help);
    const configuration = context.configuration();
    const { pinned, strangers } = await readPins(configuration);
    const kurisu = await context.inspect(configuration, pinned);
    for (const server of strangers)
      process.stderr.write(`The MCP server ${server} was never started, so its tools are not known yet.\n`);
    if (action === "why" && name !== undefined) {
      const { json, text } = explainToPeople(kurisu, { ...values, name, arguments: given ?? "{}" });
      process.stdout.write(`${values.json ? JSON.stringify(json) : makeVisible(text)}\n`);
      return 0;
    }
    return format ? printDefinitions(kurisu, format) : list(kurisu, pinned, values.json);
  },
};

function list({ registry, configuration }: Inspected, pinned: readonly PinnedTool[], json: boolean): number {
  const states = new Map(pinned.map(({ server, tool, state }) => [nameTool(server, tool), pinStates[state]]));
  for (const tool of registry.list()) {
    const level = findLevel(tool, configuration.tools);
    const availability = tool.availability?.() ?? { ok: true };
    const { name, source } = tool;
    const state = isOfServer(tool) ? states.get(name) : undefined;
    const reason = availability.ok ? "" : availability.reason;
    const about = { name, level, source, available: availability.ok, ...(state !== undefined && { state }) };
    const line = json
      ? JSON.stringify({ ...about, ...(reason !== "" && { reason }) })
      : `${name.padEnd(12)} ${level.padEnd(8)} ${source.padEnd(8)} ${availability.ok ? tool.description.en.split("\n")[0] : `${state ?? "not offered"}: ${toTerminalLine(reason)}`}`;
    process.stdout.write(`${line}\n`);
  }
  return 0;
}

const pinStates = { trusted: "trusted", quarantined: "quarantined", corrupt: "blocked" } as const;

const isOfServer = ({ name, source }: KnownTool): boolean => source !== "builtin" && name.startsWith("mcp__");

function printDefinitions({ registry, configuration }: Inspected, format: Format): number {
  const known = registry.list().filter((tool) => !isOfServer(tool) || tool.availability?.().ok !== false);
  const definitions = known.map((tool) => describeTool(tool, configuration.language));
  const shaped = definitions.map(({ name, description, parameters }) => {
    switch (format) {
      case "openai":
        return { type: "function", function: { name, description, parameters } };
      case "anthropic":
        return { name, description, input_schema: parameters };
      case "mcp":
        return { name, description, inputSchema: parameters };
    }
  });
  process.stdout.write(`${JSON.stringify(shaped, null, 2)}\n`);
  return 0;
}
