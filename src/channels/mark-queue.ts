import { sleep } from "../core/abort.ts";
import type { ChatAddress, Mark } from "./types.ts";

/** How marks are paced, milliseconds: they are the first thing to be left out. */
export interface MarkPace {
  /** A message that is answered within this time gets no mark at all. */
  readonly patienceMs: number;
  /** Between two marks in one chat. */
  readonly everyMs: number;
}

export const defaultMarkPace: MarkPace = { patienceMs: 1_000, everyMs: 1_000 };

/** Puts one mark. Answers after how many milliseconds it may be tried again; undefined = it is there, or never will be. */
type PutMark = (address: ChatAddress, messageId: string, mark: Mark) => Promise<number | undefined>;

interface Waiting {
  readonly address: ChatAddress;
  readonly mark: Mark;
  readonly tries: number;
  /** performance.now() */
  readonly dueAt: number;
}

const maxTries = 10;
/** Of one chat; who is flooded marks no more. */
const maxWaiting = 50;

/** Marks of one platform: one lane a chat, one request at a time, and of each message only the newest mark. Never throws. */
export function createMarkQueue(parts: {
  readonly put: PutMark;
  readonly pace: MarkPace;
  readonly signal: AbortSignal;
}): (address: ChatAddress, messageId: string, mark: Mark) => Promise<void> {
  const { put, pace, signal } = parts;
  const lanes = new Map<string, Map<string, Waiting>>();

  async function work(key: string, lane: Map<string, Waiting>): Promise<void> {
    for (let next = pick(lane); next !== undefined && !signal.aborted; next = pick(lane)) {
      const [messageId, waiting] = next;
      const left = waiting.dueAt - performance.now();
      if (left > 0) {
        // A waiting mark may be dropped meanwhile, so it is picked anew.
        await sleep(left, signal, { ref: false });
        continue;
      }
      lane.delete(messageId);
      const againMs = await put(waiting.address, messageId, waiting.mark);
      const tries = waiting.tries + 1;
      if (againMs !== undefined && tries < maxTries && !lane.has(messageId)) {
        lane.set(messageId, { ...waiting, tries, dueAt: performance.now() + againMs });
      }
      await sleep(Math.max(againMs ?? 0, pace.everyMs), signal, { ref: false });
    }
    lanes.delete(key);
  }

  return (address, messageId, mark) => {
    const key = `${address.account} ${address.chat}`;
    const lane = lanes.get(key) ?? new Map<string, Waiting>();
    // Answered before its mark was tried: nothing has to be shown, and nothing taken away.
    const before = lane.get(messageId);
    const isUnseen = before?.mark === "seen" && before.tries === 0 && mark !== "failed";
    if (isUnseen) lane.delete(messageId);
    const isFull = lane.size >= maxWaiting && mark === "seen";
    if (signal.aborted || isFull || isUnseen) return Promise.resolve();
    const dueAt = performance.now() + (mark === "seen" ? pace.patienceMs : 0);
    lane.set(messageId, { address, mark, tries: 0, dueAt });
    if (!lanes.has(key)) {
      lanes.set(key, lane);
      void work(key, lane);
    }
    return Promise.resolve();
  };
}

/** The mark that is due first. */
function pick(lane: ReadonlyMap<string, Waiting>): readonly [messageId: string, waiting: Waiting] | undefined {
  let first: readonly [string, Waiting] | undefined;
  for (const entry of lane) if (first === undefined || entry[1].dueAt < first[1].dueAt) first = entry;
  return first;
}
