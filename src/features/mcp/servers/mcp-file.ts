import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { applyEdits, findNodeAtLocation, modify, parseTree } from "jsonc-parser";
import { z } from "zod";
import { durationOption } from "../../../core/duration.ts";
import type { McpServer } from "./types.ts";

/** The schema of config/mcp.json, .mcp.json and the mcp.json of a skill: the common form of server lists, and a few keys of ours. */

const variables = z.record(z.string().min(1), z.string().meta({ sensitive: true }));
const patterns = z.array(
  z
    .string()
    .regex(/^[\w./*-]+$/, { error: "must be the server's name of a tool, or a pattern with * for any letters" }),
);
const limit = durationOption.refine((milliseconds) => milliseconds >= 1000 && milliseconds <= 3_600_000, {
  error: "must be 1s to 1h",
});
/** Milliseconds of a start where the file does not say, and of one that has to install something first. */
const defaultStartMs = 30_000;
const defaultInstallMs = 300_000;

/** No request can be made to such an address, and it would be shown wherever the server is. */
function hasLogin(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.username !== "" || url.password !== "");
}

const server = z
  .strictObject({
    type: z
      .enum(["stdio", "http", "streamable-http", "sse"])
      .exactOptional()
      .describe(
        "How it speaks; streamable-http is the same as http. Default: stdio with a command; with a url HTTP, then SSE.",
      ),
    command: z
      .string()
      .min(1)
      .exactOptional()
      .describe("Program that is started; it speaks over its standard streams."),
    args: z.array(z.string()).exactOptional().describe("Its arguments."),
    env: variables
      .exactOptional()
      .describe("Added to its environment, which has none of Kurisu's secrets (docs/mcp.md#what-a-server-may)."),
    cwd: z
      .string()
      .min(1)
      .exactOptional()
      .describe("Folder it starts in. Default: one of its own in the data folder; with scope session the workspace."),
    url: z
      .url({ protocol: /^https?$/, error: "must be an http(s) address" })
      .refine((address) => !hasLogin(address), { error: "must not hold a name or password; send them by headers" })
      .exactOptional()
      .describe("Address of a server that runs somewhere else, without a name or password."),
    headers: variables.exactOptional().describe("Sent with every request to the address."),
    oauth: z
      .strictObject({
        clientId: z
          .string()
          .min(1)
          .exactOptional()
          .describe("Client id, where the server does not register clients by itself."),
        clientSecret: z.string().min(1).meta({ sensitive: true }).exactOptional().describe("Secret of clientId."),
        clientMetadataUrl: z
          .url({ protocol: /^https$/, error: "must be an https address" })
          .refine((url) => new URL(url).pathname !== "/", { error: "must have a path" })
          .exactOptional()
          .describe(
            "Public https address of /oauth/mcp/client.json here, for servers that know clients by their address.",
          ),
        scope: z.string().min(1).exactOptional().describe("Rights to ask for. Default: what the server says."),
        redirectUrl: z
          .url({ protocol: /^https?$/, error: "must be an http(s) address" })
          .exactOptional()
          .describe("Address that the browser returns to. Default: http://127.0.0.1:PORT/oauth/mcp/callback."),
        origins: z
          .array(z.url({ protocol: /^https?$/, error: "must be an http(s) address" }))
          .prefault([])
          .describe("Other places that logging in may lead to although they are not public, or not https."),
      })
      .superRefine(({ clientId, clientSecret }, context) => {
        if (clientSecret !== undefined && clientId === undefined)
          context.addIssue({ code: "custom", path: ["clientSecret"], message: "needs a clientId" });
      })
      .exactOptional()
      .describe("How you log in there (docs/mcp.md#logging-in)."),
    timeout: limit
      .prefault("20s")
      .describe("Time limit of one call, 1s to 1h; a progress report of the server starts it anew, ten times at most."),
    startTimeout: limit
      .exactOptional()
      .describe(
        "How long it may take to start and list its tools. Default: 30s, and 5m while npx, uvx or the like install it.",
      ),
    tools: patterns.exactOptional().describe("Patterns of the tools that are offered. Default: all."),
    readOnly: patterns
      .prefault([])
      .describe("Patterns of tools that change nothing, in your judgement; the server's own word is never taken."),
    sandbox: z
      .union([z.boolean(), z.strictObject({ image: z.string().min(1).describe("Image of its container.") })])
      .prefault(false)
      .describe("true = it runs in a container without a network, of the sandbox's image, or of the image named here."),
    sampling: z
      .strictObject({
        budget: z
          .int()
          .min(1)
          .max(10_000_000)
          .describe("Tokens a day that the server may have her model read and write."),
      })
      .exactOptional()
      .describe("Lets the server ask her model. Default: it may not."),
    elicitation: z.boolean().default(true).describe("false = what it asks people is declined."),
    scope: z
      .enum(["shared", "session"])
      .default("shared")
      .describe("session = one process or connection for each conversation, which is told the workspace's folder."),
    disabled: z.boolean().default(false).describe("true = the server does not run, and no skill can take its name."),
  })
  .superRefine((given, context) => {
    const fault = (key: keyof typeof given, message: string) =>
      context.addIssue({ code: "custom", path: [key], message });
    if (given.command === undefined && given.url === undefined)
      return context.addIssue({ code: "custom", message: "needs a command or a url" });
    if (given.command !== undefined && given.url !== undefined)
      return fault("url", "there is a command already; keep one");
    const remote = given.url !== undefined;
    if (given.type !== undefined && remote === (given.type === "stdio"))
      fault("type", remote ? "stdio needs a command, not a url" : "is for servers with a url");
    for (const key of ["args", "env", "cwd"] as const)
      if (remote && given[key] !== undefined) fault(key, "is for servers with a command");
    if (remote && given.sandbox !== false) fault("sandbox", "is for servers with a command");
    for (const key of ["headers", "oauth"] as const)
      if (!remote && given[key] !== undefined) fault(key, "is for servers with a url");
    if (given.sandbox !== false && given.cwd !== undefined) fault("cwd", "cannot be chosen in a container");
  });

const serverName = z.string().regex(/^(?!.{33})[A-Za-z0-9](?:[A-Za-z0-9-]|_(?=[A-Za-z0-9-]))*$/, {
  error: "must be 1 to 32 letters, digits, - and single _ (its tools are called mcp__SERVER__TOOL)",
});

export const mcpFileSchema = z
  .strictObject({
    $schema: z.string().exactOptional().describe("For editors."),
    mcpServers: z.record(serverName, server).prefault({}).describe("MCP servers by name."),
  })
  .describe("MCP servers (config/mcp.json).");

type McpFile = z.output<typeof mcpFileSchema>;

/** The servers that are switched on; `skill` = the skill whose file it is. */
export function listMcpServers(file: McpFile, skill?: string): McpServer[] {
  return Object.entries(file.mcpServers)
    .filter(([, given]) => !given.disabled)
    .map(([name, given]) => ({
      name,
      ...(skill !== undefined && { skill }),
      transport: toTransport(given),
      timeoutMs: given.timeout,
      startTimeoutMs: given.startTimeout ?? defaultStartMs,
      installTimeoutMs: given.startTimeout ?? defaultInstallMs,
      ...(given.tools && { tools: given.tools }),
      readOnly: given.readOnly,
      ...(given.sampling && { sampling: { tokens: given.sampling.budget } }),
      elicitation: given.elicitation,
      scope: given.scope,
    }));
}

function toTransport(given: McpFile["mcpServers"][string]): McpServer["transport"] {
  if (given.url !== undefined) {
    const modes = { sse: "sse", http: "http", "streamable-http": "http", stdio: "auto" } as const;
    const { headers = {}, oauth = { origins: [] }, type = "stdio", url } = given;
    return { kind: "http", url, headers, mode: modes[type], oauth };
  }
  const { command = "", args = [], env = {}, cwd, sandbox } = given;
  const walled = sandbox === true ? {} : sandbox === false ? undefined : sandbox;
  return {
    kind: "stdio",
    command,
    args,
    env,
    ...(cwd !== undefined && { cwd }),
    ...(walled && { sandbox: walled }),
  };
}

/** Removes a server from mcp.json; the rest of the file stays as written. Returns false if it is not in there. */
export function removeFromMcpFile(file: string, server: string): boolean {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  const next = removeFromText(text, server);
  if (next === undefined) return false;
  // Written to a new file and renamed, so that readers never see half of it.
  const fresh = `${file}.${process.pid}.tmp`;
  writeFileSync(fresh, next, { mode: statSync(file).mode & 0o777 });
  renameSync(fresh, file);
  return true;
}

function removeFromText(text: string, server: string): string | undefined {
  const path = ["mcpServers", server];
  const tree = parseTree(text, [], { allowTrailingComma: true });
  if (tree === undefined || findNodeAtLocation(tree, path) === undefined) return undefined;
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  return applyEdits(text, modify(text, path, undefined, { formattingOptions }));
}
