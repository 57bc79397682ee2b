import type { Logger } from "pino";
import type { Summariser, SummaryOrder } from "../../agents/context/summariser.ts";
import type { TurnInput } from "../../agents/types.ts";
import type { Clock } from "../../core/clock.ts";
import { insertOwnJob, setInboxRunning, setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import type { Store } from "../../store/open-store.ts";
import type { Pause } from "../../store/queries/pause.ts";
import { isShutdown, type JobEnd } from "../lanes/session-lanes.ts";

/** The older part of a conversation is summarised beside its turns: one conversation at a time, and nobody waits for it. */
export interface SummaryJobs {
  /** Orders one, if there is need. Never throws: the next turn looks again. */
  order(input: TurnInput): Promise<void>;
  work(item: InboxItem, signal: AbortSignal): Promise<JobEnd>;
}

export function createSummaryJobs(parts: {
  readonly store: Store;
  readonly summariser: Summariser;
  readonly findPause: () => Promise<Pause | undefined>;
  readonly pushToLane: (item: InboxItem) => void;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
}): SummaryJobs {
  const { store, summariser, clock, log } = parts;
  return {
    async order({ language, person, session, turn }) {
      try {
        if (!(await summariser.isNeeded(session))) return;
        const payload: SummaryOrder = {
          session,
          language,
          payer: { id: person.id, owner: person.role === "owner", chat: session },
        };
        const job = {
          eventKey: `summary:${turn}`,
          session,
          kind: "summary",
          payload: JSON.stringify(payload),
        } as const;
        const item = await insertOwnJob(store.main, { ...job, now: clock.now() });
        if (item) parts.pushToLane(item);
      } catch (error) {
        log.warn({ err: error, session }, "a summary could not be ordered");
      }
    },
    async work(item, signal) {
      const order = JSON.parse(item.payload) as SummaryOrder;
      // A process that died may have asked for the same text.
      const payer = { ...order.payer, ...(item.state === "running" && { repeats: true }) };
      try {
        if (!signal.aborted && !(await parts.findPause())) {
          await setInboxRunning(store.main, item.id);
          await summariser.work({ ...order, payer }, signal);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
        // The next start goes on with it; whoever stopped everything stopped this, too.
        if (isShutdown(signal)) return "ended";
      }
      await setInboxState(store.main, item.id, "done", clock.now());
      return "ended";
    },
  };
}
