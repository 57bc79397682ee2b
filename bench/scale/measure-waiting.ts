import { openJobQueues } from "../../src/store/engines/open-job-queues.ts";
import { percentile } from "../statistics.ts";

export interface WaitingFigures {
  readonly waiting: number;
  readonly held: number;
  /** Of a fetch of 8. */
  readonly fetchP50Ms: number;
  readonly fetchP95Ms: number;
  /** Of one statement for all that are held. */
  readonly touchP50Ms: number;
  readonly touchP95Ms: number;
}

const held = 500;
/** Few, as a process takes them. */
const takenAtOnce = 8;
const offeredAtOnce = 1_000;
const fetches = 200;
const touches = 50;

/** What a worker asks of the queue, while so many conversations wait and one worker holds 500. */
export async function measureWaiting(url: string, waiting: number): Promise<WaitingFigures> {
  const queues = await openJobQueues({ url, schema: "kurisu_queue", onFault: console.error });
  try {
    const queue = await queues.open("session");
    const taken = fetches * takenAtOnce;
    const offered = waiting + taken / 2 + held;
    for (let from = 0; from < offered; from += offeredAtOnce)
      await queue.offer(
        Array.from({ length: Math.min(offeredAtOnce, offered - from) }, (_, index) => `${from + index}`),
      );
    const claims = await queue.take(held);
    const fetchMs: number[] = [];
    const touchMs: number[] = [];
    for (let count = 0; count < fetches; count += 1) {
      fetchMs.push(await time(() => queue.take(takenAtOnce)));
      if (count % (fetches / touches) === 0) touchMs.push(await time(() => queue.touch(claims)));
    }
    return {
      waiting,
      held: claims.length,
      fetchP50Ms: percentile(fetchMs, 0.5),
      fetchP95Ms: percentile(fetchMs, 0.95),
      touchP50Ms: percentile(touchMs, 0.5),
      touchP95Ms: percentile(touchMs, 0.95),
    };
  } finally {
    await queues.close();
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
