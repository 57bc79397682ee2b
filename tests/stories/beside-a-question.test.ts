/* Words beside an open question, on Telegram, with a model that only chats and with none at all. */
import { describe, expect, test } from "vitest";
import { callTools, lastWords, type ModelScript } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";

const filler = "是吗？有证据吗？";
const wish = "把 你好 写进 a.txt";

/** It writes the file when it is told to, and chats about all else, results too. */
const chatty: ModelScript = (request) =>
  lastWords(request) === wish && request.messages.at(-1)?.role !== "tool"
    ? callTools({ name: "file_write", arguments: { path: "a.txt", content: "你好\n" } })
    : { content: filler };

const models = [
  ["a model that makes no call", { script: chatty }],
  ["no model", { environment: { KURISU_MODEL: "offline" } }],
] as const;

const written = ({ folder }: TelegramStory) => folder.workspaceLines("a.txt");

describe.each(models)("with %s", (_, options) => {
  test("「改成 …」 asks anew for the changed call, and says what it drops when it cannot know it", async () => {
    const story = await startTelegramStory(options);
    const kurisu = await story.start();
    story.say(wish);
    const first = await story.hearQuestion();
    expect(first.text).toContain("你好");
    story.say("改成 「再见」");
    const second = await story.hearQuestion();
    expect(second.text).toContain("再见");
    expect(second.text).toContain("a.txt");
    expect(written(story)).toEqual([]);
    story.say("确认");
    await story.fake.waitFor(() => written(story).length > 0, "the changed content");
    expect(written(story)).toEqual(["再见"]);
    await story.quiet();

    story.say(wish);
    const third = await story.hearQuestion();
    story.say("改成 写到 out 文件夹");
    await story.hear(new RegExp(`${third.code}（file_write a\\.txt）已经撤下，没有执行。.*整句再说一遍`, "s"));
    await story.quiet();
    expect(written(story)).toEqual(["再见"]);
    // The model that chats says its filler once to each change and to the result; without one there is none.
    const fillers = story.said().filter((text) => text.includes(filler));
    expect(fillers.length > 0).toBe("script" in options);
    expect((await kurisu.stop()).code).toBe(0);
  });

  test("near approvals and near rejections get their line, and only the exact words decide", async () => {
    const story = await startTelegramStory(options);
    const kurisu = await story.start();
    story.say(wish);
    const { code } = await story.hearQuestion();
    const asked = story.model.requests.length;
    for (const said of ["嗯，执行吧", "y", "ok", "yes please"]) {
      story.say(said);
      await story.hear(
        new RegExp(`^${code} (?:还在等。要执行就回「确认」。|still waits. To run it, reply "confirm".)$`),
      );
    }
    for (const said of ["别跑", "cancel all", "等等"]) {
      story.say(said);
      await story.hear(
        new RegExp(`^${code} (?:还在等，没有执行。不要了就回「取消」。|still waits and has not run\\. .*"cancel"\\.)$`),
      );
    }
    expect(story.model.requests).toHaveLength(asked);
    expect(written(story)).toEqual([]);
    story.say("不要");
    await story.quiet();
    story.say("确认");
    await story.hear(new RegExp(`^${code} `));
    expect(written(story)).toEqual([]);
    expect((await kurisu.stop()).code).toBe(0);
  });
});
