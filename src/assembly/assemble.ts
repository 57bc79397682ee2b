import type { Agent } from "../kernel/agent/agent.ts";
import { findChannel } from "../channels/find-channel.ts";
import type { Channel, OutboundMessage } from "../channels/types.ts";
import type { Kurisu } from "../cli/types.ts";
import { listWaiting } from "../config/keys-of-the-start.ts";
import { isOwnVariable } from "../config/own-variables.ts";
import type { LiveConfiguration } from "../config/live-configuration.ts";
import { sharePersonas } from "../kernel/claims/share-personas.ts";
import { createChosenPersonas } from "../core/persona/chosen-personas.ts";
import { listChosenPersonas } from "../store/queries/sessions.ts";
import { listAnchorFiles, readAuditAnchors } from "../store/audit-anchor.ts";
import { verifyAudit } from "../store/verify-audit.ts";
import { wordsFor } from "../core/words/words.ts";
import { createHttpServer } from "../kernel/http/http-server.ts";
import { mountReadiness } from "../kernel/http/mount-readiness.ts";
import { createReadiness } from "../kernel/http/readiness.ts";
import { createExplainQuestion } from "../kernel/questions/render-question.ts";
import { answerRequest } from "../kernel/socket/answer-request.ts";
import { createCompleteLine } from "../kernel/socket/complete-line.ts";
import { createFindQuestionEnd, createReadConversation } from "../kernel/socket/read-conversation.ts";
import { describeCallback, listCallbackNames, mountLoginCallback } from "../features/mcp/login/mount-login-callback.ts";
import { tellToolsRefused } from "../features/oversight/tell-tools-refused.ts";
import { warnOwners } from "../features/oversight/describe-usage.ts";
import type { TellOwners } from "../kernel/outbox/tell-owners.ts";
import type { AccessRules } from "../kernel/people/access.ts";
import { createPauseState } from "../kernel/pause/pause-state.ts";
import { createWatchdog } from "../kernel/recovery/watchdog.ts";
import { createWorkRecord } from "../kernel/recovery/work-record.ts";
import { createServedRequests } from "../features/mcp/served/served-requests.ts";
import { createServedTools } from "../features/mcp/served/served-tools.ts";
import { mcp } from "../features/mcp/mcp.ts";
import type { MCPBridge } from "../features/mcp/mcp-bridge.ts";
import type { McpConfiguration } from "../features/mcp/open-bridge.ts";
import { reminders } from "../features/reminders/reminders.ts";
import { planContext } from "../kernel/agent/context/plan-context.ts";
import { createKeepResult } from "../kernel/tools/keep-result.ts";
import { versionOf } from "../kernel/gate/permission.ts";
import { createGuardedFetch } from "../web/guarded-fetch.ts";
import { type CallHooks, createCallHooks, mergeOnce, speakThrough } from "../kernel/feature/call-hooks.ts";
import type { ConsoleDoorPort } from "../kernel/feature/console-hooks.ts";
import { makeFeatures } from "../kernel/feature/make-features.ts";
import type { Budget } from "../models/budget.ts";
import type { SkillsConfiguration } from "../features/skills/open-skills.ts";
import type { SessionSkills } from "../features/skills/session-skills.ts";
import { skills as skillsFeature } from "../features/skills/skills.ts";
import { assembleRegistry, assembleTools } from "./assemble-tools.ts";
import { assembleConsole, createChatDoor } from "./assemble-console.ts";
import { assembleClaims } from "./assemble-cluster.ts";
import { assembleChannels } from "./assemble-channels.ts";
import { assembleExecution } from "./assemble-execution.ts";
import { assembleDelivery } from "./assemble-delivery.ts";
import { assembleGateway } from "./assemble-gateway.ts";
import { assembleMeasures } from "./assemble-measures.ts";
import { assembleModels, type GivenModels } from "./assemble-models.ts";
import { assembleThinking } from "./assemble-thinking.ts";
import { assemblePlaces, type Places } from "./assemble-places.ts";
import { describePersonas } from "./describe-personas.ts";
import type { GivenTools } from "./assemble-tools.ts";
import type { Ground } from "./open-ground.ts";
import { features } from "./features.ts";
import { createToolLook } from "./look-at-tools.ts";
import { findOwnerParts, type OwnerParts } from "./owner-parts.ts";
import { runKurisu } from "./run-kurisu.ts";

