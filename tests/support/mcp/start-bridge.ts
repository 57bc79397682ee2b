import { pino } from "pino";
import { onTestFinished } from "vitest";
import type { JsonObject } from "../../../src/core/conversation.ts";
import { createScrubber } from "../../../src/core/scrub-secrets.ts";
import type { Store } from "../../../src/store/open-store.ts";
import type { Signals } from "../../../src/store/engines/postgres-signals.ts";
import { openStore } from "../open-store.ts";
import { createCompiler } from "../../../src/features/mcp/check-input.ts";
import { connectServer } from "../../../src/features/mcp/connection/connect-server.ts";
import type { McpElicitation, McpReply } from "../../../src/features/mcp/connection/types.ts";
import { createMCPBridge, type MCPBridge } from "../../../src/features/mcp/mcp-bridge.ts";
import { listMcpServers, mcpFileSchema } from "../../../src/features/mcp/servers/mcp-file.ts";
import { openLoginRecords } from "../../../src/features/mcp/login/login-records.ts";
import { createLogins } from "../../../src/features/mcp/login/logins.ts";
import { openPinBook } from "../../../src/features/mcp/pins/pin-book.ts";
import { createProcessGroups } from "../../../src/features/mcp/process-groups.ts";
import { parseArguments } from "../../../src/kernel/gate/parse-arguments.ts";
import { createOffSandbox } from "../../../src/sandbox/open-sandbox.ts";
import { createWorkFolders } from "../../../src/features/mcp/work-folder.ts";
import { narrowServer } from "../../../src/features/mcp/servers/narrow-server.ts";
import type { Sandbox } from "../../../src/sandbox/types.ts";
import type { Tool, ToolContext, ToolResult } from "../../../src/kernel/tools/types.ts";
import { HandClock } from "../hand-clock.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";
import { createToolContext } from "../tool-context.ts";

export interface TestBridge {
  readonly bridge: MCPBridge;
  readonly store: Store;
  readonly home: string;
  /** Names of the tools that were put aside, in order. */
  readonly held: readonly string[];
  readonly asked: readonly McpElicitation[];
  /** What was shown of progress. */
  readonly progress: readonly string[];
  /** What owners were told: the server, and the rights that it wants besides. */
  readonly wider: readonly string[];
  /** Names of the tools that are offered. */
  offered(): readonly string[];
  find(tool: string): Tool;
  /** As the executor would call it. */
  call(
    tool: string,
    input: JsonObject,
    more?: Partial<Pick<ToolContext, "session" | "signal" | "person">>,
  ): Promise<ToolResult>;
  stop(): Promise<void>;
}

/** The bridge with real servers and a real store; people answer by `ask`. */
export async function startBridge(
  servers: Readonly<Record<string, object>>,
  options: {
    readonly home?: string;
    /** Beside other processes of this Postgres database. */
    readonly beside?: { readonly url: string; readonly signals?: Pick<Signals, "on" | "send"> };
    readonly clock?: HandClock;
    readonly ask?: (asking: McpElicitation, signal: AbortSignal, context: ToolContext) => Promise<McpReply>;
    readonly sandbox?: Pick<Sandbox, "open">;
    readonly sample?: (text: string) => Promise<{ readonly text: string; readonly model: string }>;
    readonly folderFor?: (session: string) => Promise<string>;
    readonly beginWriting?: (folder: string) => () => void;
    readonly environment?: Readonly<Record<string, string>>;
    /** The skill that brings all of these servers. */
    readonly skill?: string;
    /** They stand in a project's file; the digest of their entries. */
    readonly project?: string;
    /** That skill was installed. */
    readonly installed?: boolean;
    readonly whyNotHere?: (skill: string, session: string) => Promise<string | undefined>;
  } = {},
): Promise<TestBridge> {
  const home = options.home ?? (await createTemporaryFolder());
  const { beside } = options;
  const store = await openStore({ home, ...(beside && { url: beside.url }) });
  const announce = (): void => beside?.signals?.send("feature", "mcp");
  const groups = createProcessGroups();
  const [held, asked, progress, wider]: [string[], McpElicitation[], string[], string[]] = [[], [], [], []];
  const log = pino({ level: "silent" });
  const { PATH = "" } = process.env;
  const logins = createLogins({
    records: openLoginRecords({ store, home, announce, log }),
    secrets: { add: () => undefined },
    redirectUrl: () => "http://127.0.0.1:1/oauth/mcp/callback",
    onWider: (server, scope) => void wider.push(`${server}: ${scope}`),
    clock: options.clock ?? new HandClock(),
    log,
  });
  const bridge = createMCPBridge({
    logins,
    servers: listMcpServers(mcpFileSchema.parse({ mcpServers: servers }), options.skill).map((server) =>
      options.project !== undefined
        ? { ...narrowServer(server), project: { digest: options.project, entry: JSON.stringify(servers[server.name]) } }
        : options.installed === true
          ? narrowServer(server)
          : server,
    ),
    book: await openPinBook({ store, announce, clock: new HandClock() }),
    ...(beside && {
      others: { follow: (hear) => beside.signals?.on("feature", (name) => void (name === "mcp" && hear())) },
    }),
    compiler: createCompiler(),
    limitOf: () => undefined,
    whyNotHere: options.whyNotHere ?? (async () => undefined),
    onQuarantine: (_, tools) => void held.push(...tools.map(({ tool }) => tool)),
    onStop: () => groups.end(),
    client: {
      scrub: createScrubber(Object.values(options.environment ?? {})),
      openConnection: (wanted) =>
        connectServer({
          ...wanted,
          groups,
          workFolder: createWorkFolders(home),
          inherited: { PATH, ...options.environment },
          sandbox: options.sandbox ?? createOffSandbox(),
          credential: logins.credentialFor(wanted.server),
          log,
        }),
      folderFor: options.folderFor ?? (async () => home),
      beginWriting: options.beginWriting ?? (() => () => undefined),
      async ask(_, context, asking, signal) {
        asked.push(asking);
        return (await options.ask?.(asking, signal, context)) ?? { action: "decline" };
      },
      sample: () => async (wanted) =>
        (await options.sample?.(wanted.messages.map(({ text }) => text).join("\n"))) ?? { text: "", model: "none" },
    },
    log,
  });
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    await bridge.stop();
    await store.close();
  };
  onTestFinished(stop);
  await bridge.start();
  const find = (name: string): Tool => {
    const tool = bridge.tools().find((one) => one.name === name);
    if (!tool)
      throw new Error(
        `no tool ${name}; there are ${bridge
          .tools()
          .map((one) => one.name)
          .join(", ")}`,
      );
    return tool;
  };
  return {
    bridge,
    store,
    home,
    held,
    asked,
    progress,
    wider,
    find,
    stop,
    offered: () =>
      bridge
        .tools()
        .filter((tool) => tool.availability?.().ok !== false)
        .map(({ name }) => name),
    async call(name, input, more = {}) {
      const tool = find(name);
      const parsed = parseArguments(tool, input);
      if (!parsed.ok) return { ok: false, error: parsed.error };
      return tool.run(parsed.input, createToolContext({ progress: (text) => void progress.push(text), ...more }));
    },
  };
}
