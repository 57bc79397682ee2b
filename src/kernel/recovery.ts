import type { Clock } from "../core/clock.ts";
import type { Store } from "../store/open-store.ts";
import { findOutboxItem } from "../store/queries/outbox.ts";
import { listTurns } from "../store/queries/turns.ts";
import type { CallHooks } from "./feature/call-hooks.ts";
import type { InboxDispatcher } from "./lanes/inbox-dispatcher.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { OutgoingFiles } from "./outbox/outgoing-files.ts";
import type { KillSwitch } from "./pause/kill-switch.ts";
import type { ParkedTurns } from "./questions/parked-turns.ts";
import type { Tasks } from "./tasks/tasks.ts";
import type { Quarantine } from "./recovery/quarantine.ts";
import type { SettleDeath } from "./recovery/settle-death.ts";

/** How long finished work is kept: 14 days. */
const keptMs = 14 * 24 * 3_600_000;

/** Recovers everything that the last process left, at startup. */
export interface Recovery {
  /** Runs before anything new is accepted. `session` restricts it to one session. */
  recover(session: string | undefined): Promise<void>;
  /** The same at the start of a process that may have others beside it: touches no session. */
  recoverOwn(isAlone: boolean): Promise<void>;
  /** Recovers what the last holder of a session left, before its rows are taken. */
  recoverSession(session: string): Promise<void>;
  /** Isolates messages whose sending killed a process, before this process connects to their platform. */
  recoverPlatform(platform: string): Promise<void>;
  /** Recovers the rest of a session that this process has not recovered yet. */
  takeUp(session: string): Promise<void>;
  /** Sends what is ready, for one session or for all. */
  wakeOutbox(session: string | undefined): Promise<void>;
  /** Removes work that finished long ago. */
  prune(): Promise<void>;
  /** Removes outgoing files whose message is gone. */
  sweepOutgoing(): Promise<void>;
}

export function createRecovery(parts: {
  readonly store: Store;
  readonly hooks: Pick<CallHooks, "cleanUp">;
  readonly inbox: Pick<InboxDispatcher, "takeUnfinished">;
  readonly killSwitch: Pick<KillSwitch, "recover" | "recoverSession" | "sweep">;
  readonly outbox: Pick<Outbox, "wake" | "wakeAll">;
  readonly outgoing: Pick<OutgoingFiles, "sweep">;
  readonly parked: Pick<ParkedTurns, "endForeignPolicies" | "remind" | "watch">;
  readonly policy: () => string;
  readonly quarantine: Pick<Quarantine, "begin">;
  readonly settleDeath: SettleDeath;
  readonly tasks: Pick<Tasks, "recover">;
  /** Turns that wait for a model to answer again. */
  readonly waits: { recover(): Promise<void> };
  readonly clock: Clock;
}): Recovery {
  const { store, inbox, outbox, parked, tasks } = parts;
  const isWanted = async (id: string) => (await findOutboxItem(store.main, id))?.state === "pending";
  const sweepOutgoing = () => parts.outgoing.sweep(isWanted);
  const prune = () => store.prune(parts.clock.now() - keptMs);

  async function wakeOutbox(session: string | undefined): Promise<void> {
    if (session === undefined) await outbox.wakeAll();
    else outbox.wake(session);
  }

  async function sweepCheckpoints(): Promise<void> {
    const living = await listTurns(store.main, ["running", "parked"]);
    await store.checkpointWriter.sweep(living.map((turn) => turn.id));
  }

  return {
    async recover(session) {
      await sweepCheckpoints();
      await parts.settleDeath.writeDown();
      parts.quarantine.begin(await parts.settleDeath.judge(session));
      await parts.hooks.cleanUp();
      if (session === undefined) await prune();
      await parked.endForeignPolicies(parts.policy(), session);
      await parts.killSwitch.recover();
      await tasks.recover(session);
      await parts.waits.recover();
      await inbox.takeUnfinished();
      await parked.watch(session);
      if (session === undefined) await parked.remind();
      if (session === undefined) await sweepOutgoing();
      await wakeOutbox(session);
    },
    async recoverOwn(isAlone) {
      await parts.settleDeath.writeDown();
      if (isAlone) await sweepCheckpoints();
      parts.quarantine.begin(isAlone ? await parts.settleDeath.judge() : []);
      await parts.hooks.cleanUp();
      await parts.killSwitch.sweep();
      await parked.watch();
      if (isAlone) await parked.remind();
      await sweepOutgoing();
      await wakeOutbox(undefined);
    },
    async recoverSession(session) {
      // A row that was in progress at only one death is most likely innocent, and a cell makes all other chats wait.
      parts.quarantine.begin(await parts.settleDeath.judge(session, 2));
      await parked.endForeignPolicies(parts.policy(), session);
      await parts.killSwitch.recoverSession(session);
      await tasks.recover(session);
      await parts.waits.recover();
    },
    async recoverPlatform(platform) {
      parts.quarantine.begin(await parts.settleDeath.judgeMessages(platform));
    },
    async takeUp(session) {
      await parked.endForeignPolicies(parts.policy(), session);
      await tasks.recover(session);
      await inbox.takeUnfinished();
      await parked.watch(session);
    },
    wakeOutbox,
    prune,
    sweepOutgoing,
  };
}
