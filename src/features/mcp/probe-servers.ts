import { createHash } from "node:crypto";
import { chownSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Logger } from "pino";
import { describeError } from "../../core/errors.ts";
import type { Scrub } from "../../kernel/tools/key-argument.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import { chooseContainerIdentity } from "../../sandbox/container-identity.ts";
import { connectServer } from "./connection/connect-server.ts";
import { McpFault } from "./connection/mcp-fault.ts";
import { createStartLimit } from "./start-limit.ts";
import { describeInstalling } from "./connection-supervisor.ts";
import type { Logins } from "./login/logins.ts";
import { measureTools } from "./measure-tools.ts";
import { readDefinition } from "./pins/read-definition.ts";
import { createProcessGroups } from "./process-groups.ts";
import { describeOrigin } from "./report-server.ts";
import type { McpServer } from "./servers/types.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";

/** The result of starting a server and listing its tools. */
export interface ProbedServer {
  readonly server: string;
  readonly ok: boolean;
  readonly detail: string;
}

const maxProbeLength = 15_000;
const tellEveryMs = 10_000;

/**
 * Starts every server of config/mcp.json once, in parallel, and ends it again. Nothing is called and nothing is
 * remembered. A server of a skill is named and not started: its skill was not asked for.
 */
export async function probeServers(
  servers: readonly McpServer[],
  parts: {
    /** Names of servers of .mcp.json that the owner has not approved: they are named and not started. */
    readonly unapproved: readonly string[];
    /** KURISU_HOME. */
    readonly home: string;
    readonly inherited: Readonly<Record<string, string>>;
    readonly workFolder: (server: string) => Promise<string>;
    readonly sandbox: Pick<Sandbox, "open">;
    readonly credentialFor: Logins["credentialFor"];
    /** Takes known secrets out. */
    readonly scrub: Scrub;
    /** The progress of a start that has to install something first. */
    readonly tell: (line: string) => void;
    readonly log: Pick<Logger, "debug">;
  },
): Promise<readonly ProbedServer[]> {
  const groups = createProcessGroups();
  async function probe(server: McpServer): Promise<ProbedServer> {
    if (server.skill !== undefined)
      return { server: server.name, ok: true, detail: `of the skill ${server.skill}; starts when that is used` };
    if (parts.unapproved.includes(server.name)) {
      const detail = `is not started before your yes: ${kurisuCommand} mcp approve ${server.name}`;
      return { server: server.name, ok: true, detail };
    }
    // To end an installer in the middle would leave half of it there: those get their whole time.
    const limit = createStartLimit({ ...server, startTimeoutMs: Math.min(server.startTimeoutMs, maxProbeLength) });
    const { signal } = limit;
    const begun = performance.now();
    let progress: NodeJS.Timeout | undefined;
    const onInstalling = (by: string): void => {
      limit.extend();
      progress ??= setInterval(() => {
        const seconds = Math.round((performance.now() - begun) / 1000);
        parts.tell(describeInstalling(server.name, { by, seconds }));
      }, tellEveryMs).unref();
    };
    const events = { onListChanged: () => undefined, onTrouble: () => undefined, onInstalling };
    const folder = nameProbeFolder(parts.home, server);
    const place = { session: "", folder };
    try {
      if (folder !== undefined) makeProbeFolder(folder);
      const credential = parts.credentialFor(server);
      const wanted = { server, place, requests: {}, events, signal, groups, credential };
      const connection = await connectServer({ ...parts, ...wanted });
      try {
        const tools = connection.has.tools ? await connection.listTools({ signal }) : [];
        const definitions = tools.flatMap((tool) => {
          const read = readDefinition(tool);
          return read.kind === "refused" ? [] : [read.definition];
        });
        const cost = tools.length === 0 ? "" : `, about ${measureTools(definitions)} tokens`;
        const detail = `${connection.title}, ${tools.length} ${tools.length === 1 ? "tool" : "tools"}${cost}`;
        return { server: server.name, ok: true, detail };
      } finally {
        await connection.close();
      }
    } catch (error) {
      if (error instanceof McpFault && (error.kind === "login" || error.kind === "rights"))
        return {
          server: server.name,
          ok: false,
          detail: `wants you to log in: ${kurisuCommand} mcp login ${server.name}`,
        };
      const detail = signal.aborted ? `timed out after ${limit.milliseconds() / 1000} s` : describeError(error);
      return { server: server.name, ok: false, detail: `${detail}: ${describeOrigin(server)}` };
    } finally {
      limit.release();
      clearInterval(progress);
      if (folder !== undefined) removeProbeFolder(folder, parts.log);
    }
  }
  try {
    const probed = await Promise.all(servers.map(probe));
    return probed.map((one) => ({ ...one, detail: parts.scrub(one.detail) }));
  } finally {
    groups.end();
  }
}

/** The workspace of a probe. Named like that of a conversation: the engine guard lets no other into a container. */
function nameProbeFolder(home: string, { name, scope, transport }: McpServer): string | undefined {
  const needsFolder = scope === "session" || (transport.kind === "stdio" && transport.sandbox !== undefined);
  const hash = createHash("sha256").update(`probe of ${name}`).digest("hex");
  return needsFolder ? join(home, "workspaces", hash.slice(0, 32)) : undefined;
}

/** A gateway that is root runs containers as another user. */
function makeProbeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const uid = process.getuid?.();
  const owner = chooseContainerIdentity(uid, process.getgid?.());
  if (uid === 0) chownSync(folder, owner.uid, owner.gid);
}

function removeProbeFolder(folder: string, log: Pick<Logger, "debug">): void {
  try {
    rmSync(folder, { recursive: true, force: true });
    const workspaces = dirname(folder);
    if (readdirSync(workspaces).length === 0) rmdirSync(workspaces);
  } catch (error) {
    log.debug({ reason: describeError(error), folder }, "the workspace of a probe stays");
  }
}
