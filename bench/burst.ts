import { usualLimits } from "../tests/support/telegram/fake-limits.ts";
import { openGround } from "./floor.ts";
import { createPeople, type Faults } from "./floor/people.ts";
import { crowd, openKurisu, type KurisuOptions, type Subject } from "./floor/subjects.ts";
import { median, percentile } from "./statistics.ts";

const sentences = 10;
const messages = crowd.length * sentences;
/** The messages that our configuration lets a chat send at once; then it is one a second. */
const burst = 4;
/** The model takes six pieces for an answer, so that there is something to preview. */
const pieceMs = 40;
/** How much longer than the limits demand the burst may take: the first reaction, typing and draft of a chat count, too. */
const mostOver = 2;

interface BurstFigures {
  readonly name: string;
  readonly seconds: number;
  readonly waitP50Ms: number;
  readonly waitP95Ms: number;
  readonly refused: number;
  readonly impatient: number;
  readonly drafts: number;
  readonly shed: number;
  readonly faults: Faults;
}

/**
 * 20 chats say 10 sentences each at once, on a Telegram that lets 30 messages a second through, and in each chat one with
 * short bursts. Beside it the same without a pace of our own: what comes too fast is refused there and comes again.
 */
export async function measureBurst(): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const ground = await openGround(stack, pieceMs);
  const measure = async (options: KurisuOptions) =>
    measureOne(await openKurisu(ground, { ...options, limits: usualLimits, logLevel: "debug" }));
  const paced = await measure({ name: "with the pace", paced: true });
  const free = await measure({ name: "without a pace" });
  print([paced, free]);
  // The first `burst` messages of a chat leave at once.
  const demanded = Math.max((sentences - burst) / usualLimits.chatPerSecond, messages / usualLimits.perSecond - 1);
  const over = paced.seconds / demanded;
  const { lost, doubled, reordered } = paced.faults;
  console.log(
    `\nThe limits alone demand ${demanded.toFixed(1)} s; it took ${over.toFixed(2)} times as long (at most ${mostOver}).`,
  );
  return over <= mostOver && paced.refused + paced.impatient + lost + doubled + reordered === 0;
}

async function measureOne(subject: Subject): Promise<BurstFigures> {
  console.error(`measuring ${subject.name} …`);
  const people = createPeople(subject.fake);
  const running = await subject.start();
  const tookMs = await people.burst(crowd, sentences);
  await running.stop();
  const waits = people.waits();
  return {
    name: subject.name,
    seconds: tookMs / 1_000,
    waitP50Ms: median(waits),
    waitP95Ms: percentile(waits, 0.95),
    refused: subject.fake.refusedByLimits(),
    impatient: subject.fake.impatient.length,
    drafts: subject.fake.drafts.length,
    shed: subject.readLog().split("a preview was not shown").length - 1,
    faults: people.faults(),
  };
}

type Row = readonly [what: string, show: (figures: BurstFigures) => string];

const rows: readonly Row[] = [
  ["messages a second", ({ seconds }) => (messages / seconds).toFixed(1)],
  ["all answered after, s", ({ seconds }) => seconds.toFixed(1)],
  [
    "from a sentence to its answer, p50 / p95 s",
    ({ waitP50Ms, waitP95Ms }) => `${toSeconds(waitP50Ms)} / ${toSeconds(waitP95Ms)}`,
  ],
  ["429 seen", ({ refused }) => String(refused)],
  ["sent while told to wait", ({ impatient }) => String(impatient)],
  ["drafts shown, drafts left out", ({ drafts, shed }) => `${drafts}, ${shed}`],
  ["lost, doubled, reordered", ({ faults: { lost, doubled, reordered } }) => `${lost}, ${doubled}, ${reordered}`],
];

const toSeconds = (ms: number): string => (ms / 1_000).toFixed(1);

function print(all: readonly BurstFigures[]): void {
  console.log(`| | ${all.map(({ name }) => name).join(" | ")} |\n|---|${"---|".repeat(all.length)}`);
  for (const [what, show] of rows) console.log(`| ${what} | ${all.map(show).join(" | ")} |`);
}
