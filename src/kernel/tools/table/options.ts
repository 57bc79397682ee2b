import { z } from "zod";
import { byteSizeOption, parseByteSize } from "../../../core/byte-size.ts";
import { durationOption } from "../../../core/duration.ts";
import { findLaxEntries } from "../../gate/always-asks.ts";
import { findKey } from "../../gate/describe-rule-match.ts";
import { listEntries } from "../../gate/permission.ts";
import { rule, toolPattern } from "../../gate/rule-options.ts";
import { httpToolOptions } from "../http-tool-options.ts";
import { toolName } from "../tool-options.ts";
import type { ToolNames } from "./tool-names.ts";
import { createToolSettings } from "./tool-settings.ts";
import { wholeNumber } from "../../../core/whole-number.ts";

/**
 * The sources in which the bot may look for servers and skills that are not installed (`extensions` of tools.yaml); unset means none.
 */
const extensionOptions = z
  .strictObject({
    registry: z
      .url({ protocol: /^https?$/, error: "must be an http(s) address" })
      .transform((url) => url.replace(/\/+$/, ""))
      .exactOptional()
      .describe(
        "Registry of MCP servers with the MCP registry's API, such as https://registry.modelcontextprotocol.io (docs/skills.md#the-catalogue-and-what-she-finds-herself).",
      ),
    catalogue: z
      .string()
      .min(1)
      .exactOptional()
      .describe("File of your own with servers and skills, relative to the config folder."),
  })
  .prefault({})
  .describe("Where find_extension looks. Default: nowhere, and the tool is not offered.");

/** The section `audit` of tools.yaml. */
const auditOptions = z
  .strictObject({
    anchor: z
      .string()
      .regex(/^\//, { error: "must be an absolute path" })
      .exactOptional()
      .describe(
        "One more file for the head of the audit's chain, an absolute path, best on another disk (docs/security/data.md#the-audit). Default: the data folder only.",
      ),
  })
  .prefault({})
  .describe("The record of what was decided and what ran.");

const permissions = z
  .strictObject({
    safe: z.array(toolPattern).exactOptional().describe("Tools that run at once. Default: what only reads."),
    confirm: z
      .array(toolPattern)
      .exactOptional()
      .describe("Tools that wait for the approval of the person who asked. Default: what has an effect."),
    deny: z.array(toolPattern).exactOptional().describe("Tools that never run. Default: none."),
  })
  .prefault({})
  .describe("Lists of tool names or patterns; a written list replaces its default (docs/configuration.md#toolsyaml).");

const approval = z
  .strictObject({
    timeout: durationOption.exactOptional().describe("How long a question can be answered. Default: 10m, strict: 30s."),
    groupTimeout: durationOption
      .exactOptional()
      .describe(
        "The same in groups; in those of the official QQ bot 4m at most. Default: 5m, or `approval.timeout` if that is shorter.",
      ),
    preset: z
      .enum(["strict"])
      .exactOptional()
      .describe("strict = questions close after 30 seconds everywhere, unless the two keys above say otherwise."),
  })
  .transform(({ timeout, groupTimeout, preset }) => {
    const timeoutMs = timeout ?? (preset === "strict" ? 30_000 : 600_000);
    return { timeoutMs, groupTimeoutMs: groupTimeout ?? Math.min(timeoutMs, 300_000) };
  })
  .prefault({})
  .describe("How long questions stay open.");

const sources = ["builtin", "file", "http", "skill", "mcp"] as const;

const conflicts = z
  .array(z.enum(sources))
  .refine((list) => new Set(list).size === list.length, { error: "must name each source once" })
  .transform((list) => [...list, ...sources.filter((source) => !list.includes(source))])
  .prefault([...sources])
  .describe(
    "Source whose tool wins when two have the same name, the earlier one; sources left out follow in this order, and only with http before builtin may a request of `http` have the name of a built-in tool.",
  );

const createOverrides = ({ builtin }: ToolNames) =>
  z
    .partialRecord(
      z.enum(builtin),
      z.string().regex(/^(?:mcp__[\w-]+|[a-z][a-z0-9_]*)$/, { error: "must be the name of a tool" }),
    )
    .prefault({})
    .describe(
      "By the name of a built-in tool, the tool that acts under it: one of an MCP server (mcp__SERVER__TOOL), of `http` or of config/tools (docs/tools.md#another-tool-under-a-built-in-name).",
    );

const between = (least: string, most: string): typeof byteSizeOption =>
  byteSizeOption.refine((bytes) => bytes >= (parseByteSize(least) ?? 0) && bytes <= (parseByteSize(most) ?? 0), {
    error: `must be ${least} to ${most}`,
  });

const processors = { error: "must be a number, 0.05 to 256" };

const sandboxFields = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe("false = tools that need the sandbox are not offered, and followed commands end at once."),
  image: z
    .string()
    .min(1)
    .default("kurisu-sandbox:latest")
    .describe("Container image, which `npm run sandbox:image` builds; KURISU_SANDBOX_IMAGE goes before it."),
  timeout: durationOption
    .refine((milliseconds) => milliseconds >= 1000 && milliseconds <= 300_000, { error: "must be 1s to 5m" })
    .prefault("30s")
    .describe("How long a command may run when the call names no time, 1s to 5m."),
  memory: between("32m", "1t").prefault("512m").describe("Memory of one container, swap included, 32m to 1t."),
  cpu: z
    .number(processors)
    .min(0.05, processors)
    .max(256, processors)
    .default(0.5)
    .describe("Processors one container may use, such as 0.5."),
  pids: wholeNumber(8, 32_768).default(64).describe("Processes and threads in one container."),
  output: between("1k", "16m").prefault("1m").describe("Longest output of a command, per stream, 1k to 16m."),
  file: between("1m", "4g").prefault("128m").describe("Largest file a command may write, 1m to 4g."),
  concurrency: wholeNumber(1, 64)
    .default(4)
    .describe(
      "Commands that run at once; the others wait, and file tools do not wait for them while fewer than `kept` containers are running.",
    ),
  runtime: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      "OCI runtime that the engine knows by this name, such as runsc (gVisor) or crun. Default: the engine's own.",
    ),
  idle: durationOption
    .refine((milliseconds) => milliseconds >= 1000 && milliseconds <= 6 * 3_600_000, { error: "must be 1s to 6h" })
    .prefault("10m")
    .describe("How long a kept container may be idle before it is removed, 1s to 6h."),
  kept: wholeNumber(1, 64)
    .default(8)
    .describe(
      "Containers that are kept at once, one a conversation, the longest idle one removed first; no more commands than that run at once.",
    ),
  workspace: between("1m", "1t")
    .prefault("1g")
    .describe("Size of one workspace, 1m to 1t; over it, commands can delete but write no more."),
  network: z
    .enum(["on", "off"])
    .default("on")
    .describe(
      "on = a command reaches the hosts that skills name and a person approved (docs/skills.md#hosts-for-commands); off = none.",
    ),
  workspaceFiles: wholeNumber(100, 10_000_000)
    .default(100_000)
    .describe("Files and folders in one workspace, with the same effect."),
});

