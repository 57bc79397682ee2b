import { expect, test } from "vitest";
import { callTools, lastWords, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { contextOf } from "../support/skill-story.ts";

test("a correction with 「改成 …」 that its person agrees to becomes a note, is used after a restart, and goes when they want", async () => {
  const story = await startTelegramStory({
    script: (request) => {
      const said = lastWords(request);
      // Where nothing is said of the place, only a note can tell.
      const folder = /- file_write：写到 (\S+)/.exec(contextOf(request))?.[1] ?? "";
      const [, path = said.includes("周报") ? `${folder}week.md` : undefined, mode] =
        /写到 (\S+?)(?:，(\w+))?$/.exec(said) ?? [];
      if (path === undefined) return { content: "嗯。" };
      const results = resultsOfThisTurn(request);
      if (results.length > 0)
        return { content: !results.join("").includes("It did not run") ? "写好了。" : "那就不写。" };
      return callTools({
        name: "file_write",
        arguments: { path, content: "x\n", ...(mode !== undefined && { mode }) },
      });
    },
  });
  const kurisu = await story.start();
  story.say("写到 a.txt");
  const first = await story.hearQuestion();
  story.say(`${first.code} 改成 写到 b.txt，append`);
  const second = await story.hearQuestion();
  expect(second.text).toContain("b.txt");
  story.say(`确认 ${second.code}`);
  await story.hear(/写好了/);
  expect(story.folder.workspaceLines("b.txt")).toEqual(["x"]);
  story.say("/preferences");
  await story.hear(/1\. file_write 的 mode 通常用 append（看出来的）$/);
  story.say("写份周报");
  const third = await story.hearQuestion();
  expect(third.text).not.toContain("out/week.md");
  story.say(`${third.code} 改成 写到 out/week.md`);
  const fourth = await story.hearQuestion();
  story.say(`确认 ${fourth.code}`);
  await story.hear(/写好了/);
  expect((await kurisu.stop()).code).toBe(0);

  const again = await story.start();
  story.say("在吗");
  await story.hear("嗯。");
  expect(contextOf(story.model.requests.at(-1) ?? { model: "", messages: [] })).toContain(
    "- file_write 的 mode 通常用 append",
  );
  // It is asked all the same.
  story.say("写份周报");
  const fifth = await story.hearQuestion();
  expect(fifth.text).toContain("out/week.md");
  story.say(`取消 ${fifth.code}`);
  await story.hear("那就不写。");
  story.say("/preferences forget 1");
  await story.hear("忘掉了：file_write 的 mode 通常用 append");
  story.say("在吗在吗");
  await story.hear("嗯。");
  expect(contextOf(story.model.requests.at(-1) ?? { model: "", messages: [] })).not.toContain("通常用");
  expect((await again.stop()).code).toBe(0);
});
