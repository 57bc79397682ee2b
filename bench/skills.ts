import { readFileSync } from "node:fs";
import type { Skill } from "../src/features/skills/loader/types.ts";
import { createSkillFinder, isCalled } from "../src/features/skills/matching/find-skills.ts";
import { learnOwn } from "../src/features/skills/matching/learn-own.ts";
import { learnLabels } from "../src/core/learning/learn-labels.ts";
import { packModel } from "../src/core/learning/linear-model.ts";
import {
  labelSentences,
  readSentenceTable,
  type LabelledSentence,
} from "../src/features/skills/matching/sentence-table.ts";
import { loadAllSkills } from "../tests/support/all-skills.ts";
import { type Measured, measureMatches, readUtterances } from "../tests/support/labelled-utterances.ts";
import { createMatch, sentencesFile } from "../tests/support/match-skills.ts";
import { median, percentile } from "./statistics.ts";

/** The promises: how well the skills of strangers' sentences are found, and how fast among 1,000. */
const minF1 = 0.89;
const maxFalse = 0.06;
const maxMilliseconds = 1;
const many = 1000;
const folds = 4;

type Match = (utterance: string) => readonly string[];

export async function measureSkills(): Promise<boolean> {
  const skills = loadAllSkills().list();
  const match = createMatch(skills);
  const others = readUtterances("by-others");
  console.log("| set | sentences | precision | recall | F1 | false activations |\n|---|---|---|---|---|---|");
  report("cross-validation", validate(skills));
  const promised = measureMatches(others, match);
  report("by-others", promised);
  for (const [language, pattern] of languages)
    report(
      `by-others, ${language}`,
      measureMatches(
        others.filter(({ text }) => tellLanguage(text) === pattern),
        match,
      ),
    );
  for (const set of ["written-blind", "plain"] as const) report(set, measureMatches(readUtterances(set), match));

  console.log("\n| sentences of a new skill | precision | recall | F1 | false finds |\n|---|---|---|---|---|");
  for (const count of [5, 10, 20, 50]) measureNew(count, others);

  const crowd = createMatch([...skills, ...Array.from({ length: many - skills.length }, (_, n) => makeSkill(n))]);
  console.log("\n| skills | median ms | p95 ms |\n|---|---|---|");
  const few = time(others, match);
  const thousand = time(others, crowd);
  console.log(`| ${skills.length} | ${median(few).toFixed(3)} | ${percentile(few, 0.95).toFixed(3)} |`);
  console.log(`| ${many} | ${median(thousand).toFixed(3)} | ${percentile(thousand, 0.95).toFixed(3)} |`);
  return promised.f1 >= minF1 && promised.falseActivations <= maxFalse && median(thousand) < maxMilliseconds;
}

const languages = [
  ["Chinese", "zh"],
  ["English", "en"],
  ["Japanese", "ja"],
] as const;

function tellLanguage(text: string): "zh" | "en" | "ja" {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  return /\p{Script=Han}/u.test(text) ? "zh" : "en";
}

function report(set: string, { utterances, precision, recall, f1, falseActivations }: Measured): void {
  const part = (value: number) => (100 * value).toFixed(1);
  console.log(
    `| ${set} | ${utterances} | ${part(precision)} | ${part(recall)} | ${part(f1)} | ${part(falseActivations)} % |`,
  );
}

/** Whole batches are held back: sentences written at one time resemble each other. */
function validate(skills: readonly Skill[]): Measured {
  const table = readSentenceTable(readFileSync(sentencesFile, "utf8"));
  const taught = new Set(table.flatMap(({ skills: ids }) => ids));
  const answers = new Map<LabelledSentence, readonly string[]>();
  for (let fold = 0; fold < folds; fold += 1) {
    const isHeld = ({ batch }: LabelledSentence): boolean => batch % folds === fold;
    const shared = packModel(learnLabels(labelSentences(table.filter((one) => !isHeld(one)))));
    const finder = createSkillFinder(skills, { shared, taught });
    for (const one of table.filter(isHeld)) {
      const called = finder.weigh(one.text).filter(isCalled);
      answers.set(
        one,
        called.map(({ skill }) => skill),
      );
    }
  }
  const byText = new Map([...answers].map(([{ text }, found]) => [text, found]));
  return measureMatches([...answers.keys()], (text) => byText.get(text) ?? []);
}

/** Each skill of the table in turn as if it were new, with a few of its sentences, evenly taken. */
function measureNew(count: number, others: readonly LabelledSentence[]): void {
  const table = readSentenceTable(readFileSync(sentencesFile, "utf8"));
  const ids = [...new Set(table.flatMap(({ skills }) => skills))];
  let [right, found, wanted] = [0, 0, 0];
  for (const id of ids) {
    const own = table.filter(({ skills }) => skills.includes(id));
    const sentences = Array.from({ length: count }, (_, n) => own[Math.floor((n * own.length) / count)]?.text ?? "");
    const rest = table.filter(({ skills }) => !skills.includes(id));
    const skill = {
      id,
      name: id,
      description: "",
      context: "",
      sentences,
      trigger: { keywords: [], topics: [] },
      origin: "config" as const,
    };
    const finder = createSkillFinder([skill], { taught: new Set(), own: [packModel(learnOwn([skill], rest))] });
    for (const { skills, text } of others) {
      const isFound = finder.weigh(text).some(isCalled);
      if (isFound) found += 1;
      if (skills.includes(id)) wanted += 1;
      if (isFound && skills.includes(id)) right += 1;
    }
  }
  const part = (value: number) => (100 * value).toFixed(1);
  const falseFinds = (found - right) / (ids.length * others.length - wanted);
  console.log(
    `| ${count} | ${part(right / found)} | ${part(right / wanted)} | ${part((2 * right) / (found + wanted))} | ${(100 * falseFinds).toFixed(2)} % |`,
  );
}

function time(utterances: readonly LabelledSentence[], match: Match): readonly number[] {
  return Array.from({ length: 6 }, () =>
    utterances.map(({ text }) => {
      const start = performance.now();
      match(text);
      return performance.now() - start;
    }),
  )
    .slice(1)
    .flat();
}

/** A skill as people write them: a keyword and five sentences, all about something of its own. */
function makeSkill(number: number): Skill {
  const word = [0x4e00 + ((number * 7) % 15_000), 0x4e00 + ((number * 13 + 5) % 15_000)]
    .map((code) => String.fromCodePoint(code))
    .join("");
  return {
    id: `made-${number}`,
    name: word,
    version: "1.0.0",
    description: `${word} ${number}`,
    type: "knowledge",
    language: "zh",
    context: word,
    examples: [],
    sentences: [`帮我看看${word}`, `${word}怎么弄`, `给我查一下${word}表`, `明天的${word}是多少`, `show me ${word}`],
    requires: { platforms: [], bins: [], env: [], config: [], tools: [] },
    trigger: { keywords: [`${word}表`], topics: [], intents: [] },
    tools: { builtin: [], network: [] },
    folder: "/nowhere",
    origin: "config",
    mcpServers: [],
  };
}
