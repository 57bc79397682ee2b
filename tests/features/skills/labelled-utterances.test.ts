import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatFault } from "../../../src/core/yaml-file.ts";
import { loadSkills } from "../../../src/features/skills/loader/load-skills.ts";
import { readSentenceTable } from "../../../src/features/skills/matching/sentence-table.ts";
import { loadAllSkills, shippedSkillsFolder, skillFolders } from "../../support/all-skills.ts";
import { measureMatches, readUtterances } from "../../support/labelled-utterances.ts";
import { createMatch, sentencesFile } from "../../support/match-skills.ts";

const registry = loadAllSkills();
const match = createMatch(registry.list());
const table = readSentenceTable(readFileSync(sentencesFile, "utf8"));

describe("the shipped skills", () => {
  it("load without a fault, and are small", () => {
    expect(registry.faults.map(formatFault)).toEqual([]);
    const folders = readdirSync(shippedSkillsFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(loadSkills(shippedSkillsFolder, {}).skills.map(({ id }) => id)).toEqual(folders.map(({ name }) => name));
    const files = skillFolders.flatMap((folder) =>
      readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [join(folder, entry.name, "skill.yaml")] : [],
      ),
    );
    expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(60_000);
  });
});

describe("the sentences that skills are learnt from", () => {
  it("the sentences are many, cover every skill, and a good part of them needs none", () => {
    expect(table.length).toBeGreaterThanOrEqual(3_500);
    expect(table.filter(({ skills }) => skills.length === 0).length).toBeGreaterThanOrEqual(1_000);
    const labels = new Set(table.flatMap(({ skills }) => skills));
    expect([...labels].sort()).toEqual(registry.list().map(({ id }) => id));
    expect(new Set(table.map(({ text }) => text)).size).toBe(table.length);
  });

  it("the learnt sentences contain none of the measured ones", () => {
    const learnt = new Set(table.map(({ text }) => text));
    for (const set of ["by-others", "written-blind", "plain"] as const)
      expect(readUtterances(set).filter(({ text }) => learnt.has(text))).toEqual([]);
  });
});

describe("sentences that nothing was learnt from", () => {
  it.each([
    // The promise: people who had seen no rule wrote them.
    ["by-others", 0.89, 0.06],
    ["written-blind", 0.92, 0.06],
    ["plain", 0.85, 0.08],
  ] as const)("find their skills: %s", (set, minF1, maxFalse) => {
    const measured = measureMatches(readUtterances(set), match);
    expect(measured.f1).toBeGreaterThanOrEqual(minF1);
    expect(measured.falseActivations).toBeLessThanOrEqual(maxFalse);
  });
});
