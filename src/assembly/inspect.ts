import { createChosenPersonas } from "../core/persona/chosen-personas.ts";
import type { Inspected } from "../cli/types.ts";
import type { Configuration } from "../config.ts";
import { isOwnVariable } from "../config/own-variables.ts";
import { systemClock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { createKnownSecrets } from "../core/known-secrets.ts";
import { createLog } from "../core/log.ts";
import { listPinnedTools } from "../features/mcp/create-mcp-tool.ts";
import { isStoreThere } from "../features/mcp/cli/read-pins.ts";
import { openLoginRecords } from "../features/mcp/login/login-records.ts";
import { createLogins, type Logins } from "../features/mcp/login/logins.ts";
import type { PinnedTool } from "../features/mcp/pins/pin-book.ts";
import { createWorkFolders } from "../features/mcp/work-folder.ts";
import { probeServers } from "../features/mcp/probe-servers.ts";
import type { Kernel } from "../kernel/feature/define-feature.ts";
import { makeFeatures } from "../kernel/feature/make-features.ts";
import { createGuardedFetch } from "../web/guarded-fetch.ts";
import { assembleRegistry, assembleTools } from "./assemble-tools.ts";
import { assemblePlaces } from "./assemble-places.ts";
import { describePersonas } from "./describe-personas.ts";
import { features, tables } from "./features.ts";

/** Assembles the abilities without the data folder and the database; `pinned` are the MCP tools found there. */
export async function inspect(configuration: Configuration, pinned: readonly PinnedTool[] = []): Promise<Inspected> {
  const { inherited, servers } = configuration.mcp;
  const secrets = createKnownSecrets(configuration.secrets);
  const { scrub } = secrets;
  const clock = systemClock;
  const log = createLog({ level: "silent", secrets });
  // Nothing runs here, so nothing is sent or started.
  const refuse = (): never => {
    throw new AppError("INTERNAL", "Nothing runs while tools are only looked at.");
  };
  const known = await listPinnedTools(servers, pinned);
  const now = () => configuration;
  const places = await assemblePlaces(now, { database: refuse, clock, log });
  const registry = assembleRegistry(now, { log });
  const guardedFetch = createGuardedFetch();
  // Parts can be passed on while features are made, and throw when used.
  const closed = new Proxy({}, { get: refuse }) as never;
  const kernel: Kernel = {
    ...places,
    ...describePersonas(createChosenPersonas(now, new Map())),
    store: new Proxy({}, { get: () => closed }) as Kernel["store"],
    findChannel: () => undefined,
    hearsAll: () => false,
    commandSettings: () => configuration.sandbox,
    toolSettings: () => configuration.tools,
    home: configuration.home,
    guardedFetch,
    smallModel: refuse,
    plan: refuse,
    keepResult: refuse,
    models: closed,
    budget: closed,
    hasCheaper: () => false,
    embeddingServer: () => undefined,
    voice: refuse,
    scrub,
    secrets,
    findRole: refuse,
    roles: closed,
    namedByClients: () => false,
    findPause: refuse,
    isOffline: () => true,
    policy: refuse,
    rules: refuse,
    work: closed,
    systemReplies: closed,
    tellOwners: refuse,
    recentTalk: closed,
    fileDelivery: { limitFor: () => 0, deliver: async () => ({ kind: "refused", reason: "No gateway runs here." }) },
    outgoing: closed,
    isSending: () => Promise.resolve(false),
    wakeOutbox: refuse,
    gateway: closed,
    registry,
    skills: closed,
    configuration: now,
    isOwnVariable,
    httpPort: refuse,
    consoleDoor: closed,
    personaFolders: () => configuration.personaFolders,
    reload: () => undefined,
    retryMs: 0,
    zone: () => configuration.zone,
    clock,
    log,
  };
  // The data folder records which entries of a project's file were admitted. It is not read here, so each counts as
  // admitted.
  const all = servers.map((server) => ({ ...server, project: undefined }));
  const made = makeFeatures(
    features,
    { ...kernel, configuration: () => ({ ...configuration, mcp: { ...configuration.mcp, servers: all } }) },
    () => configuration.features,
  );
  await assembleTools(now, {
    ...kernel,
    registry,
    features: made.list,
    listServerTools: () => known,
  });
  const { sandbox } = places;
  const workFolder = createWorkFolders(configuration.home);
  const probeMcp: Inspected["probeMcp"] = async (unapproved, tell, hasStore) => {
    const { home, store: place } = configuration;
    const isNeeded = servers.some(({ transport }) => transport.kind === "http");
    const { openStore } = await import("../store/open-store.ts");
    const store =
      isNeeded && hasStore && isStoreThere(configuration) ? await openStore({ home, ...place }, tables) : undefined;
    const logins =
      store &&
      createLogins({ records: openLoginRecords({ store, home, log }), secrets, redirectUrl: () => "", clock, log });
    const credentialFor: Logins["credentialFor"] = (server) => logins?.credentialFor(server);
    try {
      return await probeServers(servers, {
        unapproved,
        home,
        tell,
        workFolder,
        inherited,
        sandbox,
        credentialFor,
        scrub,
        log,
      });
    } finally {
      await store?.close();
    }
  };
  return { configuration, registry, sandbox, probeMcp, log };
}
