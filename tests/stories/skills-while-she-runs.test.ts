import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { plainSkill } from "../support/skill-source.ts";
import { skillScript } from "../support/skill-story.ts";

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

  /** Looks at `/skills` until the list is as it should be: a change needs a moment. */
  const listed = async (fits: RegExp) => {
    for (let left = 60; ; left -= 1) {
      story.say("/skills");
      const { text } = await story.hear(/^会的技能|^现在一个技能也没有/);
      if (fits.test(text)) return text;
      if (left === 0) throw new Error(`/skills never was ${fits}:\n${text}\n${kurisu.stderr()}`);
    }
  };
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
  await expect
    .poll(() => refusals(kurisu).at(-1), { timeout: 20_000 })
    .toMatch(/weather\/skill\.yaml:3:1 is no valid YAML/);
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
  await expect.poll(() => refusals(kurisu).at(-1), { timeout: 20_000 }).toMatch(/notes\/SKILL\.md:2:1 description: /);
  expect(await listed(/（1）/)).not.toContain("notes");
  folder.configure("skills/notes/SKILL.md", markdown("description: 记天气\n"));
  await listed(/notes/);
  await answers("按技能做：暗号三。");
  folder.configure("skills/notes/SKILL.md", markdown("description: 记天气\n").replace("---", "--"));
  await expect.poll(() => refusals(kurisu).at(-1), { timeout: 20_000 }).toMatch(/notes\/SKILL\.md:1:1 .*frontmatter/);
  await answers("按技能做：暗号三。");

  expect((await kurisu.stop()).code).toBe(0);
});
