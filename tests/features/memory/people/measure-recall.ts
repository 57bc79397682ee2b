import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { recallMemories } from "../../../../src/features/memory/people/recall-memories.ts";
import { remember } from "../../../../src/features/memory/people/remember.ts";
import type { MemoryScope } from "../../../../src/features/memory/scope.ts";
import type { FactCategory } from "../../../../src/language/facts/plain-fact.ts";
import type { Database } from "../../../../src/store/schema/database.ts";

/** One line of a table: what was remembered of whom, and a question about it in other words. */
export interface RecallCase {
  readonly person: string;
  readonly category: FactCategory;
  readonly content: string;
  readonly question: string;
}

/** How many of the first hits are looked at. */
const depth = 5;

export function readCases(table: "zh" | "zh-unseen" | "en" | "ja"): readonly RecallCase[] {
  const text = readFileSync(join(import.meta.dirname, `recall-${table}.tsv`), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [person = "", category = "", content = "", question = ""] = line.split("\t");
      return { person, category: category as FactCategory, content, question };
    });
}

export interface RecallFigures {
  readonly questions: number;
  /** Percent of the questions whose memory is the first, and among the first five. */
  readonly first: number;
  readonly five: number;
  readonly missed: readonly RecallCase[];
}

/** Stores the memories of all people, then asks each question as its person, in private. */
export async function measureRecall(
  db: Kysely<Database>,
  cases: readonly RecallCase[],
  asked: readonly RecallCase[] = cases,
): Promise<RecallFigures> {
  const now = Date.UTC(2026, 10, 22);
  const scopeOf = (person: string): MemoryScope => ({
    account: `t:${person}`,
    name: person,
    accounts: [`t:${person}`],
    place: "",
    persona: "kurisu",
  });
  for (const { category, content, person } of cases)
    await remember(db, scopeOf(person), { category, content, taint: "user", origin: "said", now });
  let first = 0;
  const missed: RecallCase[] = [];
  for (const one of asked) {
    const found = await recallMemories(db, scopeOf(one.person), one.question, { limit: depth, now });
    if (found[0]?.content === one.content) first += 1;
    if (!found.some(({ content }) => content === one.content)) missed.push(one);
  }
  const percent = (count: number) => Math.round((1000 * count) / asked.length) / 10;
  return { questions: asked.length, first: percent(first), five: percent(asked.length - missed.length), missed };
}
