import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { untilTestEnds } from "../keep-until.ts";
import { describeEnvironment, program, type SpawnOptions } from "../kurisu-process/spawn-kurisu.ts";

export interface StdioClient {
  readonly client: Client;
  readonly pid: number;
  /** Lines on standard output that are not the protocol's. */
  readonly garbage: readonly string[];
  stderr(): string;
  /** Resolves when the program's end was seen. */
  readonly closed: Promise<void>;
}

/** An MCP client as other agents have one: it starts `kurisu mcp serve …` and speaks with it over its streams. */
export async function connectStdio(given: readonly string[], options: SpawnOptions): Promise<StdioClient> {
  const { folder, environment = {}, preload, keep = untilTestEnds } = options;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...(preload === undefined ? [] : ["--import", preload]), ...program, "mcp", "serve", ...given],
    env: describeEnvironment(folder, environment),
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (piece: Buffer) => (said += piece.toString()));
  const client = new Client({ name: "test", version: "1" });
  const garbage: string[] = [];
  // The SDK knows no listeners.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  client.onerror = (error) => garbage.push(String(error));
  const closed = new Promise<void>((resolve) => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    client.onclose = resolve;
  });
  keep(() => client.close());
  try {
    await client.connect(transport);
  } catch (error) {
    throw new Error(`${String(error)}\n${said}`, { cause: error });
  }
  return { client, pid: transport.pid ?? 0, garbage, stderr: () => said, closed };
}
