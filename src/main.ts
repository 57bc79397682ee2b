#!/usr/bin/env node
// The table of contents: every part of Kurisu is made here and in the assemble files beside it, once.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { narrowSubAgents } from "./agents/sub-agents/load-sub-agents.ts";
import { createStartTask } from "./agents/sub-agents/start-task.ts";
import { assembleDelivery, assembleGateway } from "./assemble-gateway.ts";
import { assembleMcp } from "./assemble-mcp.ts";
import { assembleModels } from "./assemble-models.ts";
import { openSkillStore, prepareSkillsFolder, tellDisabled } from "./assemble-skill-store.ts";
import { assembleSkills, logContentFaults } from "./assemble-skills.ts";
import { assembleThinking } from "./assemble-thinking.ts";
import { assembleTools } from "./assemble-tools.ts";
import { channelDefinitions } from "./channels/channel-definitions.ts";
import { createToolReports } from "./cli/report-tools.ts";
import { reportFault } from "./cli/report-fault.ts";
import { runCommand } from "./cli/run-command.ts";
import type { Kurisu } from "./cli/types.ts";
import { listUnusedSettings, refuseUnbuilt } from "./config/refuse-unbuilt.ts";
import type { Configuration } from "./config.ts";
import { watchConfiguration } from "./config/watch-configuration.ts";
import { loadConfiguration } from "./config.ts";
import { systemClock } from "./core/clock.ts";
import { createLog } from "./core/log.ts";
import { formatFault, type ConfigFault } from "./core/yaml-file.ts";
import { wordsFor } from "./core/words/words.ts";
import { createKnownSecrets } from "./core/known-secrets.ts";
import { startWatchdog, type Watchdog } from "./gateway/recovery/watchdog.ts";
import { createWorkRecord } from "./gateway/recovery/work-record.ts";
import { createCommandLineChannel } from "./channels/terminal/command-line-channel.ts";
import { listCommandMenus } from "./gateway/commands/list-command-menus.ts";
import { createControlSocket } from "./gateway/intake/control-socket.ts";
import { createTellFirstSights } from "./gateway/mcp/tell-first-sights.ts";
import { describeCallback, listCallbackHosts, mountLoginCallback } from "./gateway/mcp/mount-login-callback.ts";
import { createServedTools } from "./gateway/served/served-tools.ts";
import { createConfigurationNotices } from "./gateway/oversight/configuration-notices.ts";
import { createHttpServer } from "./gateway/http/http-server.ts";
import { warnOwners } from "./gateway/oversight/describe-usage.ts";
import { mountReadiness } from "./gateway/http/mount-readiness.ts";
import { createReadiness } from "./gateway/http/readiness.ts";
import { followChange } from "./follow-change.ts";
import { holdDatabase } from "./hold-database.ts";
import { inspect } from "./inspect.ts";
import { listAnchorFiles } from "./store/audit-anchor.ts";
import { createAuditAnchors } from "./store/keep-audit-anchor.ts";
import { narrowDataFolder } from "./store/engines/keep-private.ts";
import { lockDataFolder } from "./store/engines/lock-data-folder.ts";
import { openStore } from "./store/open-store.ts";
import { createIntentMatcher } from "./skills/matching/intent-matcher.ts";
import { ApprovalManager } from "./policy/approval-manager.ts";
import { createToolExecutor } from "./tools/executor.ts";
import { createFitResult } from "./tools/fit-result.ts";
import type { MCPBridge } from "./mcp/mcp-bridge.ts";
import type { Tool } from "./tools/types.ts";
import type { ReadFile } from "./workspace/types.ts";
import { createToolPreviewer } from "./tools/previewer.ts";

const drainMs = 20_000;
const none: readonly Tool[] = [];

const readConfiguration = (previous?: Configuration): Configuration =>
  loadConfiguration({ workingDirectory: process.cwd(), previous });

