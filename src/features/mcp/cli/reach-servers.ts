import { systemClock } from "../../../core/clock.ts";
import { createKnownSecrets } from "../../../core/known-secrets.ts";
import { createLog } from "../../../core/log.ts";
import { describeCallback } from "../login/mount-login-callback.ts";
import { openLoginRecords } from "../login/login-records.ts";
import { createLogins, type LoginAnswer } from "../login/logins.ts";
import { readPastedRedirect } from "../login/read-redirect.ts";
import { isWanted } from "../read-tools.ts";
import { nameTool } from "../servers/name-tool.ts";
import { openPinBook } from "../pins/pin-book.ts";
import { reportServer, type McpServerReport } from "../report-server.ts";
import { kurisuCommand } from "../../../core/kurisu-command.ts";
import type { AskKurisu, CommandContext } from "../../../kernel/command-line/command.ts";
import type { McpRequest } from "../mcp-requests.ts";
import { readMcpConfiguration } from "./mcp-command-context.ts";

/** The requests of the command `mcp` about servers, whether a Kurisu runs or not. */
export interface ReachedServers {
  list(): Promise<readonly McpServerReport[]>;
  /** Returns the tools. */
  approve(server: string, hashes: readonly string[]): Promise<readonly string[]>;
  /** false = nothing was known of it. */
  forget(server: string): Promise<boolean>;
  /** `pasted` = what the browser was sent back with. undefined = no such server. */
  login(server: string, pasted: string | undefined): Promise<LoginAnswer | undefined>;
  /** false if there was no login. */
  logout(server: string): Promise<boolean>;
}

/** The running Kurisu, else the store; no server is started for it. */
export async function withServers<T>(
  context: CommandContext,
  work: (servers: ReachedServers) => Promise<T>,
): Promise<T> {
  const { home, http, mcp, secrets: known } = readMcpConfiguration(context);
  const answered = await context.askRunning(async (ask) => ({ result: await work(askRunningServers(ask)) }));
  if (answered) return answered.result;
  const secrets = createKnownSecrets(known);
  const log = createLog({ level: "silent", secrets });
  const store = await context.openStore(secrets);
  const logins = createLogins({
    records: openLoginRecords({ store, home, log }),
    secrets,
    redirectUrl: () => describeCallback(http.port),
    clock: systemClock,
    log,
  });
  const holderOf = (name: string) => mcp.servers.find((one) => one.name === name) ?? { name };
  try {
    const book = await openPinBook({ store, clock: systemClock });
    return await work({
      list: async () =>
        mcp.servers.map((server) => {
          const tools = book
            .list(server)
            .filter(({ tool }) => isWanted(server, tool))
            .map((pinned) => ({ ...pinned, fullName: nameTool(server.name, pinned.tool), withdrawn: false }));
          const first = server.skill === undefined ? "the first start" : "the first use of the skill";
          const detail = book.isKnown(server) ? "" : `never seen; its tools are known after ${first}`;
          const state = book.isAdmitted(server) ? "idle" : "unapproved";
          return reportServer({ server, state, detail, tools, refused: [] });
        }),
      approve: (server, hashes) => book.approve(holderOf(server), hashes, "cli:owner"),
      async forget(server) {
        const wasIn = await logins.forget(server);
        return (await book.forget(holderOf(server), "cli:owner")) || wasIn;
      },
      async login(name, pasted) {
        const server = mcp.servers.find((one) => one.name === name);
        if (!server) return undefined;
        if (!book.isAdmitted(server))
          return { kind: "refused", reason: `${kurisuCommand} mcp approve ${name} comes first` };
        if (pasted === undefined) return logins.begin(server);
        const answer = await logins.finish(server, readPastedRedirect(pasted));
        if (answer.kind === "done") await book.note(name, "cli:owner", "mcp.login");
        return answer;
      },
      async logout(server) {
        const wasIn = await logins.forget(server);
        if (wasIn) await book.note(server, "cli:owner", "mcp.logout");
        return wasIn;
      },
    });
  } finally {
    await store.close();
  }
}

function askRunningServers(askKurisu: AskKurisu): ReachedServers {
  const ask = async <T>(request: McpRequest): Promise<T> => JSON.parse(await askKurisu(request)) as T;
  return {
    list: () => ask({ kind: "mcp-list" }),
    approve: (server, hashes) => ask({ kind: "mcp-approve", server, hashes }),
    forget: (server) => ask({ kind: "mcp-forget", server }),
    login: async (server, pasted) =>
      (await ask<LoginAnswer | null>({ kind: "mcp-login", server, ...(pasted !== undefined && { pasted }) })) ??
      undefined,
    logout: (server) => ask({ kind: "mcp-logout", server }),
  };
}
