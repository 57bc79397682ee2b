import { AppError } from "../core/errors.ts";
import { type InboxItem, isFeatureJob, setInboxState } from "../store/queries/inbox.ts";
import { findOutboxItem } from "../store/queries/outbox.ts";
import { pruneFinished } from "../store/queries/prune.ts";
import { listTurns } from "../store/queries/turns.ts";
import { createPutAside } from "./turns/put-aside.ts";
import { createSettleDeath } from "./recovery/settle-death.ts";
import { createAcceptEvents } from "./inbox/accept-events.ts";
import { createAccess } from "./people/access.ts";
import { createDecideAsOperator, type DecideAsOperator } from "./questions/decide-as-operator.ts";
import { createDecideQuestion } from "./questions/decide-question.ts";
import { createEndOpenQuestions } from "./questions/end-open-questions.ts";
import { createDispatch } from "./inbox/dispatch.ts";
import { createEventHandlers } from "./create-event-handlers.ts";
import type { FeatureGateway } from "./feature/define-feature.ts";
import { defaultRetryMs, type GatewayParts } from "./gateway-parts.ts";
import { createInboxDispatcher, type InboxWorkers } from "./lanes/inbox-dispatcher.ts";
import { createStopPerson } from "./pause/stop-person.ts";
import { createKillSwitch } from "./pause/kill-switch.ts";
import { createParkedTurns } from "./questions/parked-turns.ts";
import { createQuestionCards } from "./questions/question-cards.ts";
import { createMessageMarks } from "./outbox/message-marks.ts";
import { createTurnParts } from "./create-turn-parts.ts";
import { createTasks } from "./tasks/tasks.ts";
import { followMove } from "../store/queries/chat-moves.ts";
import { toAddress } from "../channels/to-address.ts";
import { toSessionId } from "../channels/session-id.ts";
import type { ChatAddress, InboundEvent } from "../channels/types.ts";

export interface Gateway extends FeatureGateway {
  /** Looks at everything that the last process left, then lets the channels in. `session` narrows both to one. */
  start(session?: string): Promise<void>;
  /** Takes nothing new, lets what runs come to its end (at most `graceMs`), sends what is ready. */
  stop(graceMs: number): Promise<void>;
  /** Removes what was finished long ago. */
  prune(): Promise<void>;
  readonly decide: DecideAsOperator;
  /** The rules may have changed, and these tools did: questions asked under the old ones, or about these, are closed. */
  applyPolicy(changedTools?: readonly string[]): Promise<void>;
}

/** Sub-agents that run at once, in all sessions together. */
const tasksAtOnce = 8;
/** How long a stop goes on sending what is ready. */
const sendGraceMs = 5_000;
/** How long finished work is kept: 14 days. */
const keptMs = 14 * 24 * 3_600_000;

