import type { Logger } from "pino";
import type { Summariser, SummaryOrder } from "./summariser.ts";
import type { TurnInput } from "../../kernel/agent/types.ts";
import type { Clock } from "../../core/clock.ts";
import { insertOwnJob, setInboxRunning, setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import type { Store } from "../../store/open-store.ts";
import type { Pause } from "../../store/queries/pause.ts";
import { isShutdown, type JobEnd } from "../../kernel/lanes/session-lanes.ts";

/**
 * The older part of a conversation is summarised in the background of its turns: no reply waits for it, and
 * conversations take turns.
 */
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
  /** Up to where the jobs go that have begun. */
  const targets = new Map<string, number>();
  /** Sessions that have one: a second would only take the place of another chat's. */
  const ordered = new Set<string>();
  return {
    async order({ language, person, session, turn }) {
      try {
        if (!(await summariser.prepare(session)) || ordered.has(session)) return;
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
        if (!item) return;
        ordered.add(session);
        parts.pushToLane(item);
      } catch (error) {
        log.warn({ err: error, session }, "a summary could not be ordered");
      }
    },
    async work(item, signal) {
      const order = JSON.parse(item.payload) as SummaryOrder;
      // The next start resumes it.
      if (isShutdown(signal)) return "ended";
      const upTo = targets.get(item.id);
      // A process that died may have asked for the same text.
      const payer = { ...order.payer, ...(item.state === "running" && upTo === undefined && { repeats: true }) };
      targets.delete(item.id);
      ordered.delete(item.session);
      try {
        if (!signal.aborted && !(await parts.findPause())) {
          await setInboxRunning(store.main, item.id);
          ordered.add(item.session);
          const next = await summariser.work({ ...order, payer }, signal, upTo);
          if (next !== undefined) {
            targets.set(item.id, next);
            return "again";
          }
          ordered.delete(item.session);
        }
      } catch (error) {
        ordered.delete(item.session);
        if (!signal.aborted) throw error;
        // The next start resumes it; a request to stop everything has stopped this, too.
        if (isShutdown(signal)) return "ended";
      }
      await setInboxState(store.main, item.id, "done", clock.now());
      return "ended";
    },
  };
}
