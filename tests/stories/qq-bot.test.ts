import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { lastWords } from "../support/kurisu-process/scripted-model.ts";
import { waitUntil } from "../support/wait-until.ts";
import type { RunningKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { ownerInGroup, qqGroup, startQqBotStory, type QqBotStory } from "../support/kurisu-process/qq-story.ts";

const sides = ["gateway", "webhook"] as const;
const asOwner = { chat: qqGroup, from: ownerInGroup, toUs: true } as const;
const asStranger = { chat: qqGroup, from: { id: "STRANGER", name: "路人" }, toUs: true } as const;
const done = "好了，我看过结果了。";
const effects = ({ folder }: QqBotStory) => folder.workspaceLines("effect.txt");

describe.each(sides)("the official QQ bot by the %s", (side) => {
  test("answers in private and in a group it was let into; only the asker decides, by a button and by words, also over a drop and after kill -9", async () => {
    const story = await startQqBotStory(side);
    const kurisu = await story.start();
    await story.connect();
    story.say("在吗");
    await story.hear("嗯，我在听。");
    story.say("在吗", { chat: "private:STRANGER", from: { id: "STRANGER" } });
    await story.hear(/[A-Z0-9]{4}-[A-Z0-9]{4}/, { chat: "private:STRANGER" });
    story.say("在吗", asStranger);
    story.say("在吗", asOwner);
    await story.hear(/这个群还没开启/, { chat: qqGroup });
    story.say("/pair", asOwner);
    await story.hear(/这个群开启了/, { chat: qqGroup });
    story.say("在吗", asOwner);
    const heard = await story.hear("嗯，我在听。", { chat: qqGroup });
    expect(heard.quoted).toBeDefined();
    if (dockerIsThere()) await decideQuestions(story, kurisu, side);
  });
});

test("the owner makes themselves known in a group that is not open, by two codes of their private chat, and opens it", async () => {
  const story = await startQqBotStory("gateway");
  await story.start();
  const me = { chat: qqGroup, from: { id: "ANOTHER0PENID" }, toUs: true } as const;
  const readCode = (text: string) => /\/link (\S+)/.exec(text)?.[1] ?? "";
  story.say("/pair", me);
  story.say("/link");
  const first = readCode((await story.hear(/10 分钟/)).text);
  story.say(`/link ${first}`, me);
  await story.hear("好。剩下的看我们的私聊。", { chat: qqGroup });
  const second = readCode((await story.hear(/刚才有个群里的人/)).text);
  story.say(`/link ${second}`, asStranger);
  await story.hear(/不对/, { chat: qqGroup });
  story.say("/link");
  const again = readCode((await story.hear(/10 分钟/)).text);
  story.say(`/link ${again}`, me);
  await story.hear("好。剩下的看我们的私聊。", { chat: qqGroup });
  story.say(`/link ${readCode((await story.hear(/刚才有个群里的人/)).text)}`, me);
  await story.hear("关联好了。", { chat: qqGroup });
  story.say("/pair", me);
  await story.hear(/这个群开启了/, { chat: qqGroup });
  expect(story.said(qqGroup)).toHaveLength(5);
});

test("a result that comes too late for QQ goes out with the next message, first", async () => {
  const thinking = Promise.withResolvers<void>();
  const story = await startQqBotStory("gateway", {
    async script(request) {
      if (/慢慢想/.test(lastWords(request))) await thinking.promise;
      return undefined;
    },
  });
  await story.start();
  story.say("/pair", asOwner);
  await story.hear(/这个群开启了/, { chat: qqGroup });
  const late = story.say("慢慢想", asOwner);
  await waitUntil("the model to be asked", () => story.model.requests.length === 1);
  story.fake.advance(6 * 60_000);
  thinking.resolve();
  const isRefused = () => story.fake.calls.some(({ code }) => code === 40034005);
  await waitUntil("QQ to refuse the late answer", isRefused);
  const next = story.say("想好了吗", asOwner);
  const first = await story.hear("嗯，我在听。", { chat: qqGroup });
  const second = await story.hear("嗯，我在听。", { chat: qqGroup });
  expect(first).toMatchObject({ answers: next.messageId, quoted: late.messageId });
  expect(second).toMatchObject({ answers: next.messageId, quoted: next.messageId });
  await story.quiet();
  expect(story.said(qqGroup)).toHaveLength(3);
});

async function decideQuestions(story: QqBotStory, kurisu: RunningKurisu, side: (typeof sides)[number]) {
  const { fake } = story;
  story.say("运行 echo one >> effect.txt", asOwner);
  const card = await story.hearQuestion(qqGroup);
  expect(card.message.buttons.map(({ label }) => label)).toEqual(expect.arrayContaining(["确认", "取消"]));
  expect(card.text).toContain("4 分钟");

  // The wrong person, in every way.
  const wrong = fake.press({
    chat: qqGroup,
    messageId: card.message.messageId,
    button: "确认",
    from: asStranger.from,
  });
  await fake.waitFor(() => fake.acks.get(wrong.pressId) === 4, "the press of a stranger to be turned away");
  story.say(`确认 ${card.code}`, asStranger);
  await story.hear(/得 冈部 本人来答复/, { chat: qqGroup });
  story.say("确认", { ...asStranger, quoting: card.message.messageId });
  await story.hear(/得 冈部 本人来答复/, { chat: qqGroup });
  expect(effects(story)).toEqual([]);

  // The connection is gone; what is said meanwhile comes after it.
  fake.down();
  await fake.waitFor(() => fake.gateway.connections() === 0, "the end of the connection");
  const press = fake.press({ chat: qqGroup, messageId: card.message.messageId, button: "确认", from: ownerInGroup });
  fake.up();
  await story.hear(done, { chat: qqGroup });
  expect(effects(story)).toEqual(["one"]);
  await fake.waitFor(() => fake.acks.has(press.pressId) || side === "webhook", "the press to be acknowledged");

  // The words of the asker, said while she is gone after kill -9, decide once; a no is a no.
  await story.quiet();
  const before = story.said(qqGroup).filter((text) => text === done).length;
  story.say("运行 echo two >> effect.txt", asOwner);
  const second = await story.hearQuestion(qqGroup);
  await kurisu.crash();
  // It comes when she is back: the gateway keeps it for its session, the webhook is called again.
  story.say(`确认 ${second.code}`, { ...asOwner, quoting: second.message.messageId });
  await story.start();
  await story.hear(done, { chat: qqGroup });
  expect(story.said(qqGroup).filter((text) => text === done)).toHaveLength(before + 1);
  story.say("运行 echo three >> effect.txt");
  const own = await story.hearQuestion();
  expect(own.message.buttons.length).toBeGreaterThan(1);
  story.say("取消");
  await story.hear("好吧，那就不做了。");
  await story.quiet();
  expect(effects(story)).toEqual(["one", "two"]);
}
