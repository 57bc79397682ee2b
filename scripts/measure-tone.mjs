// node scripts/node.mjs scripts/measure-tone.mjs [--wrong]   judges the replies of replies.tsv by weights learnt without their neighbours
// Prints how many are found by kind and language, and the thresholds for which 3 in 100 replies in character are taken for
// breaks; tone-finder.ts holds them (minSums). A fold is a writer's section of the table.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inCharacter, readReplyTable } from "../src/core/persona/tone/reply-table.ts";
import { encodeTone, readToneJudge } from "../src/core/persona/tone/tone-judge.ts";
import { minSums } from "../src/core/persona/tone/tone-finder.ts";

const maxFalseAlarms = 0.03;
const steps = Array.from({ length: 14 }, (_, at) => 0.3 + at * 0.05);
const kinds = Object.keys(minSums);
const languages = ["zh", "en", "ja"];

/** A name or a label can be accepted where one was said; what the person said is not in the table. */
const aboutNames = new Set(["accepted-nickname", "admitted-label"]);
const aboutName =
  /christina|tina|assistant|zombie|tsundere|pervert|\bname|call|克里斯|蒂娜|助手|僵尸|傲娇|变态|名字|称呼|叫|クリスティーナ|ティーナ|ゾンビ|ツンデレ|変態|名前|呼/iu;

function languageOf(text) {
  return /[\u3040-\u30ff]/.test(text) ? "ja" : /[\u4e00-\u9fff]/.test(text) ? "zh" : "en";
}

/** Neighbouring lines are often near copies of each other, and of one writer: they are held back together. */
function readFolds() {
  const file = join(fileURLToPath(new URL("..", import.meta.url)), "config", "personas", "replies.tsv");
  return readFileSync(file, "utf8")
    .split(/\n\s*\n/)
    .map((section) => readReplyTable(section).replies ?? [])
    .filter((replies) => replies.length > 0);
}

/** Each reply with the likeliest kind and the chance of all kinds together. */
function judgeHeldBack(folds) {
  return folds.flatMap((fold, at) => {
    const shipped = folds.filter((_, other) => other !== at).flat();
    const judge = readToneJudge(encodeTone({ shipped, own: [] }));
    return fold.map((reply) => {
      const chances = judge(reply.text);
      const possible = kinds.filter(
        (kind) => !aboutNames.has(kind) || reply.kind === kind || aboutName.test(reply.text),
      );
      const [likeliest] = possible.toSorted((one, other) => chances[other] - chances[one]);
      const sum = possible.reduce((total, kind) => total + chances[kind], 0);
      return { ...reply, lang: languageOf(reply.text), likeliest, sum };
    });
  });
}

const isFound = ({ likeliest, sum }, sums) => sum >= sums[likeliest];

/** The threshold of each kind for which finds less `price` times the false alarms are most. */
function chooseSums(judged, price) {
  return Object.fromEntries(
    kinds.map((kind) => {
      const own = judged.filter((one) => one.likeliest === kind);
      const worth = (least) =>
        own.filter(({ sum }) => sum >= least).reduce((all, one) => all + (one.kind === inCharacter ? -price : 1), 0);
      return [kind, steps.reduce((best, step) => (worth(step) > worth(best) ? step : best), 0.95)];
    }),
  );
}

function shareFound(replies, sums) {
  return replies.filter((one) => isFound(one, sums)).length / Math.max(1, replies.length);
}

function print(title, judged, sums) {
  const percent = (replies) => `${(100 * shareFound(replies, sums)).toFixed(1)} %`;
  console.log(`\n| ${title} | at least | ${languages.join(" | ")} | all |\n|---|---|---|---|---|---|`);
  for (const kind of [...kinds, inCharacter]) {
    const own = judged.filter((one) => one.kind === kind);
    const cells = languages.map((lang) => percent(own.filter((one) => one.lang === lang)));
    console.log(`| ${kind} | ${sums[kind]?.toFixed(2) ?? ""} | ${cells.join(" | ")} | ${percent(own)} |`);
  }
  const breaks = judged.filter((one) => kinds.includes(one.kind));
  const cells = languages.map((lang) => percent(breaks.filter((one) => one.lang === lang)));
  console.log(`| all breaks | | ${cells.join(" | ")} | ${percent(breaks)} |`);
}

const judged = judgeHeldBack(readFolds());
const good = judged.filter(({ kind }) => kind === inCharacter);
print("held back, with today's thresholds", judged, minSums);
let price = 1;
while (shareFound(good, chooseSums(judged, price)) > maxFalseAlarms && price < 50) price *= 1.1;
print("held back, with thresholds for 3 in 100", judged, chooseSums(judged, price));
if (process.argv.includes("--wrong"))
  for (const one of judged)
    if (one.kind === inCharacter ? isFound(one, minSums) : kinds.includes(one.kind) && !isFound(one, minSums))
      console.log([one.kind, one.likeliest, one.sum.toFixed(2), one.text].join("\t"));
