import { expect, it } from "vitest";
import { HandClock } from "../support/hand-clock.ts";
import { startFakeOneBot } from "../support/onebot/fake-onebot.ts";
import { startOneBotChannel } from "../support/onebot/start-onebot-channel.ts";
import { startFakeBotApi } from "../support/telegram/fake-bot-api.ts";
import { startTelegram } from "../support/telegram/start-telegram.ts";

it("Telegram: is whom the group has as administrator or creator, by getChatMember, kept for half a minute", async () => {
  const clock = new HandClock();
  await using fake = await startFakeBotApi();
  await using telegram = await startTelegram(fake, { clock });
  const address = { platform: "telegram", account: "1", chat: "-100", thread: null };
  const is = async (user: string, chat = "-100") => telegram.channel.isAdministrator?.({ ...address, chat }, user);
  fake.memberStatus.set("-100 1", "creator").set("-100 2", "administrator").set("-100 3", "restricted");
  expect(await Promise.all(["1", "2", "3", "4"].map((user) => is(user)))).toEqual([true, true, false, false]);
  fake.memberStatus.set("-100 2", "member");
  const asked = () => fake.calls.filter(({ method }) => method === "getChatMember").length;
  expect([await is("2"), asked()]).toEqual([true, 4]);
  clock.advance(30_000);
  expect([await is("2"), asked()]).toEqual([false, 5]);
  expect([await is("1", "-101"), await is("1", "1"), asked()]).toEqual([false, false, 6]);
  fake.memberStatus.set("-100 9", "creator");
  fake.failNext("getChatMember", { kind: "answer", status: 403, description: "Forbidden: bot was kicked" });
  expect([await is("9"), await is("9")]).toEqual([false, true]);
});

it("QQ: the administrators are those whom the event or get_group_member_info calls owner or admin, and none without an answer", async () => {
  const clock = new HandClock();
  await using fake = await startFakeOneBot();
  await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token, clock });
  await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
  fake.addGroup(30001, {
    members: [
      { id: 20001, name: "群主", role: "owner" },
      { id: 20002, name: "管理", role: "admin" },
      { id: 20003, name: "小红" },
    ],
  });
  const members = [{ id: 20001, role: "owner" }, { id: 20002, role: "admin" }, { id: 20003 }] as const;
  for (const [index, from] of members.entries()) {
    fake.say({ chat: "group:30001", from, text: "你好" });
    await fake.waitFor(() => onebot.messages().length === index + 1, "the message");
  }
  expect(onebot.messages().map(({ sender }) => sender.administrator)).toEqual([true, true, false]);
  const address = { platform: "qq", account: String(fake.selfId), chat: "30001", thread: null };
  const is = async (user: string, changes: Partial<typeof address> = {}) =>
    onebot.channel.isAdministrator?.({ ...address, ...changes }, user);
  expect(await Promise.all(["20001", "20002", "20003", "20009"].map((user) => is(user)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(await is("20001", { chat: "30002" })).toBe(false);
  expect(await is("20001", { chat: "private:20001" })).toBe(false);
  expect(await is("20001", { account: "1" })).toBe(false);
});
