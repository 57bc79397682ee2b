import { toSessionId } from "../channels/session-id.ts";
import type { Channel, ChatAddress, InboundEvent } from "../channels/types.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { isStoreFault } from "../store/engines/is-store-fault.ts";
import type { SessionSnapshots } from "../workspace/snapshots/session-snapshots.ts";
import type { Store } from "../store/open-store.ts";
import { type InboxItem, isFeatureJob, setInboxState } from "../store/queries/inbox.ts";
import type { SessionActions } from "./commands/session-actions.ts";
import type { SystemActions } from "./commands/system-actions.ts";
import type { ChannelClaims } from "./claims/channel-claims.ts";
import type { ClaimWorker, SessionClaims } from "./claims/session-claims.ts";
import type { CallHooks } from "./feature/call-hooks.ts";
import type { FeatureGateway } from "./feature/define-feature.ts";
import type { WorkMeasures } from "./http/mount-work-metrics.ts";
import type { InboxDispatcher, InboxWorkers } from "./lanes/inbox-dispatcher.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { KillSwitch } from "./pause/kill-switch.ts";
import type { DecideAsOperator } from "./questions/decide-as-operator.ts";
import type { ConsoleDecisions } from "./questions/decide-at-console.ts";
import type { ParkedTurns } from "./questions/parked-turns.ts";
import type { Quarantine } from "./recovery/quarantine.ts";
import type { Recovery } from "./recovery.ts";
import type { WorkRecord } from "./recovery/work-record.ts";
import type { Tasks } from "./tasks/tasks.ts";
import type { Logger } from "pino";

export interface Gateway extends FeatureGateway {
  /**
   * Recovers everything that the last process left, then starts the channels. `session` restricts both to one session.
   */
  start(session?: string): Promise<void>;
  /** Accepts nothing new, lets running work end (at most `graceMs`), and sends what is ready. */
  stop(graceMs: number): Promise<void>;
  /** Removes work that finished long ago. */
  prune(): Promise<void>;
  readonly decide: DecideAsOperator;
  readonly console: ConsoleDecisions;
  readonly sessions: SessionActions;
  readonly system: SystemActions;
  /** The work that waits and that this process holds, for the metrics. */
  readonly measures: WorkMeasures;
  /**
   * The rules may have changed, and these tools did: closes questions asked under the old rules or about these tools.
   */
  applyPolicy(changedTools?: readonly string[]): Promise<void>;
}

/** How long a stop continues to send what is ready. */
const sendGraceMs = 5_000;

