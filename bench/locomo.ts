import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { projectFolder } from "../src/core/project-folder.ts";
import { rankLog } from "../src/features/chatlog/rank-log.ts";
import { englishStopWords } from "../src/store/search/english-words.ts";
import type { Store } from "../src/store/open-store.ts";
import { openStore } from "../tests/support/open-store.ts";
import { addLogChat, appendToLog } from "../src/features/chatlog/queries/append-to-log.ts";
import { median, percentile } from "./statistics.ts";

/** The promise: evidence recall@10 of the categories 1 to 4, of the half that nothing was tuned on, too. */
const minRecall = 0.68;
const depths = [5, 10, 20] as const;
const names = ["multi-hop", "temporal", "open-domain", "single-hop"] as const;
const apartMs = 30_000;
const dayMs = 86_400_000;

const turn = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});
const sample = z.object({
  conversation: z.record(z.string(), z.unknown()),
  qa: z.array(z.object({ question: z.coerce.string(), category: z.int(), evidence: z.array(z.string()).default([]) })),
});

interface Talk {
  readonly messages: readonly {
    readonly key: string;
    readonly name: string;
    readonly text: string;
    readonly at: number;
  }[];
  readonly questions: readonly {
    readonly text: string;
    readonly category: number;
    readonly evidence: readonly string[];
  }[];
}

interface Result {
  readonly category: number;
  readonly isHeld: boolean;
  /** The rank of each message that proves the answer; Infinity = nowhere. */
  readonly places: readonly number[];
  readonly ms: number;
}

/**
 * LoCoMo (Maharana et al. 2024, CC BY-NC 4.0), read where it lies: which share of the messages that prove an answer is among
 * the first ten of the ranking. The weights of the ranking were chosen on every second conversation.
 */
