import { createPeople } from "./people.ts";
import { crowd, person, type Subject } from "./subjects.ts";

/** Of SQLite and of one turn at a person's pace: while the log of the chats is quiet, and right after a burst of 200 turns. */
export interface SqlCounts {
  readonly calls: readonly [quiet: number, afterBurst: number];
  readonly commits: readonly [quiet: number, afterBurst: number];
}

interface Sums {
  readonly calls: number;
  readonly commits: number;
}

const warmTurns = 3;
const turns = 10;
const burstSentences = 10;

/** The subject must be a fresh one: what it said before fills its log. */
export async function countSql(subject: Subject): Promise<SqlCounts> {
  const people = createPeople(subject.fake);
  const running = await subject.start({ preload: "count-calls.mjs" });
  const countTurns = async (): Promise<Sums> => {
    const before = (await running.askPreload()) as Sums;
    await people.talk(person, turns);
    const after = (await running.askPreload()) as Sums;
    return { calls: (after.calls - before.calls) / turns, commits: (after.commits - before.commits) / turns };
  };
  await people.talk(person, warmTurns);
  const quiet = await countTurns();
  await people.burst(crowd, burstSentences);
  const afterBurst = await countTurns();
  await running.stop();
  return { calls: [quiet.calls, afterBurst.calls], commits: [quiet.commits, afterBurst.commits] };
}
