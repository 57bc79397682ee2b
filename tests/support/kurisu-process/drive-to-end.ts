import { setTimeout as pause } from "node:timers/promises";
import type { StorePlace } from "../../../src/store/open-store.ts";
import { lookIntoStore, openQuestions } from "./look-into-store.ts";
import type { KurisuProcess } from "./spawn-kurisu.ts";
import type { TelegramStory } from "./telegram-story.ts";
import { patienceMs } from "../patience.ts";

/** Says yes to a question; `before` is how often it was said already. */
export type SayYes = (story: TelegramStory, question: { readonly code: string }, before: number) => void;

/** A patient person: says yes whenever a question waits for it, until everything has come to rest or the process is gone. */
export async function driveToEnd(
  story: TelegramStory,
  kurisu: KurisuProcess,
  sayYes: SayYes,
  said: { count: number },
  timeoutMs = patienceMs,
): Promise<"rest" | "gone"> {
  const { folder } = story;
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (kurisu.exit() !== undefined) return "gone";
    await refuseTwoQuestions(folder);
    const [question] = await openQuestions(folder);
    if ((await isListening(story)) && question?.shown === true) {
      sayYes(story, question, said.count);
      said.count += 1;
    } else if (await isAtRest(story)) return "rest";
    await pause(100);
  }
  throw new Error(`it did not come to rest: ${JSON.stringify(await describeRest(folder))}\n${kurisu.stderr()}`);
}

/** Everything people wrote was taken in and handled. */
async function isListening({ fake, folder }: TelegramStory): Promise<boolean> {
  if (fake.pendingUpdates().length > 0) return false;
  const rows = await lookIntoStore(folder, "select state from inbox");
  return rows.length > 0 && rows.every(({ state }) => state === "done" || state === "dead");
}

async function isAtRest(story: TelegramStory): Promise<boolean> {
  if (!(await isListening(story))) return false;
  return Object.values(await describeRest(story.folder)).every((rows) => rows.length === 0);
}

/** What is left to be done; all empty once the story is over. */
export async function describeRest(place: StorePlace) {
  return {
    inbox: await lookIntoStore(place, "select id, state from inbox where state not in ('done', 'dead')"),
    turns: await lookIntoStore(place, "select id, state from turns where state <> 'ended'"),
    questions: await lookIntoStore(place, "select id from questions where state = 'open'"),
    outbox: await lookIntoStore(place, "select id, state from outbox where state not in ('sent', 'dead')"),
    checkpoints: await lookIntoStore(place, "select distinct thread from checkpoints", "checkpoints.db"),
  };
}

async function refuseTwoQuestions(place: StorePlace): Promise<void> {
  const twice = await lookIntoStore(
    place,
    "select turn from questions where state = 'open' group by turn having count(*) > 1",
  );
  if (twice.length > 0) throw new Error(`two questions are open for one turn: ${JSON.stringify(twice)}`);
}
