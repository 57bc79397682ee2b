import { createMeasureWork } from "../kernel/claims/measure-work.ts";
import { toAddress } from "../channels/to-address.ts";
import { followMove } from "../store/queries/chat-moves.ts";
import type { ChosenPersonas } from "../core/persona/chosen-personas.ts";
import type { VoiceCounts } from "../core/persona/voice-counts.ts";
import type { Configuration } from "../config.ts";
import { createRenderQuestion } from "../kernel/questions/render-question.ts";
import { createGateway, type Gateway } from "../kernel/gateway.ts";
import { describeSandbox, listModels } from "../kernel/http/readiness.ts";
import type { Models } from "../models/types.ts";
import { versionOf } from "../kernel/gate/permission.ts";
import { createWarmUpCalls } from "../kernel/tools/warm-up-calls.ts";
import type { ToolRegistry } from "../kernel/tools/registry.ts";
import type { Sandbox } from "../sandbox/types.ts";
import type { SessionSnapshots } from "../workspace/snapshots/session-snapshots.ts";
import type { Workspace } from "../workspace/types.ts";
import { createAcceptEvents } from "../kernel/inbox/accept-events.ts";
import { createDispatch } from "../kernel/inbox/dispatch.ts";
import { createInboxDispatcher } from "../kernel/lanes/inbox-dispatcher.ts";
import { createMessageMarks } from "../kernel/outbox/message-marks.ts";
import { followPause } from "../kernel/pause/follow-pause.ts";
import { createKillSwitch, type KillSwitch } from "../kernel/pause/kill-switch.ts";
import { createStopPerson } from "../kernel/pause/stop-person.ts";
import { createAccess } from "../kernel/people/access.ts";
import { createDecideAsOperator } from "../kernel/questions/decide-as-operator.ts";
import { createConsoleDecisions } from "../kernel/questions/decide-at-console.ts";
import { createDecideQuestion } from "../kernel/questions/decide-question.ts";
import { createEndOpenQuestions } from "../kernel/questions/end-open-questions.ts";
import { createParkedTurns } from "../kernel/questions/parked-turns.ts";
import { createQuestionCards } from "../kernel/questions/question-cards.ts";
import { createRecovery } from "../kernel/recovery.ts";
import { createSettleDeath } from "../kernel/recovery/settle-death.ts";
import { createTasks } from "../kernel/tasks/tasks.ts";
import { createPutAside } from "../kernel/turns/put-aside.ts";
import type { Delivery } from "./assemble-delivery.ts";
import { assembleHandlers } from "./assemble-handlers.ts";
import { assembleTurns } from "./assemble-turns.ts";
import type { KernelParts } from "./kernel-parts.ts";

type Given =
  | keyof Delivery
  | "agent"
  | "features"
  | "hooks"
  | "pause"
  | "approvals"
  | "listChoices"
  | "liveWatch"
  | "meter"
  | "fit"
  | "budget"
  | "scrub"
  | "holdBack"
  | "refusedFiles"
  | "waitingKeys";

/** The gateway; the current configuration defines its access. */
export function assembleGateway(
  configuration: () => Configuration,
  parts: Pick<KernelParts, Given> & {
    readonly personas: ChosenPersonas;
    readonly voiceCounts: VoiceCounts;
    readonly registry: ToolRegistry;
    readonly sandbox: Sandbox;
    readonly workspace: Workspace;
    readonly snapshots?: SessionSnapshots;
    readonly models: Models;
    /** The timeout of a call that sets none. */
    readonly defaultSeconds: () => number;
  },
): Gateway {
  const { registry, sandbox, workspace, models, defaultSeconds, log } = parts;
  const zone = () => configuration().zone;
  const { voice } = parts;
  return wireGateway({
    ...parts,
    warmUp: createWarmUpCalls({ registry, log }),
    files: {
      workspace,
      workspaceLimits: () => configuration().sandbox.workspaceLimits,
      limits: () => configuration().files,
    },
    inputs: () => models.inputs,
    policy: () => versionOf(configuration().tools),
    faultyPersonas: () => configuration().faultyPersonas,
    limits: () => configuration().limits,
    busy: () => configuration().busy,
    renderQuestion: createRenderQuestion({ voice, registry, defaultSeconds, zone }),
    describeModel: ({ start }) => (models.offline ? start.offline : listModels(models)),
    modelStatus: () => models.status(),
    outageMs: () => configuration().models.limits.outageMs,
    isOffline: () => models.offline,
    canRunCommands() {
      const shell = registry.find("shell");
      return shell !== undefined && shell.availability?.().ok !== false;
    },
    describeSandbox: (words) => describeSandbox(sandbox.lastStatus(), words),
    language: () => configuration().language,
    zone,
  });
}

/** Sub-agents that run in parallel, over all sessions. */
const tasksAtOnce = 8;

