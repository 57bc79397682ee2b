import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { Logger } from "pino";
import type { Configuration } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import type { KnownSecrets } from "../core/known-secrets.ts";
import { makeVisible } from "../core/persona/show-payload.ts";
import { describeCallback } from "../features/mcp/elicitations/mount-login-callback.ts";
import type { Elicitations } from "../features/mcp/elicitations/elicitations.ts";
import type { TellOwners } from "../kernel/outbox/tell-owners.ts";
import type { Models } from "../models/types.ts";
import type { Store } from "../store/open-store.ts";
import { createCompiler } from "../features/mcp/check-input.ts";
import { connectServer } from "../features/mcp/connection/connect-server.ts";
import { createMCPBridge, type MCPBridge } from "../features/mcp/mcp-bridge.ts";
import { AppError } from "../core/errors.ts";
import { findPause } from "../store/queries/pause.ts";
import { createLoginFile } from "../features/mcp/login/login-file.ts";
import { createLogins } from "../features/mcp/login/logins.ts";
import { openPinBook } from "../features/mcp/pins/pin-book.ts";
import { createProcessGroups } from "../features/mcp/process-groups.ts";
import { createWorkFolders } from "../features/mcp/work-folder.ts";
import { createSampling } from "../features/mcp/sampling.ts";
import type { Sandbox } from "../sandbox/types.ts";
import type { FolderWriters } from "../workspace/folder-writers.ts";
import type { Workspace } from "../workspace/types.ts";

/** The servers of every mcp.json, not started yet, with what they may ask of us. */
export async function assembleMcp(
  configuration: () => Configuration,
  parts: {
    readonly store: Store;
    readonly workspace: Pick<Workspace, "folderFor">;
    readonly writers: Pick<FolderWriters, "begin">;
    readonly sandbox: Sandbox;
    readonly models: Models;
    readonly elicitations: Elicitations;
    readonly tellOwners: TellOwners;
    /** Why a skill cannot be used in a session. */
    readonly whyNotHere: (skill: string, session: string) => Promise<string | undefined>;
    readonly secrets: KnownSecrets;
    /** Where our HTTP server listens. */
    readonly port: () => number;
    readonly clock: Clock;
    readonly log: Logger;
  },
): Promise<MCPBridge> {
  const { clock, log, sandbox } = parts;
  const groups = createProcessGroups();
  const workFolder = createWorkFolders(configuration().home);
  const logins = createLogins({
    file: createLoginFile(configuration().home),
    secrets: parts.secrets,
    redirectUrl: () => describeCallback(parts.port()),
    onWider(server, scope) {
      // Logins tell of each set of rights once; after a logout the same one is news again.
      const id = `mcp.rights.${server}.${scope}.${new Date(clock.now()).toISOString().slice(0, 10)}`;
      parts
        .tellOwners(id.slice(0, 200), (words) => words.mcpLogin.wider({ server, scope: makeVisible(scope) }))
        .catch((error: unknown) => log.error({ err: error }, "the owner could not be told of wider rights"));
    },
    clock,
    log,
  });
  return createMCPBridge({
    servers: configuration().mcp.servers,
    book: await openPinBook({ store: parts.store, clock }),
    logins,
    compiler: createCompiler(),
    limitOf: (tool) => configuration().tools.options[tool]?.timeoutMs,
    whyNotHere: parts.whyNotHere,
    onQuarantine(server, tools) {
      const id = `mcp.${server}.${tools.map((tool) => ("pendingHash" in tool ? tool.pendingHash.slice(0, 8) : "")).join("")}`;
      const names = tools.map(({ tool }) => tool);
      parts
        .tellOwners(id.slice(0, 200), (words) => words.mcp.held({ server, tools: names }))
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
      ask: parts.elicitations.ask,
      sample: createSampling({
        clock,
        log,
        async write({ system, messages, maxTokens }, signal) {
          if (await findPause(parts.store.main)) throw new AppError("PAUSED", "Everything is paused.");
          const answer = await parts.models.ask(
            {
              messages: [
                new SystemMessage(`${system}\n\nAnswer in at most ${maxTokens} tokens.`.trim()),
                ...messages.map(({ role, text }) => (role === "user" ? new HumanMessage(text) : new AIMessage(text))),
              ],
              tools: [],
              language: configuration().language,
              // A server asks on its own account, not for the person whose call it may be at work on.
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
