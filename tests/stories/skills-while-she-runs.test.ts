import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { plainSkill, writeTree } from "../support/skill-source.ts";
import { contextOf, skillScript, waitForSkills } from "../support/skill-story.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const weather = (mark: string) => plainSkill.replace("先查，再说。", `天气的暗号是${mark}。`);
const markdown = (description: string) =>
  `---\nname: notes\n${description}metadata: { kurisu-keywords: 天气 }\n---\n\n天气的暗号是暗号三。\n`;

/** What the log says of files that were refused, whole. */
const refusals = (kurisu: { stderr(): string }) =>
  kurisu
    .stderr()
    .split("\n")
    .flatMap((line) => /"fault":"([^"]*(?:\\"[^"]*)*)".*stays as it was/.exec(line)?.[1] ?? []);

test("a skill is added, changed, spoilt, mended and removed while she runs, and each change counts from the next message on", async () => {
  const story = await startTelegramStory({
    files: { "skills/tea/skill.yaml": plainSkill.replaceAll("weather", "tea").replaceAll("天气", "红茶") },
    script: skillScript,
  });
  const { folder } = story;
  const place = join(folder.config, "skills", "weather");
  const kurisu = await story.start();

  const listed = (fits: RegExp) => waitForSkills(story, fits);
  const answers = async (words: string) => {
    story.say("天气怎么样");
    await story.hear(words);
  };

  expect(await listed(/^会的技能（1）/)).toContain("○ tea");
  await answers("没有技能可看。");

  folder.configure("skills/weather/skill.yaml", weather("暗号一"));
  expect(await listed(/（2）/)).toContain("○ weather  天气  可用");
  await answers("按技能做：暗号一。");
  expect(await listed(/（2）/)).toContain("▸ weather  天气  正在用");

  folder.configure("skills/weather/skill.yaml", weather("暗号二").replace("name: 天气", "name: 天气预报"));
  await listed(/weather {2}天气预报/);
  await answers("按技能做：暗号二。");

  // Spoilt: refused with its place, while another change of the same moment counts and the last good one answers on.
  folder.configure("skills/weather/skill.yaml", weather("暗号四").replace("context:", "contxt:"));
  folder.configure(
    "skills/tea/skill.yaml",
    plainSkill.replaceAll("weather", "tea").replaceAll("name: 天气", "name: 绿茶"),
  );
  expect(await listed(/tea {2}绿茶/)).toContain("weather  天气预报");
  expect(refusals(kurisu)).toEqual([expect.stringMatching(/weather\/skill\.yaml:6:1 contxt: .+/)]);
  await answers("按技能做：暗号二。");
  folder.configure("skills/weather/skill.yaml", "id: weather\n  name: [\n");
  await expect.poll(() => refusals(kurisu).at(-1)).toMatch(/weather\/skill\.yaml:\d:\d is no valid YAML/);
  await answers("按技能做：暗号二。");

  // Mended.
  folder.configure("skills/weather/skill.yaml", weather("暗号四"));
  await listed(/weather {2}天气 /);
  await answers("按技能做：暗号四。");

  // Removed, and there again at once, as a checkout does it: what comes after is seen, too.
  rmSync(place, { recursive: true });
  expect(await listed(/（1）/)).not.toContain("weather");
  await answers("没有技能可看。");
  folder.configure("skills/weather/skill.yaml", weather("暗号一"));
  await listed(/（2）/);
  rmSync(place, { recursive: true });
  folder.configure("skills/weather/skill.yaml", weather("暗号二").replace("name: 天气", "name: 换过的"));
  await listed(/换过的/);
  folder.configure("skills/weather/skill.yaml", weather("暗号四").replace("name: 天气", "name: 又换了"));
  await listed(/又换了/);
  await answers("按技能做：暗号四。");
  rmSync(place, { recursive: true });
  await listed(/（1）/);

  // The other form: one that is faulty from the beginning is left out, one that was good stays.
  folder.configure("skills/notes/SKILL.md", markdown(""));
  await expect.poll(() => refusals(kurisu).at(-1)).toMatch(/notes\/SKILL\.md:2:1 description: /);
  expect(await listed(/（1）/)).not.toContain("notes");
  folder.configure("skills/notes/SKILL.md", markdown("description: 记天气\n"));
  await listed(/notes/);
  await answers("按技能做：暗号三。");
  folder.configure("skills/notes/SKILL.md", markdown("description: 记天气\n").replace("---", "--"));
  await expect.poll(() => refusals(kurisu).at(-1)).toMatch(/notes\/SKILL\.md:1:1 .*frontmatter/);
  await answers("按技能做：暗号三。");

  expect((await kurisu.stop()).code).toBe(0);
});

test("a skill in a folder of other agents comes while she runs, is only listed, and is used once the owner says so, not a member", async () => {
  const home = await createTemporaryFolder();
  const outside = await createTemporaryFolder();
  const write = (id: string, mark: string, place = join(home, ".agents", "skills", id)) =>
    writeTree(place, { "SKILL.md": markdown("description: 记天气\n").replace("暗号三", mark).replace("notes", id) });
  const story = await startTelegramStory({
    files: {
      "skills/tea/skill.yaml": plainSkill.replaceAll("weather", "tea").replaceAll("天气", "红茶"),
      "system/channels.yaml": "telegram: { allow: ['99'] }\n",
    },
    environment: { HOME: home },
    script: skillScript,
  });
  const kurisu = await story.start();
  const asMember = { chat: 99, from: { id: 99, name: "真由理" } };
  const answers = async (words: string, who: { chat?: number } = {}) => {
    story.say("天气怎么样", who);
    await story.hear(words, who);
  };
  expect(await waitForSkills(story, /（1）/)).toContain("tea");

  write("notes", "暗号一");
  write("linked", "暗号四", outside);
  symlinkSync(outside, join(home, ".agents", "skills", "linked"));
  expect(await waitForSkills(story, /notes/)).toMatch(/^✕ notes {2}notes {2}外来的，没打开/m);
  await answers("没有技能可看。");

  story.say("/skills on notes", asMember);
  await story.hear(/外来的技能只有管理员能打开。$/, asMember);
  await answers("没有技能可看。", asMember);
  expect(JSON.stringify(story.model.requests)).not.toContain("暗号");

  story.say("/skills on notes");
  await story.hear(/^好，这里可以用 notes 了。它是外来的/);
  await answers("按技能做：暗号一。");
  expect(contextOf(story.model.requests.at(-1) ?? { model: "", messages: [] })).toContain("| 天气的暗号是暗号一。");
  // In this chat alone.
  await answers("没有技能可看。", asMember);

  write("notes", "暗号二");
  await expect
    .poll(async () => {
      story.say("天气呢");
      return (await story.hear(/^按技能做/)).text;
    })
    .toBe("按技能做：暗号二。");
  rmSync(join(home, ".agents"), { recursive: true });
  const left = await waitForSkills(story, /（1）/);
  expect(left).not.toMatch(/notes|linked/);
  await answers("没有技能可看。");
  expect(JSON.stringify(story.model.requests)).not.toContain("暗号四");
  expect((await kurisu.stop()).code).toBe(0);
});
