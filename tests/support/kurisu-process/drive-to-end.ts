import { setTimeout as pause } from "node:timers/promises";
import { lookIntoStore, openQuestions } from "./look-into-store.ts";
import type { KurisuProcess } from "./spawn-kurisu.ts";
import type { TelegramStory } from "./telegram-story.ts";

/** Says yes to a question; `before` is how often it was said already. */
export type SayYes = (story: TelegramStory, question: { readonly code: string }, before: number) => void;

/** A patient person: says yes whenever a question waits for it, until everything has come to rest or the process is gone. */
export async function driveToEnd(
  story: TelegramStory,
  kurisu: KurisuProcess,
  sayYes: SayYes,
  said: { count: number },
  timeoutMs = 40_000,
): Promise<"rest" | "gone"> {
  const { home } = story.folder;
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (kurisu.exit() !== undefined) return "gone";
    refuseTwoQuestions(home);
    const [question] = openQuestions(home);
    if (isListening(story) && question?.shown === true) {
      sayYes(story, question, said.count);
      said.count += 1;
    } else if (isAtRest(story)) return "rest";
    await pause(30);
  }
  throw new Error(`it did not come to rest: ${JSON.stringify(describeRest(home))}\n${kurisu.stderr()}`);
}

/** Everything people wrote was taken in and handled. */
function isListening({ fake, folder }: TelegramStory): boolean {
  if (fake.pendingUpdates().length > 0) return false;
  const rows = lookIntoStore(folder.home, "select state from inbox");
  return rows.length > 0 && rows.every(({ state }) => state === "done" || state === "dead");
}

function isAtRest(story: TelegramStory): boolean {
  return isListening(story) && Object.values(describeRest(story.folder.home)).every((rows) => rows.length === 0);
}

/** What is left to be done; all empty once the story is over. */
export function describeRest(home: string) {
  return {
    inbox: lookIntoStore(home, "select id, state from inbox where state not in ('done', 'dead')"),
    turns: lookIntoStore(home, "select id, state from turns where state <> 'ended'"),
    questions: lookIntoStore(home, "select id from questions where state = 'open'"),
    outbox: lookIntoStore(home, "select id, state from outbox where state not in ('sent', 'dead')"),
    checkpoints: lookIntoStore(home, "select distinct thread from checkpoints", "checkpoints.db"),
  };
}

function refuseTwoQuestions(home: string): void {
  const twice = lookIntoStore(
    home,
    "select turn from questions where state = 'open' group by turn having count(*) > 1",
  );
  if (twice.length > 0) throw new Error(`two questions are open for one turn: ${JSON.stringify(twice)}`);
}
