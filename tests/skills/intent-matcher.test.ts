import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { createIntentMatcher } from "../../src/skills/matching/intent-matcher.ts";
import { skillSchema, type Skill } from "../../src/skills/loader/types.ts";
import { loadAllSkills } from "../support/all-skills.ts";

const makeSkill = (id: string, trigger: object): Skill => ({
  ...skillSchema.parse({ id, name: id, version: "1.0.0", type: "knowledge", trigger }),
  folder: "",
  origin: "config",
  effects: false,
  mcpServers: [],
});

const endless = makeSkill("endless", { intents: [{ name: "loop", patterns: ["z(?:y+)+x"] }] });
const tides = makeSkill("tides", { keywords: ["潮汐"] });
const hanging = `z${"y".repeat(60)}`;

describe("skills are matched on a thread:", () => {
  let lines: string[];
  const create = (limitMs: number) =>
    createIntentMatcher({ limitMs, log: pino({ level: "warn" }, { write: (line: string) => void lines.push(line) }) });
  beforeEach(() => void (lines = []));

  it("a pattern that does not end is stopped, which leaves the message without skills and a warning in the log", async () => {
    const match = create(200);
    const skills = [endless, tides];
    const during = Promise.all([match(skills, hanging), match(skills, "潮汐")]);
    let beats = 0;
    const beat = setInterval(() => (beats += 1), 10);
    expect(await during).toEqual([[], ["tides"]]);
    clearInterval(beat);
    expect(beats).toBeGreaterThan(10);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: 40,
      characters: hanging.length,
      msg: expect.stringContaining("took too long and was stopped") as string,
    });
  });

  it("what the registry holds now is matched, also when it has changed", async () => {
    const match = create(5_000);
    expect(await match([tides], "潮汐")).toEqual(["tides"]);
    expect(await match([makeSkill("charts", { keywords: ["海图"] })], "潮汐和海图")).toEqual(["charts"]);
    expect(await match([], "潮汐")).toEqual([]);
    expect(lines).toEqual([]);
  });

  it("the text that stopped everybody ends in time with the shipped skills", async () => {
    const registry = loadAllSkills();
    const match = create(2_000);
    const texts = [
      `闹钟,上${"的上".repeat(45)}x`,
      `闹钟,上${"下".repeat(60)}x`,
      `设${"明天的".repeat(40)}x`,
      `上${"的上".repeat(900)}闹`,
    ];
    for (const text of texts) await match(registry.list(), text);
    expect(lines).toEqual([]);
    expect(await match(registry.list(), "把明天早上的那个开会的闹钟取消掉")).toContain("reminder");
  });
});
