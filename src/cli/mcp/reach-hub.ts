import { systemClock } from "../../core/clock.ts";
import { createKnownSecrets } from "../../core/known-secrets.ts";
import { createLog } from "../../core/log.ts";
import { connectControlSocket } from "../../kernel/socket/control-socket.ts";
import { describeCallback } from "../../features/mcp/elicitations/mount-login-callback.ts";
import { tables } from "../../assembly/features.ts";
import { openStore } from "../../store/open-store.ts";
import { createLoginFile } from "../../features/mcp/login/login-file.ts";
import { createLogins, type LoginAnswer } from "../../features/mcp/login/logins.ts";
import { readPastedRedirect } from "../../features/mcp/login/read-redirect.ts";
import { isWanted } from "../../features/mcp/read-tools.ts";
import { nameTool } from "../../features/mcp/servers/name-tool.ts";
import { openPinBook } from "../../features/mcp/pins/pin-book.ts";
import { reportServer, type McpServerReport } from "../../features/mcp/report-server.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { createControlClient } from "../chat-connection.ts";
import type { CommandContext } from "../types.ts";

/** The requests of a command to the servers' keeper, whether a Kurisu runs or not. */
export interface ReachedHub {
  list(): Promise<readonly McpServerReport[]>;
  /** Answers the tools. */
  approve(server: string, hashes: readonly string[]): Promise<readonly string[]>;
  /** false = nothing was known of it. */
  forget(server: string): Promise<boolean>;
  /** `pasted` = what the browser was sent back with. undefined = no such server. */
  login(server: string, pasted: string | undefined): Promise<LoginAnswer | undefined>;
  /** false = nobody was logged in. */
  logout(server: string): Promise<boolean>;
}

/** The running Kurisu, else the store; no server is started for it. */
export async function withHub<T>(context: CommandContext, work: (hub: ReachedHub) => Promise<T>): Promise<T> {
  const { home, http, mcp, secrets: known, store: place } = context.configuration();
  const socket = await connectControlSocket(home);
  if (socket) {
    const client = createControlClient(socket, () => undefined);
    try {
      return await work({
        list: async () => JSON.parse(await client.ask((id) => ({ kind: "mcp-list", id }))) as McpServerReport[],
        approve: async (server, hashes) =>
          JSON.parse(await client.ask((id) => ({ kind: "mcp-approve", id, server, hashes }))) as string[],
        forget: async (server) => JSON.parse(await client.ask((id) => ({ kind: "mcp-forget", id, server }))) as boolean,
        login: async (server, pasted) => {
          const given = pasted === undefined ? {} : { pasted };
          const answer = await client.ask((id) => ({ kind: "mcp-login", id, server, ...given }));
          return (JSON.parse(answer) as LoginAnswer | null) ?? undefined;
        },
        logout: async (server) => JSON.parse(await client.ask((id) => ({ kind: "mcp-logout", id, server }))) as boolean,
      });
    } finally {
      socket.destroy();
    }
  }
  const secrets = createKnownSecrets(known);
  const logins = createLogins({
    file: createLoginFile(home),
    secrets,
    redirectUrl: () => describeCallback(http.port),
    clock: systemClock,
    log: createLog({ level: "silent", secrets }),
  });
  const store = await openStore({ home, ...place, secrets }, tables);
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
        const wasIn = logins.forget(server);
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
        const wasIn = logins.forget(server);
        if (wasIn) await book.note(server, "cli:owner", "mcp.logout");
        return wasIn;
      },
    });
  } finally {
    await store.close();
  }
}