function wireGateway(parts: KernelParts & { readonly snapshots?: SessionSnapshots }): Gateway {
  const { store, approvals, work, clock, hooks, log, outbox, quarantine, retryMs, roles, zone } = parts;
  const findChannel = (platform: string) => parts.channels.find((channel) => channel.platform === platform);
  const stopping = new AbortController();
  const inbox = createInboxDispatcher({
    store,
    claims: parts.claims,
    work,
    quarantine,
    hooks,
    limits: { all: () => parts.limits().turns.all, person: () => parts.limits().turns.person, tasks: tasksAtOnce },
    retryMs,
    stopping: stopping.signal,
    meter: parts.meter,
    log,
  });
  const { pushToLane } = inbox;
  const marks = createMessageMarks({ store, findChannel, startedAt: clock.now(), log });
  const tasks = createTasks({
    store,
    approvals,
    marks,
    pushToLane,
    wakeOutbox: outbox.wake,
    abort: inbox.abort,
    clock,
  });
  const { previews } = hooks;
  const cards = createQuestionCards({
    store,
    outbox,
    findChannel,
    supportsPreview: previews.supports,
    zone,
    clock,
    log,
  });
  const parked = createParkedTurns({
    store,
    approvals,
    outbox,
    tasks,
    pushToLane,
    cards,
    marks,
    voice: parts.voice,
    policy: parts.policy,
    isOutdated: () => parts.beside?.nodes.isOutdated() ?? false,
    onFault: inbox.reconcile,
    clock,
    log,
  });
  const killSwitch = createKillSwitch({
    store,
    pause: parts.pause,
    parked,
    cards,
    marks,
    tasks,
    outbox,
    abortAll(previewsOf) {
      for (const session of previewsOf) previews.abort(session);
      inbox.abortAll();
      hooks.endWork();
    },
    async pickUp() {
      hooks.resumed();
      await inbox.takeUnfinished();
    },
    clock,
  });
  const access = createAccess({ store, clock, rules: parts.access, roles, admits: hooks.admits });
  const { runner, waits, laterWords, joins } = assembleTurns({
    ...parts,
    admission: access,
    hooks,
    findChannel,
    inbox,
    marks,
    parked,
    tasks,
  });
  const putAside = createPutAside({ store, outbox, hooks, failTurn: runner.fail, voice: parts.voice, clock });
  const decide = createDecideQuestion({ ...parts, parked, cards, isOutdated: previews.isOutdated, pushToLane });
  const { handlers, sessions, system } = assembleHandlers({
    ...parts,
    admission: access,
    cards,
    decide,
    findChannel,
    hooks,
    inbox,
    joins,
    killSwitch,
    laterWords,
    marks,
    parked,
    stopping: stopping.signal,
    tasks,
  });
  const recovery = createRecovery({
    ...parts,
    inbox,
    killSwitch,
    parked,
    settleDeath: createSettleDeath({ store, work, putAside, clock, log }),
    tasks,
    waits,
  });
  return createGateway({
    acceptEvents: createAcceptEvents({ store, language: parts.language, clock, log }),
    channels: parts.channels,
    channelClaims: parts.channelClaims,
    claims: parts.claims,
    ...(parts.snapshots && { snapshots: parts.snapshots }),
    isAlone: parts.beside?.cluster.isAlone ?? true,
    room: () => countRoom(parts, inbox.countBusy()),
    beside: runBeside(parts, { killSwitch, takeUnfinished: inbox.takeUnfinished, resumed: hooks.resumed }),
    console: createConsoleDecisions({ store, decide, previews, roles }),
    decide: createDecideAsOperator(store, decide),
    dispatch: createDispatch({ handlers, pushToLane }),
    endOpenQuestions: createEndOpenQuestions({
      store,
      parked,
      cards,
      tasks,
      abortPreviews: previews.abort,
    }),
    hooks,
    identify: access.identify,
    inbox,
    isGroupOpen: async (session) => access.isGroupOpen(await followMove(store.main, toAddress(session))),
    killSwitch,
    measures: createMeasureWork(parts),
    outbox,
    parked,
    refreshPersona: async (session) => parts.personas.refresh?.(session),
    policy: parts.policy,
    putAside: putAside.item,
    quarantine,
    recovery,
    runTurn: runner.work,
    sessions,
    system,
    stopPerson: createStopPerson({ store, parked, tasks, abort: inbox.abort, clock }),
    stopping,
    store,
    tasks,
    waits,
    work,
    clock,
    log,
  });
}

/** A process without others takes every chat, so that commands are answered at once; its lanes limit the turns. */
const roomAlone = 1_000;
const outboxEveryMs = 2_000;

/** How many more conversations this process takes. Beside others it leaves them those that it has no slots for. */
function countRoom({ beside, claims, limits }: KernelParts, busy: number): number {
  if (!beside || beside.cluster.role === "gateway" || beside.nodes.isOutdated()) return 0;
  const workers = beside.nodes.list().filter(({ role }) => role !== "gateway");
  if (workers.length > 1) return Math.max(0, 2 * limits().turns.all - busy);
  return claims.isShared ? roomAlone : 0;
}

/** The loops that a process runs because there may be others. */
function runBeside(
  { beside, outbox, log }: KernelParts,
  parts: {
    readonly killSwitch: KillSwitch;
    readonly takeUnfinished: () => Promise<void>;
    readonly resumed: () => void;
  },
) {
  if (!beside) return { start: async () => undefined, stop: async () => undefined };
  const { cluster, nodes } = beside;
  const pause = followPause({
    killSwitch: parts.killSwitch,
    onResumed() {
      parts.resumed();
      parts.takeUnfinished().catch((error: unknown) => log.warn({ err: error }, "kept messages wait a little longer"));
    },
    log,
  });
  let timer: NodeJS.Timeout | undefined;
  return {
    async start() {
      cluster.signals.on("outbox", outbox.wakeHere);
      timer = setInterval(() => {
        outbox.wakeAll().catch((error: unknown) => log.warn({ err: error }, "the outbox could not be looked at"));
      }, outboxEveryMs).unref();
      await nodes.start();
      await pause.ring();
    },
    async stop() {
      clearInterval(timer);
      await pause.stop();
      await nodes.stop();
    },
  };
}