async function assemble(
  first: Configuration,
  options: { readonly purpose: string; readonly quiet: boolean },
): Promise<Kurisu> {
  refuseUnbuilt(first);
  const clock = systemClock;
  const current = { configuration: first };
  const now = () => current.configuration;
  const lock = lockDataFolder(first.home, options.purpose);
  const { home, zone } = first;
  const language = () => now().language;
  const terminalLanguage = () => now().terminalLanguage;
  const logFile: { readonly file?: string } = options.quiet ? { file: join(home, "kurisu.log") } : {};
  const secrets = createKnownSecrets(first.secrets);
  const { scrub } = secrets;
  const log = createLog({ level: first.log.level, secrets, ...logFile });
  const open = narrowDataFolder(home);
  if (open.length > 0)
    log.warn({ files: open }, "files of the data folder are another user's and can be read by others");
  logContentFaults(first, log);
  const installedSkills = prepareSkillsFolder(home);
  tellDisabled(first, log);
  for (const setting of listUnusedSettings(first)) log.warn({ setting }, "a setting has nothing behind it yet");
  // The last border: a promise nobody waited for must not take everybody's chats down.
  process.on("unhandledRejection", (error) => log.error({ err: error }, "a rejection was not handled"));
  const place = { home, ...first.store, secrets };
  const databaseLock =
    place.url === undefined
      ? undefined
      : await holdDatabase(place.url, { ...options, json: given.includes("--json"), log });
  const store = await openStore(place);
  const rules = () => now().tools;

  const agents = () => narrowSubAgents(now().subAgents, rules().agents);
  const task = { agents, start: createStartTask({ store, clock }) };
  const publicHosts = [...first.http.publicHosts, ...listCallbackHosts(first.mcp.servers)];
  const http = createHttpServer({ ...first.http, publicHosts, log });
  const commandLine = createCommandLineChannel({ clock, home, language: terminalLanguage });
  const channelParts = { http, store, menus: listCommandMenus(first.language), clock, log };
  const platforms = channelDefinitions.flatMap((channel) => {
    const settings = first.channels[channel.name];
    return settings ? [channel.create(settings, channelParts)] : [];
  });
  const channels = [commandLine, ...(await Promise.all(platforms))];
  const work = createWorkRecord({ home, log });
  const delivery = await assembleDelivery(now, { channels, store, work, log });
  const { access, elicitations, fileDelivery, roles, tellOwners } = delivery;
  const findRole = roles.now;
  const { budget, models, guarded, findModels } = await assembleModels(now, {
    store,
    scrub,
    onWarning: (state) => warnOwners(tellOwners, state),
    log,
  });
  const database = () => store.main;
  const late: { mcp?: MCPBridge; port: number; reload(): void } = {
    port: first.http.port,
    // Without a watch, as in one-shot commands, there is nothing else that follows a change.
    reload: () => void (current.configuration = readConfiguration(current.configuration)),
  };
  const coming = () => late.mcp?.tools() ?? none;
  const readable = () => late.mcp?.readable() ?? [];
  const match = createIntentMatcher({ log });
  const skills = assembleSkills({
    match,
    configuration: now,
    database,
    registry: () => registry,
    ensureServersStarted: async (ids) => late.mcp?.ensureServersStarted(ids),
    scrub,
    log,
  });
  const offered = { skills, match, skillRegistry: () => now().skills };
  const reload = () => late.reload();
  const toolParts = { coming, readable, database, delivery: fileDelivery, task, skills: offered, reload, log };
  const assembled = await assembleTools(first, toolParts);
  const { sandbox, workspace, contents, registry, limits, copies, sweepSockets } = assembled;
  await copies.sweep();
  await workspace.sweepTrash();
  await sweepSockets();
  // Only who holds the data folder: what another process left here would otherwise be one that is at work.
  if (sandbox.lastStatus().state === "ready") await sandbox.sweep();
  // Beside the rest: the first command waits for it if it must.
  void sandbox.examine();
  const mcp = await assembleMcp(now, {
    store,
    workspace,
    sandbox,
    secrets,
    port: () => late.port,
    log,
    models: guarded,
    ask: elicitations.ask,
    tellOwners,
    whyNotHere: (skill, session) => skills.whyNot(session, skill),
  });
  late.mcp = mcp;
  const approvals = new ApprovalManager({
    clock,
    timeoutMs: (chatKind) => rules().approval[chatKind === "group" ? "groupTimeoutMs" : "timeoutMs"],
    overridden: Object.keys(first.tools.overrides),
  });
  const fit = createFitResult({ workspace, contents, log });
  const executor = createToolExecutor({ store, registry, approvals, rules, findRole, fit, scrub, clock, log });
  const previewer = createToolPreviewer({ store, registry, copies, rules, clock, log });

  const readFile: ReadFile = (session, path) => workspace.readBytes(session, path);
  const doing = { store, registry, executor, findRole, readFile, log };
  const agent = await assembleThinking(now, { ...doing, models: guarded, findModels, skills });
  const served = createServedTools({ ...doing, work, rules, language, zone, clock });
  mountLoginCallback(http.app, {
    bridge: mcp,
    language,
    servers: () => now().mcp.servers,
    redirectUrl: () => describeCallback(late.port),
  });
  const gateway = assembleGateway(now, {
    ...delivery,
    agent,
    approvals,
    previewer,
    registry,
    fit,
    sandbox,
    workspace,
    models,
    usualSeconds: limits.defaultTimeoutSeconds,
    skills,
    mcp,
    budget,
    scrub,
  });
  let stall: Watchdog["readiness"] = () => undefined;
  const readiness = createReadiness({ channels, models, sandbox, store, mcp, stall: () => stall(), clock });
  mountReadiness(http, { host: first.http.host, readiness });
  const tools = createToolReports({ configuration: now, registry, mcp, findRole });
  const socket = createControlSocket({ home, channel: commandLine, gateway, mcp, readiness, served, tools, log });
  const anchors = createAuditAnchors({ store, files: listAnchorFiles(home, first.audit.anchor), clock, log });
  const tellFirstSights = createTellFirstSights({ bridge: mcp, tellOwners });
  const showFirstSights = (): void =>
    void tellFirstSights().catch((error: unknown) =>
      log.error({ err: error }, "owners could not be told of MCP servers"),
    );
  const watching = new AbortController();
  const running: (() => Promise<void>)[] = [];

  return {
    configuration: first,
    store,
    gateway,
    commandLine,
    models,
    sandbox,
    registry,
    mcp,
    persona: () => now().persona,
    terminalLanguage,
    readiness,
    ownerCode: access.ownerCode.show,
    served,
    log,
    async start(role) {
      if (role.kind === "server" || role.stays) {
        const watched = startWatchdog({
          home,
          work,
          limits: first.limits.stall,
          logFile: ["fatal", "silent"].includes(first.log.level) ? "silent" : logFile.file,
          ending: wordsFor(terminalLanguage()).start.hung,
          log,
        });
        stall = watched.readiness;
        running.push(() => watched.stop());
      }
      await mcp.start();
      await served.recover();
      running.push(() => served.stop());
      if (role.kind === "client") {
        await gateway.start(role.session);
        running.push(() => gateway.stop(drainMs));
        if (!role.stays) return undefined;
        showFirstSights();
        await socket.start();
        running.push(() => socket.stop());
        return undefined;
      }
      const address = await http.start();
      late.port = address.port;
      running.push(() => http.stop());
      await gateway.start();
      running.push(() => gateway.stop(drainMs));
      await socket.start();
      running.push(() => socket.stop());
      const notices = createConfigurationNotices({ tellOwners, log });
      // A faulty file of a skill is left out at the start; later its last good version stays.
      const tellFaults = (faults: readonly ConfigFault[]) =>
        faults.length === 0 ? notices.good() : notices.faulty(faults.map(formatFault).join("\n"));
      tellFaults(first.skills.faults);
      const { reload: follow } = watchConfiguration({
        folder: first.configFolder,
        also: [installedSkills],
        files: [first.mcp.projectFile],
        shared: () => now().sharedSkillFolders,
        load: () => readConfiguration(current.configuration),
        onChange(next) {
          current.configuration = next;
          followChange(next, { secrets, mcp, gateway, log });
          tellFaults(next.skills.faults);
        },
        onFault(faults) {
          log.error({ faults }, "the changed configuration has faults; the last good one stays");
          notices.faulty(faults);
        },
        onUnwatched: (problem) => log.error({ problem }, "changes there are not noticed"),
        signal: watching.signal,
      });
      late.reload = follow;
      const looking = setInterval(() => void sandbox.status(), 60_000).unref();
      showFirstSights();
      const showing = setInterval(showFirstSights, 30_000).unref();
      const sweeping = setInterval(() => void sandbox.sweep(), 300_000).unref();
      await anchors.drop();
      const anchoring = setInterval(() => void anchors.drop(), 3_600_000).unref();
      const marking = setInterval(() => void anchors.raise(), 5_000).unref();
      running.push(async () => {
        clearInterval(marking);
        clearInterval(anchoring);
        clearInterval(looking);
        clearInterval(showing);
        clearInterval(sweeping);
      });
      return `http://${address.host}:${address.port}`;
    },
    async stop() {
      watching.abort();
      for (const end of running.toReversed()) await end();
      await mcp.stop();
      await sandbox.stop();
      await executor.drain();
      await anchors.drop();
      await anchors.raise();
      await store.close();
      await databaseLock?.release();
      lock.release();
    },
  };
}

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
  version: string;
};
const given = process.argv.slice(2);
process.on("uncaughtException", (error) => process.exit(reportFault(error, given.includes("--json"))));
process.exitCode = await runCommand(given, {
  version,
  configuration: () => readConfiguration(),
  assemble,
  inspect,
  skillStore: ({ home, skills }) => openSkillStore(home, () => skills.list()),
  refuseUnbuilt,
  listUnusedSettings,
});
