import { randomUUID } from "node:crypto";
import { AppError } from "../core/errors.ts";
import { listUnfinishedInbox, type InboxItem } from "../store/queries/inbox.ts";
import { findOutboxItem } from "../store/queries/outbox.ts";
import { pruneFinished } from "../store/queries/prune.ts";
import { listTurns } from "../store/queries/turns.ts";
import { nameInbox } from "./recovery/plan-cells.ts";
import type { PutAside } from "./recovery/settle-death.ts";
import { createPutAside } from "./turns/put-aside.ts";
import { createSettleDeath } from "./recovery/settle-death.ts";
import { createAcceptEvents } from "./intake/accept-events.ts";
import { createAccess } from "./people/access.ts";
import { createBeginTurn } from "./turns/begin-turn.ts";
import { createChatCommands } from "./commands/chat-commands.ts";
import { createDecideAsOperator, type DecideAsOperator } from "./approvals/decide-as-operator.ts";
import { createDecideQuestion } from "./approvals/decide-question.ts";
import { createDispatchAnswer } from "./intake/dispatch-answer.ts";
import { createDispatchChange } from "./intake/dispatch-change.ts";
import { createDispatchNearYes } from "./intake/dispatch-near-yes.ts";
import { createReadPress } from "./intake/dispatch-press.ts";
import { createDispatch } from "./intake/dispatch.ts";
import { createReceiveFiles } from "./files/receive-files.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import { createInboxDispatcher } from "./intake/inbox-dispatcher.ts";
import { createMessageRate } from "./intake/message-rate.ts";
import { createRefuseFast } from "./intake/refuse-fast.ts";
import { createKillSwitch } from "./oversight/kill-switch.ts";
import { createReconciler } from "./recovery/reconcile.ts";
import { createMcpCommand } from "./commands/mcp-command.ts";
import { createGrantCommands } from "./commands/grant-commands.ts";
import { createListOwnerChats } from "./approvals/owner-chats.ts";
import { createParkedTurns } from "./approvals/parked-turns.ts";
import { createPreviewQuestions } from "./approvals/preview-question.ts";
import { createSetupHint } from "./turns/setup-hint.ts";
import { createRunTurn } from "./turns/run-turn.ts";
import { laneOf, requesterOf } from "./lanes/jobs.ts";
import { createTasks } from "./tasks/tasks.ts";
import { toSessionId } from "../channels/session-id.ts";
import { createSessionLanes } from "./lanes/session-lanes.ts";
import type { InboundEvent } from "../channels/types.ts";
import { createBranchSwitcher } from "./worldlines/branch-switcher.ts";
import { createWorldlineCommands } from "./commands/worldline-commands.ts";

export interface Gateway {
  /** Looks at everything that the last process left, then lets the channels in. `session` narrows both to one. */
  start(session?: string): Promise<void>;
  /** Takes nothing new, lets what runs come to its end (at most `graceMs`), sends what is ready. */
  stop(graceMs: number): Promise<void>;
  readonly decide: DecideAsOperator;
  /** The rules changed: questions asked under the old ones are closed. */
  applyPolicy(): Promise<void>;
}

/** Of them sub-agents, of all sessions together. */
const tasksAtOnce = 8;
const leaseMs = 5 * 60_000;
/** How long a stop goes on sending what is ready. */
const sendGraceMs = 5_000;
/** How long finished work is kept: 14 days. */
const keptMs = 14 * 24 * 3_600_000;

