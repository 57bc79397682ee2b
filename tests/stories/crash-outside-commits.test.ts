/*
 * kill -9 where no write of ours is near: while the container works, and while Telegram takes a message. So the database makes
 * no difference here; tests/stories/kill-matrix kills around the writes of both.
 */
import { describe, expect, test } from "vitest";
import { dockerIsThere, requireDocker } from "../support/docker.ts";
import { listUsualEngines } from "../support/store-engines.ts";
import { waitUntil } from "../support/wait-until.ts";
import { describeRest } from "../support/kurisu-process/drive-to-end.ts";
import { shareTelegramStory } from "../support/kurisu-process/share-telegram-story.ts";
import type { TelegramStory } from "../support/kurisu-process/telegram-story.ts";

const effects = ({ folder }: TelegramStory) => folder.workspaceLines("effect.txt");
const nothingLeft = { inbox: [], turns: [], questions: [], outbox: [], checkpoints: [] };

describe.runIf(dockerIsThere()).each(listUsualEngines())("kill -9 while others act, on %s", (engine) => {
  const begin = shareTelegramStory({ engine });

  test("a kill while the command runs: it is not run again, and the person hears that its end is unknown", async () => {
    const docker = requireDocker();
    const story = begin();
    story.say("运行 echo ran >> effect.txt; sleep 60; echo late >> effect.txt");
    await story.hearQuestion();
    story.say("确认");
    await waitUntil("the first line of the command", () => effects(story).length === 1);
    await story.kurisu.crash();
    const ours = async () =>
      (await docker.listContainers({ all: true })).filter(({ Mounts }) =>
        Mounts.some(({ Source }) => Source.startsWith(story.folder.home)),
      );
    await waitUntil("the end of the container whose gateway died", async () => (await ours()).length === 0);
    expect(effects(story)).toEqual(["ran"]);
    await story.start();
    await story.hear(/shell 可能执行了，也可能没有，我没有再跑一次/);
    expect(effects(story)).toEqual(["ran"]);
    expect(JSON.stringify(story.model.requests.at(-1)?.messages.at(-1))).toContain("unknown");
    story.say("确认");
    await story.hear(/之前已经确认过了，不会再执行一遍/);
    expect(effects(story)).toEqual(["ran"]);
    await story.quiet();
    expect(await describeRest(story.folder)).toEqual(nothingLeft);
  });

  test.each([
    { taken: false, copies: 1 },
    { taken: true, copies: 2 },
  ])(
    "a kill while Telegram takes the question (taken: $taken): $copies in the chat, either decides the same one",
    async ({ taken, copies }) => {
      const story = begin();
      // The server never answers, so the process cannot know; `taken` is whether the message is in the chat all the same.
      story.fake.failNext("sendMessage", { kind: "drop", taken });
      const sent = story.fake.callsOf("sendMessage").length;
      const dropped = () => story.fake.callsOf("sendMessage").length > sent;
      story.say("运行 echo ran >> effect.txt");
      await waitUntil("the question on its way", dropped);
      await story.kurisu.crash();
      await story.start();
      const cards = () => story.fake.botMessages(story.owner).filter(({ texts }) => /编号/.test(texts[0] ?? ""));
      await waitUntil("the question again", () => cards().length === copies);
      await story.quiet();
      const [card] = cards();
      story.fake.press({ chat: story.owner, messageId: card?.messageId ?? 0, button: "确认" });
      await story.hear("好了，我看过结果了。");
      const last = cards().at(-1);
      if (last?.keyboard.length) story.fake.press({ chat: story.owner, messageId: last.messageId, button: "确认" });
      await story.quiet();
      expect(effects(story)).toEqual(["ran"]);
      expect(await describeRest(story.folder)).toEqual(nothingLeft);
    },
  );

  test("a kill while Telegram takes the reply: at most one copy more, and the command does not run again", async () => {
    const story = begin();
    story.say("运行 echo ran >> effect.txt");
    await story.hearQuestion();
    await story.quiet();
    const sent = story.fake.callsOf("sendMessage").length;
    story.fake.failNext("sendMessage", { kind: "drop", taken: true });
    story.say("确认");
    await waitUntil("the reply on its way", () => story.fake.callsOf("sendMessage").length > sent);
    await story.kurisu.crash();
    await story.start();
    await story.hear("好了，我看过结果了。");
    await story.quiet();
    expect(story.said().filter((text) => text === "好了，我看过结果了。").length).toBeLessThanOrEqual(2);
    expect(effects(story)).toEqual(["ran"]);
  });
});
