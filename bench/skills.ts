import { createSkillRegistry } from "../src/skills/skill-registry.ts";
import type { Skill } from "../src/skills/loader/types.ts";
import { loadAllSkills } from "../tests/support/all-skills.ts";
import { measureMatches, readUtterances } from "../tests/support/labelled-utterances.ts";
import { median, percentile } from "./statistics.ts";
import { createMatch } from "../tests/support/match-skills.ts";

/** The promises: how well rules alone find the skills of utterances nobody tuned them to, and how fast among 1,000. */
const leastF1 = 0.85;
const mostFalse = 0.08;
const mostMilliseconds = 2;
/** A thousand skills may cost at most this many times what the shipped ones cost. */
const mostGrowth = 3;
const many = 1000;

export async function measureSkills(): Promise<boolean> {
  const registry = loadAllSkills();
  const match = createMatch(registry);
  const utterances = readUtterances();
  let isKept = true;
  console.log("| set | utterances | precision | recall | F1 | false activations |\n|---|---|---|---|---|---|");
  for (const half of ["train", "unseen", "others"] as const) {
    const chosen = utterances.filter((one) => one.half === half);
    const { precision, recall, f1, falseActivations } = measureMatches(chosen, match);
    const part = (value: number) => (100 * value).toFixed(1);
    console.log(
      `| ${half} | ${chosen.length} | ${part(precision)} | ${part(recall)} | ${part(f1)} | ${part(falseActivations)} % |`,
    );
    if (half === "others") isKept = f1 >= leastF1 && falseActivations <= mostFalse;
  }

  const shipped = registry.list();
  const crowd = createSkillRegistry([
    ...shipped,
    ...Array.from({ length: many - shipped.length }, (_, n) => makeSkill(n)),
  ]);
  const matchCrowd = createMatch(crowd);
  const texts = utterances.map(({ text }) => text);
  const time = (match: (text: string) => unknown): number[] =>
    texts.map((text) => {
      const start = performance.now();
      match(text);
      return performance.now() - start;
    });
  for (let round = 0; round < 5; round += 1) [match, matchCrowd].forEach(time);
  const few: number[] = [];
  const thousand: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    few.push(...time(match));
    thousand.push(...time(matchCrowd));
  }
  const ratio = median(thousand) / median(few);
  console.log("\n| skills | median ms | p95 ms |\n|---|---|---|");
  console.log(`| ${shipped.length} | ${median(few).toFixed(3)} | ${percentile(few, 0.95).toFixed(3)} |`);
  console.log(`| ${many} | ${median(thousand).toFixed(3)} | ${percentile(thousand, 0.95).toFixed(3)} |`);
  console.log(`\n${many} skills cost ${ratio.toFixed(2)} times the ${shipped.length} shipped ones.`);
  return isKept && median(thousand) < mostMilliseconds && ratio <= mostGrowth;
}

/** A skill as people write them: some keywords, a pattern, an exclusion, all about something of its own. */
function makeSkill(number: number): Skill {
  const [one, other] = [0x4e00 + ((number * 7) % 15_000), 0x4e00 + ((number * 13 + 5) % 15_000)].map((code) =>
    String.fromCodePoint(code),
  );
  const word = `${one}${other}`;
  return {
    id: `made-${number}`,
    name: word,
    version: "1.0.0",
    description: `${word} ${number}`,
    type: "knowledge",
    language: "zh",
    context: word,
    examples: [],
    effects: false,
    requires: { platforms: [], bins: [], env: [], config: [], tools: [] },
    trigger: {
      keywords: [word, `${word}表`, `word${number}`],
      topics: [`${other}${one}表`],
      hints: [],
      asides: [],
      outranks: [],
      words: { thing: [word, `${other}${one}`], act: ["查", "看", "做"] },
      intents: [
        {
          name: "make",
          asked: false,
          pairs: [["act", "thing"]],
          patterns: [`(?:查|看|做){gap}{thing}`, `{thing}(?:怎么|如何){near}(?:做|写)`],
        },
      ],
      exclusions: [`不要${word}`],
    },
    tools: { builtin: [], network: [] },
    folder: "/nowhere",
    origin: "config",
    mcpServers: [],
  };
}