/** The gateway's lifecycle: its input, its start and its stop. `src/assembly` wires its parts. */
export function createGateway(
  parts: Pick<FeatureGateway, "endOpenQuestions" | "identify" | "isGroupOpen" | "stopPerson"> & {
    readonly acceptEvents: (events: readonly InboundEvent[]) => Promise<readonly InboxItem[]>;
    readonly channels: readonly Channel[];
    readonly channelClaims: ChannelClaims;
    readonly claims: SessionClaims;
    /** The files of conversations in the database; absent where one process has them all. */
    readonly snapshots?: Pick<SessionSnapshots, "release" | "restore" | "save">;
    /** No other process worked on the database when this one started. */
    readonly isAlone: boolean;
    /** How many more conversations there is room for; asked only where other processes may take them. */
    readonly room: () => number;
    /** Loops for a process that has others beside it, or nothing. */
    readonly beside: { start(): Promise<void>; stop(): Promise<void> };
    readonly console: ConsoleDecisions;
    readonly decide: DecideAsOperator;
    readonly dispatch: InboxWorkers["dispatch"];
    readonly hooks: CallHooks;
    readonly inbox: InboxDispatcher;
    readonly killSwitch: Pick<KillSwitch, "unlessPaused">;
    readonly outbox: Outbox;
    readonly parked: ParkedTurns;
    /** Reads which persona was chosen for a conversation while another process had it. */
    readonly refreshPersona: (session: string) => Promise<void>;
    readonly policy: () => string;
    readonly putAside: InboxWorkers["putAside"];
    readonly quarantine: Pick<Quarantine, "open">;
    readonly recovery: Recovery;
    /** Runs a turn: the work of every row that no feature works on by itself. */
    readonly runTurn: InboxWorkers["work"];
    readonly sessions: SessionActions;
    readonly system: SystemActions;
    readonly measures: WorkMeasures;
    readonly stopping: AbortController;
    readonly store: Store;
    readonly tasks: Pick<Tasks, "recover">;
    /** Turns that wait for a model to answer again. */
    readonly waits: { stop(): void };
    readonly work: WorkRecord;
    readonly clock: Clock;
    readonly log: Logger;
  },
): Gateway {
  const { hooks, inbox, killSwitch, outbox, parked, recovery, store, tasks, work, clock, log } = parts;

  async function receive(events: readonly InboundEvent[]): Promise<void> {
    if (parts.stopping.signal.aborted)
      throw new AppError("INTERNAL", "Kurisu is stopping; the platform keeps the message.");
    const accepted = await inbox.withReconcile(parts.acceptEvents(events));
    for (const item of accepted) inbox.take(item);
  }

  /** A listener appeared: flush its outbox and resume its session. */
  function welcome(address: ChatAddress): void {
    const session = toSessionId(address);
    outbox.wake(session);
    if (!inbox.widen(session)) return;
    recovery.takeUp(session).catch((error: unknown) => {
      log.error({ err: error, session }, "what was left of a conversation could not be taken up");
      inbox.reconcile(error);
    });
  }

  /** The feature that would handle the row no longer exists. */
  async function leaveUndone(item: InboxItem): Promise<"ended"> {
    log.warn({ row: item.id, kind: item.kind }, "no feature works on rows of this kind; it is finished undone");
    await setInboxState(store.main, item.id, "done", clock.now());
    return "ended";
  }

  /** The conversation goes on without its files rather than not at all; nothing is saved over them. */
  async function restoreFiles(session: string): Promise<void> {
    try {
      await parts.snapshots?.restore(session);
    } catch (error) {
      if (isStoreFault(error)) throw error;
      log.error({ err: error, session }, "the files of a conversation could not be brought here");
    }
  }

  const worker: ClaimWorker = {
    room: parts.room,
    async takeUp(session) {
      await restoreFiles(session);
      await parts.refreshPersona(session);
      await recovery.recoverSession(session);
    },
    async letGo(session, lost) {
      try {
        // Files that came without a call are not saved yet.
        if (!lost) await parts.snapshots?.save(session);
      } catch (error) {
        log.warn({ err: error, session }, "the newest files of a conversation stay here until its next call");
      }
      parts.snapshots?.release(session);
    },
    takeRow: inbox.takeRow,
    takeRows: inbox.takeRows,
    hasRow: inbox.hasRow,
    isQuiet: inbox.isQuiet,
    leave: inbox.leaveSession,
    abort: inbox.abort,
  };

  /** Processes that start together may be in each other's way here; the next day is soon enough. */
  async function prune(): Promise<void> {
    try {
      await recovery.prune();
    } catch (error) {
      log.error({ err: error }, "what is finished could not be removed; it is tried again");
    }
  }

  async function connect(platform: string): Promise<void> {
    if (parts.claims.isShared && !parts.isAlone) await recovery.recoverPlatform(platform);
    for (const channel of parts.channels.filter((one) => one.platform === platform)) {
      await channel.start(receive, welcome, (account) => outbox.wakeAccount({ platform, account }));
      if (parts.claims.isShared) await recovery.wakeOutbox(undefined).catch(inbox.reconcile);
    }
  }

  return {
    async start(session) {
      const workers: InboxWorkers = {
        dispatch: parts.dispatch,
        work(item, signal) {
          const job = hooks.findJob(item.kind);
          const own = job && "work" in job ? job : undefined;
          if (own?.whilePaused) return own.work(item, signal);
          if (!job && isFeatureJob(item)) return leaveUndone(item);
          return killSwitch.unlessPaused(item, () => (own ? own.work(item, signal) : parts.runTurn(item, signal)));
        },
        putAside: parts.putAside,
        async pickUp() {
          await tasks.recover(session);
          await inbox.takeUnfinished();
          await recovery.wakeOutbox(session);
        },
      };
      inbox.start(workers, session);
      if (parts.claims.isShared) {
        await recovery.recoverOwn(parts.isAlone);
        await prune();
      } else await recovery.recover(session);
      await parts.beside.start();
      await parts.claims.start(worker);
      hooks.opened();
      // One-shot commands serve one conversation; due work waits for the next start.
      if (session === undefined) hooks.start();
      await parts.channelClaims.start(async (platform) => {
        if (session === undefined || session.startsWith(`${platform}:`)) await connect(platform);
      });
    },
    async stop(graceMs) {
      work.leave();
      parts.stopping.abort();
      parts.waits.stop();
      parts.quarantine.open();
      await parked.stop();
      // Features begin nothing from here on; what they have begun ends in parallel to the rest.
      const stopped = hooks.stop();
      parts.channelClaims.close();
      await parts.claims.close();
      for (const channel of parts.channels) await channel.stopReceiving();
      await inbox.settled();
      await inbox.drain(graceMs);
      await stopped;
      await outbox.drain(sendGraceMs);
      await parts.claims.stop();
      for (const channel of parts.channels) await channel.stop();
      await outbox.settled();
      await parts.channelClaims.stop();
      await parts.beside.stop();
      work.close();
    },
    async prune() {
      await prune();
      hooks.daily();
    },
    pushToLane: inbox.pushToLane,
    endQuestion: parked.end,
    takeItem: inbox.take,
    reconcile: inbox.reconcile,
    isGroupOpen: parts.isGroupOpen,
    identify: parts.identify,
    endOpenQuestions: parts.endOpenQuestions,
    takeUnfinished: () => inbox.takeUnfinished().catch(inbox.reconcile),
    stopPerson: parts.stopPerson,
    endWork: (session) => void hooks.endWork(session),
    sweepOutgoing: recovery.sweepOutgoing,
    decide: (...decision) => inbox.withReconcile(parts.decide(...decision)),
    console: { ...parts.console, decide: (decision) => inbox.withReconcile(parts.console.decide(decision)) },
    sessions: parts.sessions,
    system: parts.system,
    measures: parts.measures,
    async applyPolicy(changedTools = []) {
      await parked.endForeignPolicies(parts.policy());
      await parked.endForTools(changedTools);
    },
  };
}
