// An MCP server that answers as it is told, however odd that is. Raw JSON-RPC. Its argument: the file with its manners.
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

export interface OddManners {
  /** Its tools/list, as it is sent; the pages by cursor, "" = the first one. */
  readonly lists?: Readonly<Record<string, unknown>>;
  /** The result of each call, as it is sent. */
  readonly result?: unknown;
  /** An error in place of each result. */
  readonly error?: unknown;
  /** Results of other methods, as they are sent. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** What it does when a greeting declares anything. */
  readonly strict?: "refuses" | "dies";
  /** Its answer to the greeting; the version that it is asked for is added. */
  readonly greeting?: object;
}

const [, , mannersFile = "", deedFile = ""] = process.argv;
const manners = JSON.parse(readFileSync(mannersFile, "utf8")) as OddManners;
const usual = { capabilities: { tools: {}, resources: {}, prompts: {} }, serverInfo: { name: "odd", version: "1" } };
const simple = { tools: [{ name: "act", description: "Acts.", inputSchema: { type: "object" } }] };

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly capabilities?: object;
    readonly cursor?: string;
    readonly arguments?: unknown;
  };
}

function answer({ id, method = "", params = {} }: Message): object {
  switch (method) {
    case "initialize": {
      const declared = Object.keys(params.capabilities ?? {});
      if (declared.length > 0 && manners.strict === "dies") process.exit(7);
      if (declared.length > 0 && manners.strict === "refuses")
        return { id, error: { code: -32_603, message: `unknown fields: ${declared.join(", ")}` } };
      return { id, result: { protocolVersion: params.protocolVersion, ...(manners.greeting ?? usual) } };
    }
    case "tools/list":
      return { id, result: manners.lists === undefined ? simple : manners.lists[params.cursor ?? ""] };
    case "tools/call":
      appendFileSync(deedFile, `${JSON.stringify(params.arguments)}\n`);
      return "error" in manners ? { id, error: manners.error } : { id, result: manners.result };
    default:
      return { id, result: manners.answers?.[method] ?? {} };
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line) as Message;
  if (message.id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...answer(message) })}\n`);
});
