import { expect, test } from "vitest";
import { createCompleteSkills } from "../../../src/features/skills/choose-skills.ts";
import type { SkillInSession } from "../../../src/features/skills/skill-state.ts";

test("skills follow what is to be done with them", async () => {
  const asked: string[] = [];
  const complete = createCompleteSkills({
    async list(session) {
      asked.push(session);
      return [{ skill: { id: "weather" } }, { skill: { id: "web" } }] as SkillInSession[];
    },
  });
  expect(await complete("a chat", ["o"])).toEqual(["on", "off", "auto"]);
  expect(await complete("a chat", ["off", "we"])).toEqual(["weather", "web"]);
  expect(await complete("a chat", ["eat", "we"])).toEqual([]);
  expect(await complete("a chat", ["off", "weather", "we"])).toEqual([]);
  expect(asked).toEqual(["a chat"]);
});