export async function measureLocomo(options: readonly string[]): Promise<boolean> {
  const given = options.find((option) => option.startsWith("--locomo="))?.slice("--locomo=".length);
  const path = given ?? join(projectFolder, "..", "shared", "data", "locomo10.json");
  if (!existsSync(path)) {
    console.log(`LoCoMo was NOT measured: there is no ${path}. Name the file: npm run bench memory -- --locomo=FILE`);
    return given === undefined;
  }
  const talks = z
    .array(sample)
    .parse(JSON.parse(readFileSync(path, "utf8")))
    .map(readTalk);
  const home = mkdtempSync(join(tmpdir(), "kurisu-bench-"));
  const store = await openStore({ home });
  try {
    const plain: Result[] = [];
    const ours: Result[] = [];
    for (const [index, talk] of talks.entries()) {
      const isHeld = index % 2 === 1;
      plain.push(...measure(talk, isHeld, createPlainRanking(talk)));
      ours.push(...(await measureOurs(store, talk, isHeld)));
    }
    console.log(
      "| LoCoMo | questions | recall@5 | @10 | @20 | MRR | median ms | p95 |\n|---|---|---|---|---|---|---|---|",
    );
    print("plain BM25, all", plain);
    print("ours, all", ours);
    print(
      "plain BM25, not tuned on",
      plain.filter(({ isHeld }) => isHeld),
    );
    print(
      "ours, not tuned on",
      ours.filter(({ isHeld }) => isHeld),
    );
    for (const [at, name] of names.entries())
      print(
        `ours, ${name}`,
        ours.filter(({ category }) => category === at + 1),
      );
    const held = ours.filter(({ isHeld }) => isHeld);
    return measureRecall(ours, 10) >= minRecall && measureRecall(held, 10) >= minRecall;
  } finally {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function readTalk({ conversation, qa }: z.output<typeof sample>): Talk {
  const messages: Talk["messages"][number][] = [];
  for (let session = 1; `session_${session}` in conversation; session += 1) {
    const start = readDate(String(conversation[`session_${session}_date_time`]));
    for (const [index, one] of z.array(turn).parse(conversation[`session_${session}`]).entries())
      messages.push({
        key: one.dia_id,
        name: one.speaker,
        text: one.text + (one.blip_caption === undefined ? "" : ` [${one.blip_caption}]`),
        at: start + index * apartMs,
      });
  }
  const known = new Set(messages.map(({ key }) => key));
  const questions = qa
    .filter(({ category }) => category <= names.length)
    .map(({ category, evidence, question }) => {
      const named = evidence.flatMap((one) => one.match(/D:?\d+:\d+/g) ?? []).map((one) => one.replace("D:", "D"));
      return { category, text: question, evidence: [...new Set(named)].filter((key) => known.has(key)) };
    });
  return { messages, questions: questions.filter(({ evidence }) => evidence.length > 0) };
}

/** "1:56 pm on 8 May, 2023" */
function readDate(text: string): number {
  const found = /(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)/.exec(text);
  if (!found) throw new Error(`This is no date of LoCoMo: ${text}`);
  const [, hour = "", minute = "", half, day, month, year] = found;
  const at = Date.parse(`${day} ${month} ${year} 00:00 UTC`);
  return at + ((Number(hour) % 12) + (half === "pm" ? 12 : 0)) * 3_600_000 + Number(minute) * 60_000;
}

/** SQLite by itself: FTS5 with stems and BM25, without stop words, the speaker and the caption in the text. */
function createPlainRanking({ messages }: Talk): (question: string) => readonly string[] {
  const database = new DatabaseSync(":memory:");
  database.exec("create virtual table said using fts5(text, tokenize='porter unicode61')");
  const add = database.prepare("insert into said (rowid, text) values (?, ?)");
  messages.forEach(({ name, text }, index) => add.run(index, `${name}: ${text}`));
  const find = database.prepare("select rowid as at from said where said match ? order by rank limit 20");
  return (question) => {
    const words = (question.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !englishStopWords.has(word));
    const query = [...new Set(words)].map((word) => `"${word}"`).join(" OR ");
    const found = query === "" ? [] : (find.all(query) as { readonly at: number }[]);
    return found.flatMap(({ at }) => messages[at]?.key ?? []);
  };
}

function measure(
  { questions }: Talk,
  isHeld: boolean,
  rank: (question: string) => readonly string[],
): readonly Result[] {
  return questions.map(({ category, evidence, text }) => {
    const before = performance.now();
    const ranked = rank(text);
    return { category, isHeld, ms: performance.now() - before, places: evidence.map((key) => placeOf(ranked, key)) };
  });
}

/** Through the real store, by the product's own ranking. */
async function measureOurs(store: Store, { messages, questions }: Talk, isHeld: boolean): Promise<readonly Result[]> {
  const now = (messages.at(-1)?.at ?? 0) + dayMs;
  const chat = await store.main.transaction().execute(async (tx) => {
    const added = await addLogChat(tx, { name: "talk", kind: "import", readers: ["owners"], now });
    const entries = messages.map(({ at, key, name, text }) => {
      const sender = { person: "", name };
      return { chat: added, sender, role: "person" as const, text, taint: "untrusted" as const, key, saidAt: at };
    });
    await appendToLog(tx, entries);
    return added;
  });
  const all = await store.main.selectFrom("log_messages").select(["id", "key"]).where("chat", "=", chat).execute();
  const keys = new Map(all.map(({ id, key }) => [id, key]));
  const results: Result[] = [];
  for (const { category, evidence, text } of questions) {
    const before = performance.now();
    const ranked = await rankLog(store.main, [chat], text, { limit: 20, now, zone: "UTC" });
    const ms = performance.now() - before;
    const found = ranked.map(({ message }) => keys.get(message.id) ?? "");
    results.push({ category, isHeld, ms, places: evidence.map((key) => placeOf(found, key)) });
  }
  return results;
}

function placeOf(ranked: readonly string[], key: string): number {
  const at = ranked.indexOf(key);
  return at < 0 ? Infinity : at + 1;
}

function measureRecall(results: readonly Result[], depth: number): number {
  const shares = results.map(({ places }) => places.filter((place) => place <= depth).length / places.length);
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
}

function print(what: string, results: readonly Result[]): void {
  const recalls = depths.map((depth) => (100 * measureRecall(results, depth)).toFixed(1));
  const first =
    results.map(({ places }) => 1 / Math.min(...places)).reduce((sum, one) => sum + one, 0) / results.length;
  const times = results.map(({ ms }) => ms);
  const cells = [
    what,
    results.length,
    ...recalls,
    first.toFixed(3),
    median(times).toFixed(1),
    percentile(times, 0.95).toFixed(1),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
