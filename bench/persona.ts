import { join } from "node:path";
import { createMatchLorebook } from "../src/core/persona/lorebook/match-lorebook.ts";
import { readLorebook } from "../src/core/persona/lorebook/read-lorebook.ts";
import { loadPersona } from "../src/core/persona/load-persona.ts";
import { createSpokenPersona } from "../src/core/persona/spoken-persona.ts";
import { judgeReply } from "../src/core/persona/validate-reply.ts";
import { projectFolder } from "../src/core/project-folder.ts";
import { judgeUnseen, printVerdicts } from "./persona-verdicts.ts";
import { median } from "./statistics.ts";

/** What ten times as much may cost at most, in times: linear with room for a noisy machine. */
const maxGrowth = 20;
/** Patterns that were compiled for each judge once took most of a turn. */
const maxMade = 0.1;
const rounds = 15;
const sentences = [
  "海马体先把它当成一段情节，睡着以后再慢慢搬到皮层去。",
  "别问我为什么，数据就是这么说的。",
  "The control group did nothing, which is the point of it.",
  "……行了，先把手洗干净再碰我的样本。",
];
const lengths = [200, 2_000, 20_000];
const sizes = [50, 500, 5_000];
const searchedMessages = 40;

/** Validation of replies and matching of lorebooks at three sizes each; true = both grow linearly. */
export async function measurePersona(): Promise<boolean> {
  const loaded = loadPersona(join(projectFolder, "config", "personas", "kurisu"), {});
  if (loaded.kind === "faulty") throw new Error("the shipped persona has faults");
  const { persona } = loaded;
  printVerdicts(judgeUnseen(persona));
  const judged = lengths.map((length) => {
    const reply = fill(length);
    return measure(() => judgeReply(reply, createSpokenPersona(() => persona)("", "zh").createJudge({ acted: true })));
  });
  report("validation of a reply, characters", lengths, judged);
  const matched = sizes.map((size) => {
    const match = makeBook(size);
    const messages = sayKeys(size);
    const talk = { messages, count: messages.length, replies: 0, chance: () => 0 };
    return measure(() => match(talk));
  });
  report(`lorebook beside ${searchedMessages} messages that say a key of each entry, entries`, sizes, matched);
  const spoken = createSpokenPersona(() => persona)("", "zh");
  const made = measure(() => spoken.createJudge({ acted: true })) / (judged[0] ?? 0);
  console.log(
    `A judge is made three times a turn; once takes ${(100 * made).toFixed(1)} % of the first row (at most ${100 * maxMade} %).`,
  );
  return (
    made <= maxMade &&
    [judged, matched].every((times) =>
      times.every((time, at) => at === 0 || time / (times[at - 1] ?? time) < maxGrowth),
    )
  );
}

function fill(length: number): string {
  let text = "";
  for (let at = 0; text.length < length; at += 1) text += `${sentences[at % sentences.length] ?? ""}${at}。`;
  return text.slice(0, length);
}

/** Messages that say one key of every entry, each entry's in one of them. */
function sayKeys(size: number): readonly string[] {
  return Array.from({ length: searchedMessages }, (_, message) => {
    const places = Array.from(
      { length: Math.ceil(size / searchedMessages) },
      (__, at) => message + at * searchedMessages,
    );
    return `${places.map((place) => `人物${place}号`).join("、")}。${sentences[message % sentences.length] ?? ""}`;
  });
}

/** Entries of three keys each; all messages are searched. */
function makeBook(size: number) {
  const entries = Array.from({ length: size }, (_, at) => ({
    keys: [`人物${at}号`, `place ${at} of many`, `物件${at}`],
    content: `第 ${at} 条：这里写着一段不长不短的背景。`,
  }));
  const read = readLorebook({ entries, recursive_scanning: true, scan_depth: searchedMessages });
  if (read.kind === "refused") throw new Error(read.problem);
  return createMatchLorebook(read.lorebook);
}

function measure(work: () => unknown): number {
  for (let round = 0; round < rounds; round += 1) work();
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return median(times);
}

function report(what: string, amounts: readonly number[], times: readonly number[]): void {
  console.log(`| ${what} | median | of the one before |\n|---|---|---|`);
  times.forEach((time, at) => {
    const before = times[at - 1];
    const ratio = before === undefined ? "" : `${(time / before).toFixed(1)} times`;
    console.log(`| ${amounts[at] ?? 0} | ${time.toFixed(2)} ms | ${ratio} |`);
  });
  console.log("");
}
