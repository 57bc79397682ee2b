import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test, type TestContext } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { qqOwner, startOneBotStory, type OneBotStory } from "../support/kurisu-process/onebot-story.ts";
import type { StoryOptions } from "../support/kurisu-process/start-story.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { lastWords, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { waitUntil } from "../support/wait-until.ts";
import type { PeerSide } from "../support/onebot/onebot-peer.ts";

const group = "group:30001";
const us = 10_001;
const asOwner = { chat: group, from: qqOwner } as const;
const asStranger = { chat: group, from: { id: 99, name: "路人" } } as const;
const toUs = { at: [us] } as const;
const done = "好了，我看过结果了。";
const sides: readonly PeerSide[] = ["forward", "reverse"];

const effects = ({ folder }: OneBotStory) => folder.workspaceLines("effect.txt");

type Ending = Pick<TestContext, "onTestFinished">;

/** These tests mostly wait, as long as QQ wants between two messages: they run beside each other, each ends its own things. */
function startStory(side: PeerSide, { onTestFinished }: Ending, more: StoryOptions = {}): Promise<OneBotStory> {
  return startOneBotStory(side, { ...more, keep: (end) => onTestFinished(async () => end()) });
}

/** A group that its owner has opened. */
async function startInGroup(side: PeerSide, ending: Ending): Promise<OneBotStory> {
  const story = await startStory(side, ending);
  await story.start();
  await openGroup(story);
  return story;
}

async function openGroup(story: OneBotStory): Promise<void> {
  story.say("/pair", { ...asOwner, ...toUs });
  await story.hear(/这个群开启了/, { chat: group });
}

/** The connection is gone, and what is said meanwhile reaches nobody. */
async function loseConnection({ fake }: OneBotStory): Promise<void> {
  fake.down();
  await fake.waitFor(() => fake.connections().length === 0, "the end of the connection");
}

async function reconnect({ fake }: OneBotStory): Promise<void> {
  fake.up();
  await fake.waitForConnection();
}

