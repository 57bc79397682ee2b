import type { Logger } from "pino";
import type { FactOrder, FactReader } from "./facts/fact-reader.ts";
import type { TurnInput } from "../../kernel/agent/types.ts";
import type { Clock } from "../../core/clock.ts";
import type { FactSpeaker } from "./queries/fact-sources.ts";
import { insertOwnJob, setInboxRunning, setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import type { Store } from "../../store/open-store.ts";
import type { Pause } from "../../store/queries/pause.ts";
import { isShutdown, type JobEnd } from "../../kernel/lanes/session-lanes.ts";

/** A model extracts facts from people's messages in parallel with their turns; no reply waits for it. */
export interface FactJobs {
  /**
   * Enough messages of the speaker are waiting: the job is ordered when their turn has ended. After a crash later
   * messages order it again.
   */
  noteDue(speaker: FactSpeaker): void;
  /** Never throws. */
  order(input: TurnInput): Promise<void>;
  work(item: InboxItem, signal: AbortSignal): Promise<JobEnd>;
}

export function createFactJobs(parts: {
  readonly store: Pick<Store, "main">;
  readonly factReader: FactReader;
  readonly findPause: () => Promise<Pause | undefined>;
  readonly pushToLane: (item: InboxItem) => void;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
}): FactJobs {
  const { store, clock, log } = parts;
  const due = new Map<string, FactSpeaker>();
  const nameOf = (session: string, person: string) => `${session} ${person}`;
  return {
    noteDue(speaker) {
      due.set(nameOf(speaker.session, speaker.person), speaker);
    },
    async order({ language, person, session, turn }) {
      const name = nameOf(session, person.id);
      const speaker = due.get(name);
      if (speaker === undefined) return;
      due.delete(name);
      try {
        const payload: FactOrder = {
          ...speaker,
          language,
          payer: { id: person.id, owner: person.role === "owner", chat: session },
        };
        const job = { eventKey: `facts:${turn}`, session, kind: "facts", payload: JSON.stringify(payload) } as const;
        const item = await insertOwnJob(store.main, { ...job, now: clock.now() });
        if (item) parts.pushToLane(item);
      } catch (error) {
        log.warn({ err: error, session }, "what was said could not be given to a model that looks for facts");
      }
    },
    async work(item, signal) {
      const order = JSON.parse(item.payload) as FactOrder;
      // The next start resumes it.
      if (isShutdown(signal)) return "ended";
      // A process that died may have asked for the same.
      const payer = { ...order.payer, ...(item.state === "running" && { repeats: true }) };
      try {
        if (!signal.aborted && !(await parts.findPause())) {
          await setInboxRunning(store.main, item.id);
          await parts.factReader.read({ ...order, payer }, signal);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
        // The next start resumes it; a request to stop everything has stopped this, too.
        if (isShutdown(signal)) return "ended";
      }
      await setInboxState(store.main, item.id, "done", clock.now());
      return "ended";
    },
  };
}
