import { assembleSkills } from "./assemble-skills.ts";
import { assembleTools } from "./assemble-tools.ts";
import type { Inspected } from "./cli/types.ts";
import type { Configuration } from "./config.ts";
import { systemClock } from "./core/clock.ts";
import { AppError } from "./core/errors.ts";
import { createKnownSecrets } from "./core/known-secrets.ts";
import { createLog } from "./core/log.ts";
import type { FileDelivery } from "./tools/builtin/send-file.ts";
import { createLoginFile } from "./mcp/login/login-file.ts";
import { createLogins } from "./mcp/login/logins.ts";
import { probeServers } from "./mcp/probe-servers.ts";
import { listPinnedTools } from "./mcp/create-mcp-tool.ts";
import { createIntentMatcher } from "./skills/matching/intent-matcher.ts";
import type { PinnedTool } from "./mcp/pins/pin-book.ts";

/** What can be looked at without the data folder and the database; `pinned` = what was found there of MCP tools. */
export async function inspect(configuration: Configuration, pinned: readonly PinnedTool[] = []): Promise<Inspected> {
  const secrets = createKnownSecrets(configuration.secrets);
  const log = createLog({ level: "silent", secrets });
  // Nothing is run here, so nothing is sent and nothing is started.
  const delivery: FileDelivery = {
    limitFor: () => 0,
    deliver: async () => ({ kind: "refused", reason: "No gateway runs here." }),
  };
  const start = () => Promise.resolve({ kind: "refused", reason: "Nothing is started here." } as const);
  const task = { agents: () => configuration.subAgents, start };
  const database = (): never => {
    throw new AppError("INTERNAL", "Nothing runs while tools are only looked at.");
  };
  const match = createIntentMatcher({ log });
  const skills = assembleSkills({
    match,
    configuration: () => configuration,
    database,
    registry: () => registry,
    ensureServersStarted: async () => undefined,
    scrub: secrets.scrub,
    log,
  });
  const offered = { skills, match, skillRegistry: () => configuration.skills };
  const tools = await listPinnedTools(configuration.mcp.servers, pinned);
  const assembled = await assembleTools(configuration, {
    coming: () => tools,
    readable: () => configuration.mcp.servers.map((server) => ({ server, ask: database, whyNotHere: database })),
    database,
    delivery,
    task,
    skills: offered,
    reload: () => undefined,
    log,
  });
  const { registry, sandbox } = assembled;
  const logins = createLogins({
    file: createLoginFile(configuration.home),
    secrets,
    redirectUrl: () => "",
    clock: systemClock,
    log,
  });
  const credentialFor = logins.credentialFor;
  const { inherited, servers } = configuration.mcp;
  const probeMcp = (unapproved: readonly string[]) =>
    probeServers(servers, { unapproved, inherited, sandbox, credentialFor, scrub: secrets.scrub, log });
  return { configuration, registry, sandbox, probeMcp, log };
}