describe.concurrent("in QQ", () => {
  describe.each(sides)("a QQ group, %s", (side) => {
    test("she answers no words that are not said to her, and all that were said while QQ or she was gone", async (ending) => {
      const story = await startStory(side, ending);
      const kurisu = await story.start();
      await openGroup(story);
      story.say("今天真热", asStranger);
      story.say("@Kurisu 在吗", asOwner);
      story.say("在吗", { ...asOwner, ...toUs });
      await story.hear("嗯，我在听。", { chat: group });
      expect(story.model.requests).toHaveLength(1);

      await loseConnection(story);
      expect(story.say("刚才说到哪了", { ...asOwner, ...toUs }).delivered).toBe(0);
      expect(story.say("我也在", asStranger).delivered).toBe(0);
      await reconnect(story);
      const missed = await story.hear("嗯，我在听。", { chat: group });
      expect(story.fake.messages(group).at(-1)).toBe(missed);
      await story.quiet();
      expect((await kurisu.stop()).code).toBe(0);
      story.say("现在呢", { ...asOwner, ...toUs });
      await story.start();
      await story.hear("嗯，我在听。", { chat: group });
      await story.quiet();
      expect(story.model.requests).toHaveLength(3);
      expect(story.said(group).filter((text) => text === "嗯，我在听。")).toHaveLength(3);
      expect(story.fake.callsOf("get_group_msg_history").length).toBeGreaterThanOrEqual(2);
    });
  });

  describe.runIf(dockerIsThere())("who may answer a question in a QQ group", () => {
    test("only the asker answers, in the group and in their own words; a lost connection keeps their answer, once", async (ending) => {
      const story = await startInGroup("reverse", ending);
      const asked = story.say("运行 echo ran >> effect.txt", { ...asOwner, ...toUs });
      const card = await story.hearQuestion(group);
      expect(card.text).toContain(`确认 ${card.code}`);
      expect(card.message.replyTo).toBe(asked.messageId);

      story.say(`确认 ${card.code}`, asStranger);
      await story.hear(/得 冈部 本人来答复/, { chat: group });
      story.say("确认", { ...asStranger, replyTo: card.message.messageId });
      await story.hear(/得 冈部 本人来答复/, { chat: group });
      const masked = { ...asOwner, anonymous: true };
      story.say(`确认 ${card.code}`, masked);
      await story.hear(/本人来答复/, { chat: group });

      const other = story.say("随便说一句", asStranger);
      story.say("确认", { ...asOwner, replyTo: other.messageId });
      await story.hear(/你引用的不是那条询问/, { chat: group });
      story.say(`确认 ${card.code}`);
      await story.hear(new RegExp(`没有编号是 ${card.code} 的事`));
      await story.quiet();
      expect(story.folder.workspaces()).toEqual([]);
      expect(story.model.requests).toHaveLength(1);

      await loseConnection(story);
      await reconnect(story);
      const yes = story.say("确认", asOwner);
      await story.hear(done, { chat: group });
      story.fake.repeat(yes.messageId);
      story.say("确认", asOwner);
      await story.hear(/确认/, { chat: group });
      await story.quiet();
      expect(effects(story)).toEqual(["ran"]);
      expect(story.said(group).filter((text) => text === done)).toHaveLength(1);
    });

    test("an approval said while QQ was gone counts when it is back", async (ending) => {
      const story = await startInGroup("forward", ending);
      story.say("运行 echo ran >> effect.txt", { ...asOwner, ...toUs });
      await story.hearQuestion(group);
      await loseConnection(story);
      expect(story.say("确认", asOwner).delivered).toBe(0);
      await reconnect(story);
      await story.hear(done, { chat: group });
      await story.quiet();
      expect(effects(story)).toEqual(["ran"]);
    });
  });

  test.runIf(dockerIsThere())("a late approval that was written before the prompt runs nothing", async (ending) => {
    const thinking = Promise.withResolvers<void>();
    const story = await startStory("forward", ending, {
      async script(request) {
        if (/运行/.test(lastWords(request)) && resultsOfThisTurn(request).length === 0) await thinking.promise;
        return undefined;
      },
    });
    await story.start();
    await openGroup(story);
    story.say("运行 echo ran >> effect.txt", { ...asOwner, ...toUs });
    await waitUntil("the model to be asked", () => story.model.requests.length === 1);
    await loseConnection(story);
    story.say("确认", asOwner);
    // QQ counts whole seconds.
    await pause(2_100);
    const slow = Promise.withResolvers<void>();
    story.fake.failNext("get_group_msg_history", { kind: "late", until: slow.promise });
    await reconnect(story);
    thinking.resolve();
    const card = await story.hearQuestion(group);
    slow.resolve();
    await story.hear(new RegExp(`这句话是在 ${card.code} 发出之前说的`), { chat: group });
    expect(story.folder.workspaces()).toEqual([]);
    story.say(`确认 ${card.code}`, asOwner);
    await story.hear(done, { chat: group });
    expect(effects(story)).toEqual(["ran"]);
  });

  test.runIf(dockerIsThere())(
    "an approval older than a prompt sent only after a restart runs nothing either",
    async (ending) => {
      const thinking = Promise.withResolvers<void>();
      const story = await startStory("forward", ending, {
        async script(request) {
          if (/运行/.test(lastWords(request)) && resultsOfThisTurn(request).length === 0) await thinking.promise;
          return undefined;
        },
      });
      const first = await story.start();
      await openGroup(story);
      story.say("运行 echo ran >> effect.txt", { ...asOwner, ...toUs });
      await waitUntil("the model to be asked", () => story.model.requests.length === 1);
      await loseConnection(story);
      thinking.resolve();
      const waiting = () => lookIntoStore(story.folder, "select id from questions where state = 'open'");
      await waitUntil("the question to be asked", async () => (await waiting()).length === 1);
      story.say("确认", asOwner);
      await first.crash();
      // QQ counts whole seconds.
      await pause(2_100);
      const slow = Promise.withResolvers<void>();
      story.fake.failNext("get_group_msg_history", { kind: "late", until: slow.promise });
      story.fake.up();
      await story.start();
      const card = await story.hearQuestion(group);
      slow.resolve();
      await story.hear(new RegExp(`这句话是在 ${card.code} 发出之前说的`), { chat: group });
      expect(story.folder.workspaces()).toEqual([]);
      story.say("确认", { ...asOwner, replyTo: card.message.messageId });
      await story.hear(done, { chat: group });
      expect(effects(story)).toEqual(["ran"]);
    },
  );

  test.runIf(dockerIsThere())(
    "the asker approves by code, bare word or a quote with a mention, and rejects; an unconfirmed message comes once",
    async (ending) => {
      const story = await startInGroup("forward", ending);
      const ways: readonly ((code: string, replyTo: number) => void)[] = [
        (code) => story.say(`确认 ${code}`, asOwner),
        () => story.say("确认", { ...asOwner, ...toUs }),
        (_, replyTo) => story.say("确认", { ...asOwner, ...toUs, replyTo }),
      ];
      for (const [index, answer] of ways.entries()) {
        story.say(`运行 echo ${index} >> effect.txt`, { ...asOwner, ...toUs });
        const { code, message } = await story.hearQuestion(group);
        answer(code, message.messageId);
        await story.hear(done, { chat: group });
      }
      expect(effects(story)).toEqual(["0", "1", "2"]);
      story.say("运行 echo no >> effect.txt", { ...asOwner, ...toUs });
      await story.hearQuestion(group);
      story.say("取消", asOwner);
      await story.hear("好吧，那就不做了。", { chat: group });
      story.say("运行 echo no >> effect.txt");
      await story.hearQuestion();
      story.say("取消");
      await story.hear("好吧，那就不做了。");
      expect(effects(story)).toEqual(["0", "1", "2"]);

      for (const [index, taken] of [true, false].entries()) {
        story.fake.failNext("send_group_msg", { kind: "refuse", retcode: 1200, taken });
        story.say("在吗", { ...asOwner, ...toUs });
        await story.hear("嗯，我在听。", { chat: group });
        await story.quiet();
        expect(story.said(group).filter((text) => text === "嗯，我在听。")).toHaveLength(index + 1);
      }
    },
  );
});
