import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildModel, nameModelFile } from "../../src/features/skills/matching/build-model.ts";
import { createSkillFinder, isCalled } from "../../src/features/skills/matching/find-skills.ts";
import { decodeModel, type LinearModel } from "../../src/core/learning/linear-model.ts";
import { skillCacheOf } from "../../src/features/skills/matching/skill-models.ts";
import type { Skill } from "../../src/features/skills/loader/types.ts";
import { shippedSkillsFolder } from "./all-skills.ts";

export const sentencesFile = join(shippedSkillsFolder, "sentences.tsv");

let learnt: Uint8Array | undefined;

/** What the shipped sentences teach, learnt once a process. */
function learnShipped(): LinearModel {
  learnt ??= buildModel({ table: readFileSync(sentencesFile, "utf8") });
  return decode(learnt);
}

/** Puts it where a Kurisu of this data folder looks for it, so that she need not learn it herself. */
export function keepLearnt(home: string): void {
  learnShipped();
  const folder = skillCacheOf(home);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, nameModelFile({ table: readFileSync(sentencesFile, "utf8") })), learnt ?? "");
}

function decode(bytes: Uint8Array): LinearModel {
  const model = decodeModel(bytes);
  if (!model) throw new Error("a model must decode");
  return model;
}

/** Tells the skills of utterances, here and now. */
export function createMatch(skills: readonly Skill[]): (utterance: string) => readonly string[] {
  const table = readFileSync(sentencesFile, "utf8");
  const shared = learnShipped();
  const own = skills.filter(
    ({ id, sentences }) => sentences.length > 0 && !shared.columns.some(({ name }) => name === id),
  );
  const finder = createSkillFinder(skills, {
    shared,
    taught: new Set(shared.columns.map(({ name }) => name)),
    own: own.length > 0 ? [decode(buildModel({ table, own }))] : [],
  });
  return (utterance) =>
    finder
      .weigh(utterance)
      .filter(isCalled)
      .map(({ skill }) => skill);
}
