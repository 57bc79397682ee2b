import { AppError } from "../core/errors.ts";
import { findLevel } from "../tools/permission.ts";
import { describeTool } from "../tools/registry.ts";
import { explainToPeople } from "./explain-call.ts";
import { readOptions } from "./read-options.ts";
import type { Command, Inspected } from "./types.ts";

const help = `kurisu tools [list] [--json] [--format openai|anthropic|mcp] | why NAME ARGS [--user U] [--role R]
             [--chat C] [--group] [--tainted] [--json]

list   every tool with its level; --format prints the definitions as a model server or an MCP client wants them
why    what would become of a call, and why: which line of tools.yaml decided, which were looked at, whose yes it needs.
       ARGS is JSON: kurisu tools why shell '{"command":"ls"}'
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
    const kurisu = await context.inspect(context.configuration());
    if (action === "why" && name !== undefined) {
      const { json, text } = explainToPeople(kurisu, { ...values, name, arguments: given ?? "{}" });
      process.stdout.write(`${values.json ? JSON.stringify(json) : text}\n`);
      return 0;
    }
    return format ? printDefinitions(kurisu, format) : list(kurisu, values.json);
  },
};

function list({ registry, configuration }: Inspected, json: boolean): number {
  for (const tool of registry.list()) {
    const level = findLevel(tool, configuration.tools);
    const availability = tool.availability?.() ?? { ok: true };
    const { name, source } = tool;
    const reason = availability.ok ? "" : availability.reason;
    const line = json
      ? JSON.stringify({ name, level, source, available: availability.ok, ...(reason !== "" && { reason }) })
      : `${name.padEnd(12)} ${level.padEnd(8)} ${source.padEnd(8)} ${availability.ok ? tool.description.en.split("\n")[0] : `not offered: ${reason}`}`;
    process.stdout.write(`${line}\n`);
  }
  return 0;
}

function printDefinitions({ registry, configuration }: Inspected, format: Format): number {
  const definitions = registry.list().map((tool) => describeTool(tool, configuration.language));
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