/** Parts that tests and benchmarks replace. The clock, the log and the store are the ground's. */
export interface Overrides {
  readonly channels?: readonly Channel[];
  readonly access?: Partial<AccessRules>;
  readonly models?: GivenModels;
  readonly tools?: GivenTools;
  /** Features beside those of the list, which need no settings. */
  readonly features?: typeof features;
  /** The door that codes of people in chats are for, where the console is not the one on our own server. */
  readonly makeCodeFor?: ConsoleDoorPort["makeCode"];
  /** Milliseconds between a store error and the next attempt. */
  readonly retryMs?: number;
  /** Changes what skills add to a turn. */
  readonly skills?: (skills: SessionSkills) => SessionSkills;
}

export interface Assembled extends Kurisu {
  readonly mcp: MCPBridge;
  readonly agent: Agent;
  /** Wakes the clock of reminders. */
  readonly ringReminders: () => void;
  readonly budget: Budget;
  readonly places: Pick<Places, "followSandbox">;
  readonly hooks: Pick<CallHooks, "configurationChanged">;
  readonly skills: SessionSkills;
  readonly tellOwners: TellOwners;
  readonly owner: OwnerParts;
}

/** The one wiring, room by room from right to left; every caller gets Kurisu here. Starts nothing. */
export async function assemble(live: LiveConfiguration, ground: Ground, given: Overrides = {}): Promise<Assembled> {
  const { now } = live;
  const { store, secrets, clock, log } = ground;
  const first = now();
  const { home } = first;
  const zone = () => now().zone;
  const language = () => now().language;
  const terminalLanguage = () => now().terminalLanguage;
  const waitingKeys = () => listWaiting(first, now());
  const defaultSeconds = () => now().sandbox.timeoutMs / 1000;
  const { holdBack, scrub } = secrets;

  const publicNames = [...first.http.publicNames, ...listCallbackNames(first.mcp.servers)];
  const http = createHttpServer({ ...first.http, publicNames, log });
  const platforms = await assembleChannels(now, {
    ...ground,
    http,
    isPreviewRunning: (session) => hooks.previews.isRunning(session),
  });
  const { retryMs = 5_000 } = given;
  const measures = await assembleMeasures(first, ground);
  const { meter, voiceCounts } = measures;
  const work = createWorkRecord({ home, log });
  const claims = await assembleClaims(now, { ...platforms, ...given, ...ground, http });
  const { channels, liveWatch, ownChats } = claims;
  const pause = createPauseState(store.main, claims.claims.isShared);
  const chosen = createChosenPersonas(now, await listChosenPersonas(store.main));
  const personas = ground.cluster ? sharePersonas(chosen, { ...ground, ...ground.cluster }) : chosen;
  const reach = {
    ...claims,
    work,
    speak: (speech: NonNullable<OutboundMessage["speech"]>) => speakThrough(made.list, speech),
    ...(given.access && { access: given.access }),
    retryMs,
  };
  const delivery = await assembleDelivery(now, { ...ground, ...reach, personas });
  const { tellOwners } = delivery;
  const findRole = delivery.roles.now;
  const { budget, models, guarded, chooseModels, findModels, hasCheaper, listChoices } = await assembleModels(now, {
    ...ground,
    personas,
    scrub,
    onWarning: (state, limit, hasOne) => warnOwners(tellOwners, state, limit, hasOne),
    onToolsRefused: (refused) =>
      void tellToolsRefused(tellOwners, refused).catch((error: unknown) =>
        log.warn({ err: error }, "owners were not told of refused tools"),
      ),
    given: given.models,
    meter,
  });

  const places = await assemblePlaces(now, { ...ground, ...delivery, database: () => store.main });
  const { sandbox, workspace } = places;
  const guardedFetch = createGuardedFetch();
  const plan = (chosen: string | undefined) => planContext(now().agents.window, chooseModels(chosen).contextTokens);
  const workspaceLimits = () => now().sandbox.workspaceLimits;
  const keepResult = createKeepResult({ ...places, workspaceLimits, log });
  const registry = assembleRegistry(now, { tools: given.tools, log });
  const made = makeFeatures(
    [...features, ...(given.features ?? [])],
    {
      ...ground,
      ...places,
      ...(ground.cluster && { signals: ground.cluster.signals }),
      ...describePersonas(personas),
      findChannel: (platform) => findChannel(channels, platform),
      hearsAll: (platform) => delivery.access.observe(platform) || !delivery.access.mentionOnly(platform),
      commandSettings: () => now().sandbox,
      toolSettings: () => now().tools,
      home,
      guardedFetch,
      smallModel: () => findModels("small"),
      plan,
      keepResult,
      models: guarded,
      budget,
      hasCheaper,
      embeddingServer: () => first.embeddings,
      voice: delivery.voice,
      scrub,
      findRole,
      roles: delivery.roles,
      namedByClients: delivery.access.namedByClients,
      findPause: pause.find,
      isOffline: () => models.offline,
      policy: () => versionOf(now().tools),
      rules: () => now().tools,
      work,
      systemReplies: delivery.systemReplies,
      tellOwners,
      recentTalk: delivery.recentTalk,
      fileDelivery: delivery.fileDelivery,
      outgoing: delivery.outgoing,
      isSending: delivery.outbox.isSending,
      wakeOutbox: delivery.outbox.wake,
      gateway: {
        pushToLane: (item) => gateway.pushToLane(item),
        takeItem: (item) => gateway.takeItem(item),
        reconcile: (error) => gateway.reconcile(error),
        endOpenQuestions: (...request) => gateway.endOpenQuestions(...request),
        takeUnfinished: () => gateway.takeUnfinished(),
        stopPerson: (...request) => gateway.stopPerson(...request),
        endWork: (session) => gateway.endWork(session),
        sweepOutgoing: () => gateway.sweepOutgoing(),
        isGroupOpen: (session) => gateway.isGroupOpen(session),
        identify: (event) => gateway.identify(event),
        endQuestion: (...end) => gateway.endQuestion(...end),
      },
      registry,
      skills: { whyNot: (session, skill) => skills.whyNot(session, skill) },
      configuration: now satisfies () => McpConfiguration & SkillsConfiguration,
      isOwnVariable,
      httpPort: http.port,
      personaFolders: () => now().personaFolders,
      reload: live.reload,
      consoleDoor: createChatDoor(now, () => given.makeCodeFor ?? webConsole.makeCodeFor),
      retryMs,
      zone,
    },
    () => now().features,
  );
  const hooks = createCallHooks(made.list, log);
  const servers = made.of(mcp).bridge;
  const ownSkills = made.of(skillsFeature).sessions;
  const skills = given.skills?.(ownSkills) ?? ownSkills;
  const followTools = await assembleTools(now, {
    ...ground,
    registry,
    features: made.list,
    zone,
    listServerTools: servers.tools,
    tools: given.tools,
  });
  await places.sweep();
  // Runs in parallel; the first command waits for it if it must.
  void sandbox.examine();

  const execution = assembleExecution(now, { ...ground, ...places, hooks, registry, findRole, keepResult, meter });
  const { executor } = execution;
  const doing = { store, registry, executor, findRole, readFile: workspace.readBytes, log };
  const agent = await assembleThinking(now, {
    ...doing,
    voiceCounts,
    personaOf: personas.of,
    downServers: () => servers.down(),
    lacking: made.list.flatMap(({ hooks }) => hooks.lacks ?? []),
    models: guarded,
    chooseModels,
    findModels,
    skills,
    findContext: hooks.context,
    plan,
    clock,
  });
  const served = createServedTools({ ...doing, work, rules: () => now().tools, language, zone, clock });
  const gateway = assembleGateway(now, {
    ...delivery,
    ...execution,
    agent,
    features: made.list,
    hooks,
    pause,
    personas,
    voiceCounts,
    meter,
    registry,
    ...places,
    models,
    listChoices,
    defaultSeconds,
    budget,
    waitingKeys,
    refusedFiles: live.refusedFiles,
    scrub,
    holdBack,
  });

  const watchdog = createWatchdog({
    home,
    work,
    limits: first.limits.stall,
    logFile: ["fatal", "silent"].includes(first.log.level) ? "silent" : ground.logFile,
    ending: () => wordsFor(terminalLanguage()).start.hung,
    log,
  });
  const readiness = createReadiness({
    ...claims,
    channels: channels.filter((channel) => channel !== ownChats), // the page of the console itself tells
    models,
    sandbox,
    store,
    features: made.list,
    stall: watchdog.readiness,
    waitingKeys,
    refusedFiles: live.refusedFiles,
    clock,
  });
  mountReadiness(http, readiness);
  mountLoginCallback(http.app, {
    bridge: servers,
    language,
    servers: () => now().mcp.servers,
    redirectUrl: () => describeCallback(http.port()),
  });
  const tools = createToolLook({ configuration: now, registry, mcp: servers, findRole, store, skills, clock });
  const owner = findOwnerParts(now, made, {
    people: { access: delivery.access, platforms: channels.map(({ platform }) => platform) },
    roles: delivery.roles,
    models: guarded,
    reload: live.reload,
    scrub,
    store,
  });
  const webConsole = assembleConsole(now, {
    ...owner,
    ...ground,
    http,
    live,
    readiness,
    systemReplies: delivery.systemReplies,
    servers: servers.views,
    acceptDefinitions: servers.approve,
    tools,
    rules: () => now().tools,
    waitingKeys,
    refusedFiles: live.refusedFiles,
    isOffline: () => models.offline,
    ownerCode: delivery.access.ownerCode.show,
    decisions: gateway.console,
    actions: gateway.sessions,
    system: gateway.system,
    async verifyAudit() {
      const anchors = listAnchorFiles(home, now().audit.anchor).flatMap(
        (file) => readAuditAnchors(file)?.anchors ?? [],
      );
      return { verdict: await verifyAudit(store, anchors), anchors: anchors.length };
    },
    liveWatch,
    explain: createExplainQuestion({ registry, zone, defaultSeconds }),
    findTool: registry.find,
    ownChats,
    language,
    zone,
  });
  const conversations = {
    readConversation: createReadConversation(store),
    findQuestionEnd: createFindQuestionEnd(store),
    completeLine: createCompleteLine({ workspace, features: made.list }),
  };
  const requests = mergeOnce([
    createServedRequests(served),
    webConsole.requests,
    ...made.list.map((feature) => feature.hooks.requests),
  ]);
  const parts = {
    ...conversations,
    requests,
    commandLine: platforms.commandLine,
    executor,
    features: made.list,
    hooks,
    followTools,
    gateway,
    http,
    mcp: servers,
    measures,
    places,
    readiness,
    sandbox,
    served,
    tellOwners,
    tools: tools.reports,
    waitingKeys,
    watchdog,
    httpOpened: webConsole.opened,
  };
  return {
    ...runKurisu(live, ground, parts),
    ...conversations,
    configuration: first,
    persona: () => now().persona,
    terminalLanguage,
    webConsole: webConsole.door,
    ownerCode: delivery.access.ownerCode.show,
    store,
    answer: (request, signal = new AbortController().signal) => answerRequest(requests, request, signal),
    log,
    commandLine: platforms.commandLine,
    models,
    places,
    sandbox,
    registry,
    mcp: servers,
    agent,
    hooks,
    ringReminders: made.of(reminders).ring,
    budget,
    skills,
    gateway,
    readiness,
    tellOwners,
    owner,
  };
}
