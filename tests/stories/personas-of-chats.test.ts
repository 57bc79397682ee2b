import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { expect, test } from "vitest";
import type { ModelRequest } from "../support/kurisu-process/scripted-model.ts";
import { callTools, lastWords, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

const soul = "You are Hououin Kyouma's rival, Doctor Nakabachi's librarian, who counts every book twice.";

/** The shipped default under another name, which says other things. */
function describeLibrarian(failing = false): string {
  const shipped = join(import.meta.dirname, "../../config/personas/default/persona.yaml");
  const base = parse(readFileSync(shipped, "utf8")) as {
    readonly phrases: Readonly<Record<string, object>>;
  } & Record<string, unknown>;
  return stringify({
    ...base,
    id: failing ? "nobody" : "librarian",
    name: { zh: "图书管理员", en: "Librarian", ja: "司書" },
    nicknames: ["书虫"],
    phrases: { ...base.phrases, zh: { ...base.phrases["zh"], question: ["先登记，再借出。"] } },
  });
}

const files = {
  "personas/librarian/persona.yaml": describeLibrarian(),
  "personas/librarian/soul.md": soul,
  "personas/broken/persona.yaml": "id: broken\n",
};

const hasSoul = (request: ModelRequest | undefined) =>
  JSON.stringify(request?.messages[0]).includes("counts every book");

test("a chat chooses who speaks in it: the prompt, the questions and the memories follow, over a restart, and elsewhere nothing changes", async () => {
  const story = await startTelegramStory({
    files,
    script: (request) => {
      if (resultsOfThisTurn(request).length > 0) return { content: "放好了。" };
      if (lastWords(request).includes("写"))
        return callTools({ name: "file_write", arguments: { path: "a.txt", content: "x" } });
      return { content: "嗯。" };
    },
  });
  const kurisu = await story.start();
  story.say("我叫小林");
  await story.hear("嗯。");
  expect(hasSoul(story.model.requests.at(-1))).toBe(false);

  story.say("/persona");
  const listed = await story.hear(/这里说话的是牧濑红莉栖（kurisu）/);
  expect(listed.text).toContain("· librarian　图书管理员");
  expect(listed.text).toContain("· broken　（文件有错，用不了）");
  story.say("/persona broken");
  await story.hear(/人格 broken 的文件有错/);
  story.say("/persona nobody");
  await story.hear(/^没有这个人格。有这些：\n▸ kurisu/);

  story.say("/persona 书虫");
  await story.hear(/从下一句起，这里说话的是图书管理员（librarian）/);
  story.say("写一个");
  const question = await story.hearQuestion();
  expect(question.text).toContain("先登记，再借出。");
  expect(hasSoul(story.model.requests.at(-1))).toBe(true);
  story.say(`确认 ${question.code}`);
  await story.hear("放好了。");
  story.say("/memory");
  // What was told to another persona is that one's.
  await story.hear(/我还什么都没记/);
  story.say("/persona why");
  const why = await story.hear(/这是在这里用 \/persona 选的/);
  expect(why.text).toContain(`设定 ${soul.length} 字`);

  expect((await kurisu.stop()).code).toBe(0);

  const again = await story.start();
  story.say("还是你吗");
  await story.hear("嗯。");
  expect(hasSoul(story.model.requests.at(-1))).toBe(true);

  // A change of the file is there with the next message; a faulty one leaves it as it was.
  story.folder.configure("personas/librarian/soul.md", `${soul} She also whistles.`);
  await expect
    .poll(
      async () => {
        story.say("现在呢");
        await story.hear("嗯。");
        return JSON.stringify(story.model.requests.at(-1)?.messages[0]).includes("She also whistles");
      },
      { interval: 500 },
    )
    .toBe(true);
  story.folder.configure("personas/librarian/persona.yaml", describeLibrarian(true));
  story.say("那现在呢");
  await story.hear("嗯。");
  expect(hasSoul(story.model.requests.at(-1))).toBe(true);

  story.say("/persona auto");
  await story.hear(/从下一句起，这里说话的是牧濑红莉栖/);
  story.say("回来了吗");
  await story.hear("嗯。");
  expect(hasSoul(story.model.requests.at(-1))).toBe(false);
  story.say("/memory");
  await story.hear(/小林/);
  expect((await again.stop()).code).toBe(0);
});
