import { mcpWords } from "./words.ts";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { Language } from "../../core/conversation.ts";
import { AppError } from "../../core/errors.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Kernel } from "../../kernel/feature/define-feature.ts";
import { findPause } from "../../store/queries/pause.ts";
import { createCompiler } from "./check-input.ts";
import { connectServer } from "./connection/connect-server.ts";
import type { Elicitations } from "./elicitations/elicitations.ts";
import { describeCallback } from "./login/mount-login-callback.ts";
import { openLoginRecords } from "./login/login-records.ts";
import { createLogins } from "./login/logins.ts";
import { createMCPBridge, type MCPBridge } from "./mcp-bridge.ts";
import { createPinBook } from "./pins/pin-book.ts";
import { createProcessGroups } from "./process-groups.ts";
import { createSampling } from "./sampling.ts";
import type { McpServer } from "./servers/types.ts";
import { createWorkFolders } from "./work-folder.ts";

/** The parts of the configuration that the servers need. */
export interface McpConfiguration {
  readonly home: string;
  readonly language: Language;
  readonly mcp: {
    readonly servers: readonly McpServer[];
    /** The part of our environment that every server process gets. */
    readonly inherited: Readonly<Record<string, string>>;
  };
  /** Limits that the operator gives to single tools. */
  readonly tools: { readonly options: Readonly<Record<string, { readonly timeoutMs?: number }>> };
}

/** The servers of every mcp.json, not started yet, with what they may ask of us. */
export function openBridge(
  configuration: () => McpConfiguration,
  parts: Pick<
    Kernel,
    "clock" | "httpPort" | "log" | "models" | "sandbox" | "secrets" | "signals" | "skills" | "store" | "tellOwners"
  > & {
    readonly workspace: Pick<Kernel["workspace"], "folderFor">;
    readonly writers: Pick<Kernel["writers"], "begin">;
    readonly ask: Elicitations["ask"];
  },
): MCPBridge {
  const { clock, log, sandbox, signals, store } = parts;
  const announce = (): void => signals?.send("feature", "mcp");
  const groups = createProcessGroups();
  const workFolder = createWorkFolders(configuration().home);
  const logins = createLogins({
    records: openLoginRecords({ store, home: configuration().home, announce, log }),
    secrets: parts.secrets,
    redirectUrl: () => describeCallback(parts.httpPort()),
    onWider(server, scope) {
      // Logins report each set of rights once; after a logout the same one is news again.
      const id = `mcp.rights.${server}.${scope}.${new Date(clock.now()).toISOString().slice(0, 10)}`;
      parts
        .tellOwners(id.slice(0, 200), (_words, language) =>
          mcpWords[language].login.wider({ server, scope: makeVisible(scope) }),
        )
        .catch((error: unknown) => log.error({ err: error }, "the owner could not be told of wider rights"));
    },
    clock,
    log,
  });
  return createMCPBridge({
    servers: configuration().mcp.servers,
    book: createPinBook({ store, announce, clock }),
    ...(signals && {
      others: { follow: (hear) => signals.on("feature", (name) => void (name === "mcp" && hear())) },
    }),
    logins,
    compiler: createCompiler(),
    limitOf: (tool) => configuration().tools.options[tool]?.timeoutMs,
    whyNotHere: (skill, session) => parts.skills.whyNot(session, skill),
    onQuarantine(server, tools) {
      const id = `mcp.${server}.${tools.map((tool) => ("pendingHash" in tool ? tool.pendingHash.slice(0, 8) : "")).join("")}`;
      const names = tools.map(({ tool }) => tool);
      parts
        .tellOwners(id.slice(0, 200), (_words, language) => mcpWords[language].held({ server, tools: names }))
        .catch((error: unknown) => log.error({ err: error }, "the owner could not be told of changed MCP tools"));
    },
    onStop: () => groups.end(),
    client: {
      scrub: parts.secrets.scrub,
      openConnection: (wanted) =>
        connectServer({
          ...wanted,
          inherited: configuration().mcp.inherited,
          groups,
          workFolder,
          sandbox,
          log,
          credential: logins.credentialFor(wanted.server),
        }),
      folderFor: (session) => parts.workspace.folderFor(session),
      beginWriting: (folder) => parts.writers.begin(folder),
      ask: parts.ask,
      sample: createSampling({
        clock,
        log,
        async write({ system, messages, maxTokens }, signal) {
          if (await findPause(store.main)) throw new AppError("PAUSED", "Everything is paused.");
          const answer = await parts.models.ask(
            {
              messages: [
                new SystemMessage(`${system}\n\nAnswer in at most ${maxTokens} tokens.`.trim()),
                ...messages.map(({ role, text }) => (role === "user" ? new HumanMessage(text) : new AIMessage(text))),
              ],
              tools: [],
              language: configuration().language,
              // A server asks on its own account, not for the person whose call it may be running.
              payer: { id: "mcp", owner: false },
              signal,
            },
            () => undefined,
          );
          const { input, output } = answer.usage;
          return { text: answer.text, model: answer.model, tokens: input + output };
        },
      }),
    },
    log,
  });
}
