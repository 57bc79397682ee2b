import { AppError } from "../core/errors.ts";
import type { JsonObject } from "../core/conversation.ts";
import { toOwnName } from "../tools/classic-names.ts";
import { findLevel, judgeCall } from "../tools/permission.ts";
import { describeTool, parseArguments } from "../tools/registry.ts";
import { readOptions } from "./read-options.ts";
import type { Command, Inspected } from "./types.ts";

const help = `kurisu tools [list] [--json] [--format openai|anthropic|mcp] | why NAME ARGS

list   every tool with its level; --format prints the definitions as a model server or an MCP client wants them
why    what would become of a call of an owner, and why. ARGS is JSON: kurisu tools why shell '{"command":"ls"}'`;

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
    });
    const [action = "list", name, given] = positionals;
    const format = formats.find((one) => one === values.format);
    if (values.format !== undefined && !format) throw new AppError("USAGE", `--format is one of ${formats.join(", ")}`);
    if (action !== "list" && (action !== "why" || name === undefined)) throw new AppError("USAGE", help);
    const kurisu = await context.inspect(context.configuration());
    if (action === "why" && name !== undefined) return explain(kurisu, name, given ?? "{}");
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

function explain({ registry, configuration }: Inspected, name: string, given: string): number {
  const tool = registry.find(toOwnName(name));
  if (!tool) throw new AppError("USAGE", `There is no tool ${name}. kurisu tools list shows them.`);
  const parsed = parseArguments(tool, readJson(given));
  if (!parsed.ok) throw new AppError("USAGE", parsed.error);
  const owner = { id: "cli:owner", name: "owner", role: "owner" } as const;
  const verdict = judgeCall(tool, owner, "owner", configuration.tools, {
    mode: { kind: "act" },
    input: parsed.input,
  });
  const level = findLevel(tool, configuration.tools);
  const why = verdict.kind === "deny" ? verdict.reason : `the level of ${tool.name} is ${level}`;
  process.stdout.write(`${verdict.kind}: ${why}\n${tool.summarize(parsed.input)}\n`);
  return 0;
}

function readJson(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    throw new AppError("USAGE", `ARGS is no JSON: ${text}`, { cause: error });
  }
}
