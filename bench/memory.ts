import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recallMemories } from "../src/features/memory/people/recall-memories.ts";
import type { MemoryScope } from "../src/features/memory/scope.ts";
import { findWords } from "../src/store/search/find-words.ts";
import type { Store } from "../src/store/open-store.ts";
import { openStore } from "../tests/support/open-store.ts";
import { insertMemory } from "../src/features/memory/queries/write-memories.ts";
import { measureLocomo } from "./locomo.ts";
import { median, percentile } from "./statistics.ts";

/** The promise: what others have told costs nobody anything. */
const maxRatio = 1.3;
const own = 5_000;
const others = 100_000;
const people = 500;
const rounds = 40;
const now = Date.UTC(2026, 10, 22);

/** npm run bench memory: what a recall costs beside the memories of others, then how well the chat log is found (LoCoMo). */
export async function measureMemory(options: readonly string[]): Promise<boolean> {
  const isCheap = await measureCost(options.includes("--quick"));
  return (await measureLocomo(options)) && isCheap;
}

async function measureCost(isQuick: boolean): Promise<boolean> {
  const share = isQuick ? 10 : 1;
  const home = mkdtempSync(join(tmpdir(), "kurisu-memory-"));
  const store = await openStore({ home });
  try {
    await fill(store, "t:me", own / share);
    await timeRecalls(store);
    const alone = await timeRecalls(store);
    for (let one = 0; one < people; one += 1) await fill(store, `t:${one}`, others / people / share);
    await timeRecalls(store);
    const among = await timeRecalls(store);
    const ratio = median(among) / median(alone);
    const show = (times: readonly number[]) =>
      `${median(times).toFixed(2)} ms (95 %: ${percentile(times, 0.95).toFixed(2)} ms)`;
    console.log(`recall of one person's ${own / share} memories, alone: ${show(alone)}`);
    console.log(`with ${others / share} of ${people} others beside them: ${show(among)}, ${ratio.toFixed(2)} times`);
    return ratio <= maxRatio;
  } finally {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const scopeOf = (person: string): MemoryScope => ({
  account: person,
  name: person,
  accounts: [person],
  place: "",
  persona: "kurisu",
});

const whos = "我,妹妹,同事,室友,老板,邻居,表哥,导师".split(",");
const doings = "喜欢,讨厌,买了,弄丢了,提到过,想要,修好了,送出去了,画过,研究".split(",");
const things =
  "咖啡,相机,吉他,显微镜,围巾,自行车,拼图,键盘,多肉,耳机,雨伞,小说,唱片,茶壶,滑板,帐篷,望远镜,陶器,口琴,风筝".split(
    ",",
  );
const hows = "上周末,去年夏天,每天早上,在杭州,在图书馆,因为便宜,因为好看,跟朋友一起,下雨的时候,考试之前".split(",");

/** Everybody says the same kind of things, so that each word is in the lists of all. */
async function fill(store: Store, person: string, count: number): Promise<void> {
  const { account, name, persona, place } = scopeOf(person);
  for (let from = 0; from < count; from += 500)
    await store.main.transaction().execute(async (tx) => {
      for (let at = from; at < Math.min(count, from + 500); at += 1) {
        const content = `${hows[at % 10]}${whos[Math.floor(at / 10) % 8]}${doings[Math.floor(at / 80) % 10]}${things[Math.floor(at / 7) % 20]}，第${at}次`;
        await insertMemory(tx, {
          person: account,
          name,
          place,
          persona,
          category: "fact",
          slot: null,
          value: null,
          content,
          importance: 0.5,
          confidence: 1,
          pinned: false,
          taint: "user",
          sources: [],
          origin: "said",
          sourceLog: null,
          validFrom: now - at * 60_000,
          words: findWords(content),
          now,
        });
      }
    });
}

async function timeRecalls(store: Store): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const question = `${things[round % 20]}是谁${doings[round % 10]}的`;
    const started = performance.now();
    await recallMemories(store.main, scopeOf("t:me"), question, { limit: 5, now });
    times.push(performance.now() - started);
  }
  return times;
}
