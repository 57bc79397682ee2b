import { measureQueue, isKept, printQueue, type QueueSize } from "./scale/measure-queue.ts";
import { measureWaiting } from "./scale/measure-waiting.ts";
import { openServer } from "./scale/open-server.ts";
import { measureWorkers } from "./scale/measure-workers.ts";

/** Sizes that `--NAME=NUMBER` changes. */
const queueSize = {
  sessions: 10_000,
  messages: 1_000_000,
  workers: 4,
  "max-turns": 16,
  "pause-ms": 50,
  /** Messages between two troubles. */
  "every-messages": 60_000,
  "freeze-ms": 30_000,
  waiting: 20_000,
};
const workersSize = { chats: 60, sentences: 10, "model-ms": 500, slots: 16, "few-slots": 4 };

/**
 * What several processes on one Postgres do. `queue`: the claims and the tables, with simulated workers and platforms.
 * `workers`: real processes of the product, one worker beside two. Without a part both.
 */
export async function measureScale(options: readonly string[]): Promise<boolean> {
  const [queue, workers] = [readSizes(options, queueSize), readSizes(options, workersSize)];
  const known = new Set([...Object.keys(queueSize), ...Object.keys(workersSize)].map((name) => `--${name}`));
  const strange = options.filter((option) => option.startsWith("--") && !known.has(option.split("=")[0] ?? ""));
  if (strange.length > 0) {
    console.error(
      `There is no option ${strange.join(" ")}; there are: ${[...known].map((name) => `${name}=NUMBER`).join(" ")}`,
    );
    return false;
  }
  const parts = options.filter((option) => !option.startsWith("--"));
  const wants = (part: string): boolean => parts.length === 0 || parts.includes(part);
  await using stack = new AsyncDisposableStack();
  const createDatabase = await openServer(stack);
  if (createDatabase === undefined) return false;
  let kept = true;
  if (wants("queue")) {
    const figures = await measureQueue((await createDatabase()).url, toQueueSize(queue), note);
    printQueue(figures);
    kept &&= isKept(figures);
    const { fetchP50Ms, fetchP95Ms, held, touchP50Ms, touchP95Ms, waiting } = await measureWaiting(
      (await createDatabase()).url,
      queue.waiting,
    );
    console.log(
      `| with ${waiting} conversations waiting: a fetch of 8, p50 / p95 ms | ${show(fetchP50Ms, fetchP95Ms)} |`,
    );
    console.log(`| a touch of ${held} held, p50 / p95 ms | ${show(touchP50Ms, touchP95Ms)} |\n`);
  }
  if (wants("workers")) kept = (await measureWorkers(stack, createDatabase, toWorkersSize(workers))) && kept;
  return kept;
}

const note = (text: string): void => console.error(`${new Date().toISOString()} ${text}`);
const show = (...values: readonly number[]): string => values.map((value) => value.toFixed(1)).join(" / ");

function toQueueSize(size: typeof queueSize): QueueSize {
  const { "every-messages": everyMessages, "freeze-ms": freezeMs, "max-turns": maxTurns, "pause-ms": pauseMs } = size;
  const { messages, sessions, workers } = size;
  return { messages, sessions, workers, everyMessages, freezeMs, maxTurns, pauseMs };
}

function toWorkersSize({ chats, "few-slots": fewSlots, "model-ms": modelMs, sentences, slots }: typeof workersSize) {
  return { chats, fewSlots, modelMs, sentences, slots };
}

function readSizes<Sizes extends Readonly<Record<string, number>>>(options: readonly string[], sizes: Sizes): Sizes {
  const given = options.flatMap((option) => {
    const [, name = "", number] = /^--([\w-]+)=(\d+)$/.exec(option) ?? [];
    return name in sizes ? [[name, Number(number)]] : [];
  });
  return { ...sizes, ...Object.fromEntries(given) };
}