export function createGateway(parts: GatewayParts): Gateway {
  const { store, approvals, work, clock, log, retryMs = 5_000 } = parts;
  const { elicitations, outbox, quarantine, roles, systemReplies, tellOwners } = parts;
  const findChannel = (platform: string) => parts.channels.find((channel) => channel.platform === platform);
  const tasks = createTasks({
    store,
    approvals,
    push: (item) => resume(item),
    abort: (task) => void lanes.abort(task),
    clock,
  });
  const parked = createParkedTurns({
    store,
    approvals,
    outbox,
    tasks,
    resume: (item) => resume(item),
    findChannel,
    voice: parts.voice,
    supportsPreview: parts.previewer.supports,
    policy: parts.policy,
    zone: parts.zone,
    onFault: (error) => reconcile(error),
    clock,
    log,
  });
  const { previewer, zone } = parts;
  const previews = createPreviewQuestions({ store, previewer, parked, outbox, work, zone, clock, log });
  const access = createAccess({ store, clock, rules: parts.access, roles });
  const owner = `${process.pid}.${randomUUID()}`;
  const putAside: PutAside = createPutAside({
    store,
    outbox,
    failTurn: (item, fault) => runner.fail(item, fault),
    voice: parts.voice,
    clock,
  });
  const settleDeath = createSettleDeath({ store, work, putAside, clock, log });
  const runner = createRunTurn({
    store,
    agent: parts.agent,
    approvals,
    outbox,
    findChannel,
    beginTurn: createBeginTurn({
      store,
      identify: access.identify,
      receiveFiles: createReceiveFiles({ ...parts.files, findChannel, log }),
      policy: parts.policy,
      showsLive: (platform) => findChannel(platform)?.show !== undefined,
      zone: parts.zone,
      clock,
    }),
    voice: parts.voice,
    wordQuestion: parts.wordQuestion,
    supportsPreview: previewer.supports,
    listOwnerChats: createListOwnerChats(parts.access.owners),
    prepare: parts.prepare,
    onParked: () => void watchDeadlines(),
    tasks,
    fit: parts.fit,
    tellOwners,
    addSetupHint: createSetupHint({ isOffline: parts.isOffline, clock }),
    push: (item) => pushToLane(item),
    onTasks: (session) => void beginTasks(session),
    putAside: putAside.item,
    owner,
    leaseMs,
    clock,
    log,
  });
  const lanes = createSessionLanes<InboxItem>({
    concurrency: parts.limits().turns.all,
    share: { of: requesterOf, most: () => parts.limits().turns.person },
    aside: { is: (item) => laneOf(item) !== item.session, most: tasksAtOnce },
    async work(item, signal) {
      await work.during(nameInbox(item.id), () => workOn(item, signal));
      inboxDispatcher.leave(item);
    },
    onFault(error, item) {
      log.error({ err: error, inbox: item.id }, "a turn could not be carried on; it is tried again");
      reconcile(error);
    },
    retryMs,
  });
  async function workOn(item: InboxItem, signal: AbortSignal): Promise<void> {
    const paused = (await killSwitch.find()) !== undefined;
    if (paused) await killSwitch.sweep();
    if (paused && (await killSwitch.keep(item))) return;
    await runner.work(item, signal);
    // It may have asked something just as everything was stopped.
    await killSwitch.sweep();
  }

  const acceptEvents = createAcceptEvents({ store, language: parts.language, clock, log });
  const pushToLane = (item: InboxItem): void => inboxDispatcher.pushToLane(item);
  const resume = (item: InboxItem) => (started ? pushToLane(item) : undefined);
  const { isOutdated } = previews;
  const decideQuestion = createDecideQuestion({ ...parts, roles, parked, isOutdated, resume, outbox });
  const decideAsOperator = createDecideAsOperator(store, decideQuestion);
  const killSwitch = createKillSwitch({
    store,
    parked,
    tasks,
    outbox,
    abortAll(previewsOf) {
      for (const session of previewsOf) previews.abort(session);
      lanes.abortAll();
    },
    pickUp: () => takeUnfinished(),
    clock,
  });
  const rate = createMessageRate({ limits: () => parts.limits().messages, clock });
  const refuseFast = createRefuseFast({ rate, systemReplies });
  const dispatch = createDispatch({
    store,
    access,
    killSwitch,
    elicitations,
    refuseFast,
    dispatchAnswer: createDispatchAnswer({
      store,
      approvals,
      decide: decideQuestion,
      previews,
      elicitations,
      systemReplies,
      refuseFast,
      pushToLane,
      clock,
    }),
    dispatchChange: createDispatchChange({ store, parked, systemReplies, refuseFast, pushToLane }),
    dispatchNearYes: createDispatchNearYes({ store, elicitations, systemReplies }),
    readPress: createReadPress({ store, access, approvals, parked, decide: decideQuestion, previews }),
    runCommand: createChatCommands({
      skills: parts.skills,
      store,
      access,
      roles,
      parked,
      tasks,
      grants: createGrantCommands({ store, policy: parts.policy, zone, clock }),
      worldlines: createWorldlineCommands({
        store,
        travel: createBranchSwitcher({ store, systemReplies, wakeOutbox: outbox.wake, clock }),
        parked,
        tasks,
        abortPreviews: (session) => void previews.abort(session),
        pushToLane,
        zone,
        clock,
      }),
      listServers: () => parts.mcp.views(),
      mcp: createMcpCommand({ bridge: parts.mcp, skills: parts.skills, store, scrub: parts.scrub, pushToLane }),
      abortTurn(session) {
        const previewed = previews.abort(session);
        return lanes.abort(session) || previewed;
      },
      isBusy: lanes.isBusy,
      describeModel: parts.describeModel,
      describeSandbox: parts.describeSandbox,
      workspace: parts.files.workspace,
      killSwitch,
      budget: parts.budget,
      voice: parts.voice,
      zone,
      clock,
    }),
    systemReplies,
    outbox,
    findChannel,
    mentionOnly: parts.access.mentionOnly,
    pushToLane,
    takeUp: (item) => inboxDispatcher.take(item),
    clock,
  });
  const stopping = new AbortController();
  let started = false;
  /** The one session a client process looks after; undefined = all. */
  let scope: string | undefined;

  async function receive(events: readonly InboundEvent[]): Promise<void> {
    if (stopping.signal.aborted) throw new AppError("INTERNAL", "Kurisu is stopping; the platform keeps the message.");
    const accepted = await withReconcile(acceptEvents(events));
    for (const item of accepted) inboxDispatcher.take(item);
  }

  async function watchDeadlines(): Promise<void> {
    try {
      await parked.watch(scope);
    } catch (error) {
      log.error({ err: error }, "deadlines could not be checked");
    }
  }

  /** Never throws: a task that is not begun now is found like any other row that was left behind. */
  async function beginTasks(session: string): Promise<void> {
    try {
      const rows = await listUnfinishedInbox(store.main, session);
      for (const item of rows) if (item.kind === "task") inboxDispatcher.take(item);
    } catch (error) {
      log.error({ err: error, session }, "tasks could not be begun; trying again");
      reconcile(error);
    }
  }

  const { reconcile, withReconcile, settled } = createReconciler({
    async pickUp() {
      await tasks.recover(scope);
      await takeUnfinished();
      await wakeOutbox();
    },
    retryMs,
    stopping: stopping.signal,
    log,
  });

  const inboxDispatcher = createInboxDispatcher({
    store,
    dispatch,
    push: (item) => lanes.push(laneOf(item), item),
    onFault: reconcile,
    putAside: putAside.item,
    retryMs,
    work,
    quarantine,
    stopping: stopping.signal,
    log,
  });

  async function wakeOutbox(): Promise<void> {
    if (scope === undefined) await outbox.wakeAll();
    else outbox.wake(scope);
  }

  async function takeUnfinished(): Promise<void> {
    for (const item of await listUnfinishedInbox(store.main, scope)) inboxDispatcher.take(item);
  }

  async function recover(): Promise<void> {
    const living = await listTurns(store.main, ["running", "parked"]);
    await store.checkpointWriter.sweep(living.map((turn) => turn.id));
    quarantine.begin(await settleDeath(scope));
    if (scope === undefined) await pruneFinished(store.main, clock.now() - keptMs);
    await parked.endForeignPolicies(parts.policy(), scope);
    await killSwitch.recover();
    await tasks.recover(scope);
    await takeUnfinished();
    await watchDeadlines();
    if (scope === undefined) await parked.remind();
    const isWaiting = async (id: string) => (await findOutboxItem(store.main, id))?.state === "pending";
    if (scope === undefined) await parts.outgoing.sweep(isWaiting);
    await wakeOutbox();
  }

  return {
    async start(session) {
      scope = session;
      started = true;
      await recover();
      const onPresence = (address: Parameters<typeof toSessionId>[0]) => outbox.wake(toSessionId(address));
      for (const channel of parts.channels) {
        if (scope === undefined || scope.startsWith(`${channel.platform}:`)) await channel.start(receive, onPresence);
      }
    },
    async stop(graceMs) {
      work.leave();
      stopping.abort();
      quarantine.open();
      await parked.stop();
      for (const channel of parts.channels) await channel.stopReceiving();
      await settled();
      await inboxDispatcher.settled();
      await previews.stop();
      await lanes.drain(graceMs);
      await outbox.drain(sendGraceMs);
      for (const channel of parts.channels) await channel.stop();
      await outbox.settled();
      work.close();
    },
    decide: (...decision) => withReconcile(decideAsOperator(...decision)),
    async applyPolicy() {
      await parked.endForeignPolicies(parts.policy());
    },
  };
}
