import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { shareTelegramStory, type StoryChapter } from "../support/kurisu-process/share-telegram-story.ts";

const wish = "运行 echo ran >> effect.txt";
const effects = ({ folder }: StoryChapter) => folder.workspaceLines("effect.txt");
const outcomes = ({ folder, owner }: StoryChapter) =>
  lookIntoStore(folder, `select outcome from turns where session like '%:${owner}' order by id`);

/** How often something was said. */
const count = (story: StoryChapter, pattern: RegExp) => story.said().filter((text) => pattern.test(text)).length;

/** Changes the settings of tools, and waits until the running process has them. */
async function configureTools({ folder, kurisu }: StoryChapter, text: string): Promise<void> {
  const followed = () => kurisu.stderr().match(/the configuration changed/g)?.length ?? 0;
  const before = followed();
  folder.configure("system/tools.yaml", text);
  await expect.poll(followed).toBeGreaterThan(before);
}

describe.runIf(dockerIsThere())("questions that end without approval", () => {
  const begin = shareTelegramStory();

  test("/stop and /new take an open question along, and 「重来」 brings it back", async () => {
    const story = begin();
    story.say(wish);
    const one = await story.hearQuestion();
    story.say("/stop");
    await story.hear(new RegExp(`停下了。${one.code} 也一并作废，没有执行`));
    story.say("/stop");
    await story.hear("现在没有正在做的事。");
    story.say(wish);
    const two = await story.hearQuestion();
    story.say("/new");
    await story.hear(new RegExp(`从头开始.*${two.code} 也一并作废`));
    story.say(`重来 ${two.code}`);
    const three = await story.hearQuestion();
    expect(three.text).toContain("echo ran >> effect.txt");
    story.say(`取消 ${three.code}`);
    await story.hear("好吧，那就不做了。");
    expect((await outcomes(story)).map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled", "replied"]);
    expect(story.folder.workspaces()).toEqual([]);
    expect(JSON.stringify(story.model.requests)).not.toContain('"role":"user","content":"/stop');
  });

  test("a change of rules cancels an open question with one notice, and a late approval does nothing", async () => {
    const story = begin();
    story.say(wish);
    const card = await story.hearQuestion();
    story.folder.configure("system/tools.yaml", "rules: [{ tool: file_write, level: deny }]\n");
    await story.hear(new RegExp(`权限或工具的设置变了，${card.code} 已作废，没有执行`));
    await story.fake.waitFor(
      () => card.message.text.startsWith("⊘ 已作废，没有执行 · shell echo ran"),
      "the card's outcome",
    );
    story.say("确认");
    await story.hear(new RegExp(`${card.code} 已经作废，没有执行`));
    expect(story.folder.workspaces()).toEqual([]);
    expect(story.model.requests).toHaveLength(1);
    expect(count(story, /权限或工具的设置变了/)).toBe(1);
    expect(await outcomes(story)).toEqual([{ outcome: "cancelled" }]);
  });

  test("a change of rules while she is stopped closes an open question at the start", async () => {
    const story = begin();
    story.say(wish);
    const card = await story.hearQuestion();
    await story.kurisu.crash();
    story.folder.configure("system/tools.yaml", "approval: { timeout: 2s }\n");
    story.say("确认");
    await story.start();
    await story.hear(new RegExp(`权限或工具的设置变了，${card.code} 已作废`));
    await story.hear(new RegExp(`${card.code} 已经作废`));
    expect(story.folder.workspaces()).toEqual([]);
  });

  test("a deadline that passes while she is stopped is told with one notice after the start", async () => {
    const story = begin();
    story.say(wish);
    const card = await story.hearQuestion();
    await story.kurisu.crash();
    await pause(2_000);
    story.say("确认");
    await story.start();
    await story.hear(new RegExp(`${card.code}（shell .+）过期了，没有执行`));
    await story.quiet();
    expect(count(story, /（shell .+）过期了/)).toBe(1);
    expect(story.folder.workspaces()).toEqual([]);
    expect(story.model.requests).toHaveLength(1);
  });

  test("an expired question has one notice, a late 「确认」 a fixed text, and 「重来」 asks the same again", async () => {
    const story = begin();
    story.say(wish);
    const card = await story.hearQuestion();
    await story.hear(new RegExp(`${card.code}（shell .+）过期了，没有执行。还要的话说「重来」`));
    await story.fake.waitFor(() => card.message.keyboard.length === 0, "the card without buttons");
    expect(card.message.text).toMatch(/^⌛ 已过期，没有执行 · shell echo ran >> effect\.txt · \d\d:\d\d$/u);
    const asked = story.model.requests.length;
    story.say("确认");
    await story.hear(new RegExp(`${card.code} 已经过期，没有可确认的事`));
    expect(story.model.requests).toHaveLength(asked);
    expect(await outcomes(story)).toEqual([{ outcome: "expired" }]);
    expect(story.folder.workspaces()).toEqual([]);

    // Only the deadline changes: the rules stay the same, so nothing that is asked is cancelled.
    await configureTools(story, "approval: { timeout: 5m }\n");
    story.say("重来");
    const again = await story.hearQuestion();
    expect(again.text).toContain("echo ran >> effect.txt");
    expect(story.model.requests, "the frozen call is asked, not the model").toHaveLength(asked);
    // One question has just ended without their words, so a bare word might be meant for that one.
    story.say("确认");
    await story.hear(new RegExp(`回复「确认 ${again.code}」`));
    expect(story.folder.workspaces()).toEqual([]);
    story.say(`确认 ${again.code}`);
    await story.hear("好了，我看过结果了。");
    expect(effects(story)).toEqual(["ran"]);
    // Her own words before the late answer may say that something is over, too: config/personas/kurisu/persona.yaml.
    expect(count(story, /过期了，没有执行/)).toBe(1);
  });
});