export const sandboxOptions = sandboxFields.describe(
  "The containers that commands run in (config/system/sandbox.yaml).",
);

/** config/system/tools.yaml, for tools of these names. */
export const createToolsOptions = (names: ToolNames) =>
  z
    .strictObject({
      permissions,
      rules: z
        .array(rule)
        .prefault([])
        .describe("Levels of more tools, or of some of their calls (docs/tools.md#levels)."),
      approval,
      audit: auditOptions,
      exclude: z.array(toolName).prefault([]).describe("Tools that are not offered at all."),
      conflicts,
      overrides: createOverrides(names),
      tools: createToolSettings(names),
      http: z
        .record(z.string().regex(/^[a-z][a-z0-9_]*$/, { error: "must be a snake_case name" }), httpToolOptions)
        .prefault({})
        .describe("Tools of your own, each a request to a server (docs/tools.md#a-tool-without-code)."),
      extensions: extensionOptions,
      agents: z
        .record(
          z.string().regex(/^[\w-]+$/, { error: "must be the name of a sub-agent" }),
          z.strictObject({
            tools: z.array(toolName).exactOptional().describe("The only tools this sub-agent has."),
            exclude: z.array(toolName).prefault([]).describe("Tools this sub-agent does not have."),
          }),
        )
        .prefault({})
        .describe("Tools of single sub-agents, by the agent's name; before what config/agents/ says."),
      sandbox: sandboxFields
        .exactOptional()
        .describe("The keys of sandbox.yaml; a key that stands in both files is a fault."),
    })
    .superRefine((options, context) => {
      const httpFirst = options.conflicts.indexOf("http") < options.conflicts.indexOf("builtin");
      for (const name of Object.keys(options.http).filter(names.isOurs)) {
        if (httpFirst && names.isBuiltin(name)) continue;
        const message = `${name} is the name of a tool of Kurisu's or of an MCP server; take another name (overrides lets it stand in for a built-in tool)`;
        context.addIssue({ code: "custom", path: ["http", name], message });
      }
      for (const [name, { use }] of Object.entries(options.tools)) {
        if (use === undefined || !Object.hasOwn(options.http, name)) continue;
        context.addIssue({ code: "custom", path: ["tools", name, "use"], message: `http has a tool ${name} as well` });
      }
      for (const { entry, tool } of findLaxEntries(listEntries(options))) {
        context.addIssue({
          code: "custom",
          path: [...findKey(entry)],
          message: `would let ${tool} run without a question, and ${tool} always asks; leave it out, or name ${tool} under confirm as well`,
        });
      }
    })
    .describe("What Kurisu may do (config/system/tools.yaml).");
