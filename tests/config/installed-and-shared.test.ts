import { join } from "node:path";
import { expect, it } from "vitest";
import { isOwnVariable } from "../../src/config/own-variables.ts";
import { openSkillStore } from "../../src/features/skills/store/open-skill-store.ts";
import { loadConfiguration } from "../../src/config.ts";
import { formatFault } from "../../src/core/yaml-file.ts";
import { plainSkill, writeTree } from "../support/skill-source.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

it("a skill in a folder of other agents neither hides an installed one of its id nor keeps it from being installed", async () => {
  const root = await createTemporaryFolder();
  const shared = ".agents/skills/weather/SKILL.md";
  writeTree(root, {
    "config/skills/tea/skill.yaml": plainSkill.replace("weather", "tea"),
    [shared]: "---\nname: weather\ndescription: theirs\n---\nText\n",
  });
  const home = join(root, "home");
  const load = () =>
    loadConfiguration({
      environment: { KURISU_HOME: home },
      configFolder: join(root, "config"),
      workingDirectory: root,
    });
  expect(load().skills.find("weather")?.origin).toBe("shared");

  const store = openSkillStore({
    home,
    skills: () => load().skills.list(),
    table: load().skillSentences,
    isOwnVariable,
  });
  const install = (id: string) => {
    const found = store.examineFiles([{ path: "skill.yaml", bytes: Buffer.from(plainSkill.replace("weather", id)) }]);
    if (!found.ok) throw new Error(found.problem);
    return store.install(found.skill, { kind: "folder", source: "here", folder: "" }, { approver: "x" });
  };
  expect(install("tea")).toMatchObject({ ok: false });
  expect(install("weather")).toMatchObject({ ok: true });
  const { disabledSkills, skills } = load();
  expect(disabledSkills).toEqual([]);
  expect(skills.find("weather")?.installed).toBeDefined();
  expect(skills.list().filter(({ id }) => id === "weather")).toHaveLength(1);
  expect(skills.warnings.map(formatFault)).toEqual([
    `${join(root, shared)}:1:1 name: has the id of an installed skill, which is used`,
  ]);
});