export function createGateway(parts: GatewayParts): Gateway {
  const { store, approvals, work, clock, hooks, log, retryMs = defaultRetryMs } = parts;
  const { outbox, quarantine, roles, zone } = parts;
  const findChannel = (platform: string) => parts.channels.find((channel) => channel.platform === platform);
  const stopping = new AbortController();
  const inbox = createInboxDispatcher({
    store,
    work,
    quarantine,
    hooks,
    limits: { all: () => parts.limits().turns.all, person: () => parts.limits().turns.person, tasks: tasksAtOnce },
    retryMs,
    stopping: stopping.signal,
    log,
  });
  const { pushToLane } = inbox;
  const marks = createMessageMarks({ store, findChannel, startedAt: clock.now(), log });
  const tasks = createTasks({ store, approvals, marks, pushToLane, abort: inbox.abort, clock });
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
    onFault: inbox.reconcile,
    clock,
    log,
  });
  const killSwitch = createKillSwitch({
    store,
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
  const { runner, waits, laterWords, joins } = createTurnParts({
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
  const settleDeath = createSettleDeath({ store, work, putAside, clock, log });
  const { isOutdated } = previews;
  const decide = createDecideQuestion({ ...parts, parked, cards, isOutdated, pushToLane });
  const decideAsOperator = createDecideAsOperator(store, decide);
  const handlers = createEventHandlers({
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
  const dispatch = createDispatch({ handlers, pushToLane });
  const acceptEvents = createAcceptEvents({ store, language: parts.language, clock, log });

  async function receive(events: readonly InboundEvent[]): Promise<void> {
    if (stopping.signal.aborted) throw new AppError("INTERNAL", "Kurisu is stopping; the platform keeps the message.");
    const accepted = await inbox.withReconcile(acceptEvents(events));
    for (const item of accepted) inbox.take(item);
  }

  async function wakeOutbox(session: string | undefined): Promise<void> {
    if (session === undefined) await outbox.wakeAll();
    else outbox.wake(session);
  }

  /** Somebody is there who hears what comes; of a session that this process has not looked at yet, its rest is taken up. */
  function welcome(address: ChatAddress): void {
    const session = toSessionId(address);
    outbox.wake(session);
    if (!inbox.widen(session)) return;
    takeUpRest(session).catch((error: unknown) => {
      log.error({ err: error, session }, "what was left of a conversation could not be taken up");
      inbox.reconcile(error);
    });
  }

  async function takeUpRest(session: string): Promise<void> {
    await parked.endForeignPolicies(parts.policy(), session);
    await tasks.recover(session);
    await inbox.takeUnfinished();
    await parked.watch(session);
  }

  /** The feature that would work on it is not there any more. */
  async function leaveUndone(item: InboxItem): Promise<"ended"> {
    log.warn({ row: item.id, kind: item.kind }, "no feature works on rows of this kind; it is finished undone");
    await setInboxState(store.main, item.id, "done", clock.now());
    return "ended";
  }

  const isWanted = async (id: string) => (await findOutboxItem(store.main, id))?.state === "pending";
  const sweepOutgoing = () => parts.outgoing.sweep(isWanted);

  const prune = () => pruneFinished(store.main, clock.now() - keptMs);

  async function recover(session: string | undefined): Promise<void> {
    const living = await listTurns(store.main, ["running", "parked"]);
    await store.checkpointWriter.sweep(living.map((turn) => turn.id));
    quarantine.begin(await settleDeath(session));
    await hooks.cleanUp();
    if (session === undefined) await prune();
    await parked.endForeignPolicies(parts.policy(), session);
    await killSwitch.recover();
    await tasks.recover(session);
    await waits.recover();
    await inbox.takeUnfinished();
    await parked.watch(session);
    if (session === undefined) await parked.remind();
    if (session === undefined) await sweepOutgoing();
    await wakeOutbox(session);
  }

  return {
    async start(session) {
      const workers: InboxWorkers = {
        dispatch,
        work(item, signal) {
          const job = hooks.findJob(item.kind);
          const own = job && "work" in job ? job : undefined;
          if (own?.whilePaused) return own.work(item, signal);
          if (!job && isFeatureJob(item)) return leaveUndone(item);
          return killSwitch.unlessPaused(item, () => (own ?? runner).work(item, signal));
        },
        putAside: putAside.item,
        async pickUp() {
          await tasks.recover(session);
          await inbox.takeUnfinished();
          await wakeOutbox(session);
        },
      };
      inbox.start(workers, session);
      await recover(session);
      hooks.opened();
      // One-shot commands work on one conversation; what is due waits for the next start.
      if (session === undefined) hooks.start();
      for (const channel of parts.channels) {
        const { platform } = channel;
        if (session !== undefined && !session.startsWith(`${platform}:`)) continue;
        await channel.start(receive, welcome, (account) => outbox.wakeAccount({ platform, account }));
      }
    },
    async stop(graceMs) {
      work.leave();
      stopping.abort();
      waits.stop();
      quarantine.open();
      await parked.stop();
      // Each begins nothing from here on; what has begun ends beside the rest.
      const stopped = hooks.stop();
      for (const channel of parts.channels) await channel.stopReceiving();
      await inbox.settled();
      await inbox.drain(graceMs);
      await stopped;
      await outbox.drain(sendGraceMs);
      for (const channel of parts.channels) await channel.stop();
      await outbox.settled();
      work.close();
    },
    async prune() {
      try {
        await prune();
        hooks.daily();
      } catch (error) {
        log.error({ err: error }, "what is finished could not be removed; it is tried again");
      }
    },
    pushToLane,
    endQuestion: parked.end,
    takeItem: inbox.take,
    reconcile: inbox.reconcile,
    isGroupOpen: async (session) => access.isGroupOpen(await followMove(store.main, toAddress(session))),
    identify: access.identify,
    endOpenQuestions: createEndOpenQuestions({
      store,
      parked,
      cards,
      endTasks: tasks.stopAll,
      abortPreviews: previews.abort,
    }),
    takeUnfinished: () => inbox.takeUnfinished().catch(inbox.reconcile),
    stopPerson: createStopPerson({ store, parked, tasks, abort: inbox.abort, clock }),
    endWork: (session) => void hooks.endWork(session),
    sweepOutgoing,
    decide: (...decision) => inbox.withReconcile(decideAsOperator(...decision)),
    async applyPolicy(changedTools = []) {
      await parked.endForeignPolicies(parts.policy());
      await parked.endForTools(changedTools);
    },
  };
}
