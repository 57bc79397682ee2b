import type { JsonValue } from "../../core/canonical-json.ts";
import type { JsonObject } from "../../core/conversation.ts";
import { AppError } from "../../core/errors.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { matchPattern } from "../../kernel/gate/match-pattern.ts";
import type { Tool, ToolContext, ToolResult } from "../../kernel/tools/types.ts";
import { createCompiler, createInputSchema, type CompileSchema } from "./check-input.ts";
import { describeTransport } from "./servers/describe-transport.ts";
import { hashServer } from "./servers/hash-server.ts";
import { nameTool } from "./servers/name-tool.ts";
import { describeQuarantine } from "./pins/describe-quarantine.ts";
import { nameHolder, type PinnedTool } from "./pins/pin-book.ts";
import { isWanted } from "./read-tools.ts";
import { mendSchema } from "./schemas/mend-schema.ts";
import { limitOfRequest } from "./send-request.ts";
import type { McpServer } from "./servers/types.ts";

/** A call of a tool by the definition with the hash `pin`. */
export interface WantedCall {
  readonly tool: string;
  readonly pin: string;
  readonly input: JsonObject;
  /** The operator says that it changes nothing. */
  readonly readOnly: boolean;
  readonly timeoutMs: number;
}

const maxDescriptionLength = 4_000;

/** A tool of a server as ours. It asks before every call, unless the operator's rules say otherwise. */
export function createMcpTool(parts: {
  readonly server: McpServer;
  readonly pinned: PinnedTool;
  readonly compile: CompileSchema;
  readonly timeoutMs: number;
  /** Why it is not offered now; asked each time. */
  readonly unavailable: () => string | undefined;
  readonly call: (wanted: WantedCall, context: ToolContext) => Promise<ToolResult>;
  readonly warm: (session: string) => Promise<void>;
  /** Why it cannot be used in a session, in words for the model; undefined = it can. */
  readonly whyNotHere: (session: string) => Promise<string | undefined>;
}): Tool {
  const { server, pinned, compile, timeoutMs } = parts;
  const trusted = pinned.state === "trusted" ? pinned : undefined;
  const { inputSchema = { type: "object" }, description = "" } = trusted?.definition ?? {};
  const readOnly = server.readOnly.some((pattern) => matchPattern(pattern, pinned.tool));
  const shown = `[MCP server ${server.name}] ${showText(description)}`;
  const { parameters, real } = mendSchema(inputSchema);
  const detail = (input: JsonObject) =>
    `${pinned.tool} @ MCP ${server.name} (${describeTransport(server.transport)})\n${JSON.stringify(input, null, 2)}`;
  const ofSkill: Partial<Tool<JsonObject>> = server.skill === undefined ? {} : { skill: server.skill };
  const isHeldAtTimes = server.skill !== undefined || server.project !== undefined;
  /** Avoids asking for approval of a call that could not run afterwards. */
  async function inspect(input: JsonObject, { session }: { readonly session: string }) {
    const error = await parts.whyNotHere(session);
    return error === undefined ? ({ ok: true, detail: detail(input) } as const) : ({ ok: false, error } as const);
  }
  const tool: Tool<JsonObject> = {
    name: nameTool(server.name, pinned.tool),
    source: server.skill === undefined ? "mcp" : "skill",
    ...ofSkill,
    ...(isHeldAtTimes && { inspect }),
    aliases: [],
    description: { zh: shown, en: shown },
    input: createInputSchema(compile, inputSchema, real),
    parameters: showSchema(parameters) as JsonObject,
    level: "confirm",
    // Rules match names, and the author of a skill chooses those: a rule for another server exempts nothing here.
    alwaysAsks: server.foreign === true,
    // Set by the operator, never by the server.
    readOnly,
    concurrencySafe: readOnly,
    idempotent: readOnly,
    timeoutMs: () => limitOfRequest(server, timeoutMs),
    taint: "untrusted",
    place:
      server.transport.kind === "http" ? "network" : server.transport.sandbox === undefined ? "gateway" : "sandbox",
    summarize: (input) => JSON.stringify(input),
    detail,
    availability() {
      const reason = parts.unavailable();
      return reason === undefined ? { ok: true } : { ok: false, reason };
    },
    // An approval is for this definition and this server.
    binding: async () => ({ server: hashServer(server), pin: trusted?.hash ?? "" }),
    prepare: (_, session) => parts.warm(session),
    run: (input, context) =>
      parts.call({ tool: pinned.tool, pin: trusted?.hash ?? "", input, readOnly, timeoutMs }, context),
  };
  return tool as unknown as Tool;
}

/** The tools of these servers as they are pinned, to look at: nothing is started, and none of them can be called. */
export async function listPinnedTools(
  servers: readonly McpServer[],
  pinned: readonly PinnedTool[],
): Promise<readonly Tool[]> {
  if (pinned.length === 0) return [];
  const compiler = createCompiler();
  await compiler.load();
  return pinned.flatMap((pin) => {
    const server = servers.find((one) => nameHolder(one) === pin.holder);
    if (!server || !isWanted(server, pin.tool)) return [];
    return [
      createMcpTool({
        server,
        pinned: pin,
        compile: compiler.compile,
        timeoutMs: server.timeoutMs,
        unavailable: () => describeQuarantine(pin),
        call: () => Promise.reject(new AppError("INTERNAL", "Nothing runs while tools are only looked at.")),
        warm: () => Promise.resolve(),
        whyNotHere: () => Promise.resolve(undefined),
      }),
    ];
  });
}

/** Shows hidden characters in the descriptions and titles of a schema; names and values stay unchanged. */
function showSchema(schema: JsonValue, key = ""): JsonValue {
  if (typeof schema === "string") return key === "description" || key === "title" ? showText(schema) : schema;
  if (Array.isArray(schema)) return schema.map((item: JsonValue) => showSchema(item));
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema as JsonObject).map(([name, item]) => [name, showSchema(item, name)]));
}

/** A long text is cut, and says so: a model must not take the half for the whole. */
function showText(text: string): string {
  const visible = makeVisible(text);
  const more = visible.length - maxDescriptionLength;
  return more <= 0
    ? visible
    : `${visible.slice(0, maxDescriptionLength).toWellFormed()} … [${more} more characters cut]`;
}
