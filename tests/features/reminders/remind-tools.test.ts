import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scheduleOptions } from "../../../src/features/reminders/schedule-options.ts";
import { listAllReminders } from "../../../src/features/reminders/queries/reminders.ts";
import { createCancelReminderTool } from "../../../src/features/reminders/tools/cancel-reminder.ts";
import { createListRemindersTool } from "../../../src/features/reminders/tools/list-reminders.ts";
import { createRemindTool } from "../../../src/features/reminders/tools/remind.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { effectRules } from "../../support/effect-tools.ts";
import type { Said } from "../../support/fake-channel.ts";
import { TestGateway } from "../../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";

const alice: Said = { chat: "alice", user: "alice" };
const bob: Said = { chat: "bob", user: "bob" };
const safe = [...effectRules.permissions.safe, "remind", "list_reminders", "cancel_reminder"];
const hourMs = 3_600_000;

interface Outcome {
  readonly ok: boolean;
  readonly output?: { readonly id: string; readonly reminders: readonly { readonly id: string }[] };
  readonly error?: string;
}

describe.each(listUsualEngines())("the tools of reminders on %s:", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    const parts = {
      database: () => kurisu.store.main,
      reminders: { limits: () => scheduleOptions.parse({ reminders: { person: 4 } }), onChange: () => undefined },
    };
    kurisu = new TestGateway({
      // The clock stands still between words that are all the same.
      limits: { loop: 0 },
      place: await createStorePlace(engine),
      tools: [createRemindTool(parts), createListRemindersTool(parts), createCancelReminderTool(parts)] as Tool[],
    });
    kurisu.rules.current = { ...effectRules, permissions: { ...effectRules.permissions, safe } };
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  /** Makes these calls in one round for somebody, and gives what came of them; a question may stand in between. */
  async function call(
    said: Said,
    ...calls: readonly (readonly [name: string, args: Record<string, string | boolean>])[]
  ) {
    kurisu.model.script = ({ results }) =>
      results.length === 0 ? { calls: calls.map(([name, args]) => ({ name, arguments: args })) } : { text: "好。" };
    await kurisu.say("来", said);
    return outcomes();
  }
  const outcomes = () => (kurisu.model.asked.at(-1)?.results ?? []).map((result) => JSON.parse(result) as Outcome);
  const stored = () => listAllReminders(kurisu.store.main);

  it("set, show, change and cancel what is the asker's, and tell the time in words", async () => {
    const [set] = await call(alice, ["remind", { text: "开会", at: "明早八点" }]);
    expect(set).toMatchObject({
      ok: true,
      output: {
        text: "开会",
        next: "2026-11-23T08:00:00+08:00",
        when: "11月23日周一 08:00",
        note: expect.stringContaining("Asia/Shanghai") as string,
      },
    });
    const id = set?.output?.id ?? "";
    const [weekly, cron, soon] = await call(
      alice,
      ["remind", { text: "写周报", every: "每周一 09:00" }],
      ["remind", { text: "看天气", cron: "30 7 * * 1-5", task: true }],
      ["remind", { text: "喝水", every: "2 hours" }],
    );
    expect(weekly?.output).not.toHaveProperty("note");
    expect(weekly).toMatchObject({ output: { next: "2026-11-23T09:00:00+08:00", every: "每周一 09:00" } });
    expect(cron).toMatchObject({ output: { every: "工作日 07:30" } });
    expect(soon).toMatchObject({ output: { every: "每 2 小时" } });
    const [full] = await call(alice, ["remind", { text: "再来一个", at: "明天" }]);
    expect(full?.error).toMatch(/has 4 reminders, which is the most/);
    const [changed] = await call(alice, ["remind", { id: id.toLowerCase(), at: "2026-11-24T10:30" }]);
    expect(changed).toMatchObject({ output: { id, text: "开会", next: "2026-11-24T10:30:00+08:00" } });
    const [list] = await call(alice, ["list_reminders", {}]);
    expect(list?.output?.reminders).toHaveLength(4);
    expect(list?.output?.reminders).toContainEqual(expect.objectContaining({ text: "看天气", task: true }));
    expect((await call(alice, ["cancel_reminder", { id }]))[0]).toMatchObject({
      ok: true,
      output: { id, text: "开会" },
    });
    expect((await call(alice, ["cancel_reminder", { id }]))[0]?.error).toMatch(/No reminder with that id is waiting/);
    expect(await stored()).toHaveLength(3);
    // One that is set rings.
    await kurisu.pass(2 * hourMs);
    expect(kurisu.channel.sent.map(({ text }) => text)).toContain("到时间了：喝水");
  });

  it("name waking up where that is all that was said", async () => {
    for (const [at, text] of [
      ["wake me at 7", "wake up"],
      ["wake me up at 7am", "wake up"],
      ["明早七点叫醒我", "起床"],
      ["明日の朝7時に起こして", "起きる"],
    ] as const)
      expect(await call(alice, ["remind", { at }])).toMatchObject([{ output: { text } }]);
  });

  it("say what to ask back, and what is wrong, and then nothing is set", async () => {
    const wrong = [
      [{ at: "明天三点" }, /ask the person whether they mean 2026-11-23T03:00:00\+08:00 or 2026-11-23T15:00:00\+08:00/],
      [{ at: "一会儿" }, /ask the person when exactly/],
      [{ at: "今天" }, /at what hour/],
      [{ at: "中秋节" }, /lunar calendar/],
      [{ at: "2026-02-30T10:00" }, /no such day/],
      [{ at: "开会" }, /names no time/],
      [{ at: "2026-11-21T10:00" }, /2026-11-21T10:00:00\+08:00 is over; it is 2026-11-22T12:05:06\+08:00 now/],
      [{ at: "今天早上八点" }, /is over/],
      [{ every: "一天两次" }, /more than one time/],
      [{ every: "1m" }, /too often: at least 5 minutes/],
      [{ cron: "61 * * * *" }, /cron expression cannot be read/],
      [{ cron: "0 9 30 2 *" }, /no such day/],
      [{ at: "明天", cron: "0 9 * * *" }, /exactly one of/],
      [{}, /exactly one of/],
      [{ at: "明天", zone: "Nowhere/There" }, /must be a time zone/],
      [{ at: "明天", id: "ZZZZZ" }, /No reminder with that id/],
    ] as const;
    for (const [args, error] of wrong) {
      const [outcome] = await call(alice, ["remind", { text: "开会", ...args }]);
      expect({ args, error: outcome?.error }).toEqual({ args, error: expect.stringMatching(error) });
    }
    expect(await stored()).toEqual([]);
  });

  it("count by clocks of the person's zone, of a given one, and keep a repetition there", async () => {
    await kurisu.say("/reminders zone Europe/Berlin", alice);
    const [own] = await call(alice, ["remind", { text: "开会", at: "明早八点" }]);
    expect(own).toMatchObject({ output: { next: "2026-11-23T08:00:00+01:00" } });
    const [given] = await call(alice, [
      "remind",
      { text: "call", every: "every day at 9am", zone: "America/New_York" },
    ]);
    expect(given).toMatchObject({ output: { next: "2026-11-22T09:00:00-05:00" } });
    expect((await stored()).map(({ zone }) => zone).toSorted()).toEqual(["America/New_York", "Europe/Berlin"]);
    expect(kurisu.model.asked.at(-1)?.context).toContain("Europe/Berlin");
    expect((await call(bob, ["remind", { text: "开会", at: "明早八点" }]))[0]).toMatchObject({
      output: { next: "2026-11-23T08:00:00+08:00" },
    });
  });

  it("only an owner changes or cancels another person's reminder, and only with approval", async () => {
    const [set] = await call(alice, ["remind", { text: "开会", at: "明早八点" }]);
    const id = set?.output?.id ?? "";
    for (const said of [bob, undefined]) {
      const [refused] = await call(said ?? {}, ["cancel_reminder", { id }]);
      expect(refused?.error).toMatch(/somebody else's/);
      expect((await call(said ?? {}, ["list_reminders", {}]))[0]?.output?.reminders).toEqual([]);
    }
    await call(bob, ["cancel_reminder", { id, others: true }]);
    await kurisu.say("确认", bob);
    expect(outcomes()[0]?.error).toMatch(/somebody else's/);
    expect(await stored()).toHaveLength(1);
    await call({}, ["remind", { id, text: "开大会", others: true }]);
    expect((await stored())[0]?.text).toBe("开会");
    await kurisu.say("确认");
    expect((await stored())[0]).toMatchObject({ text: "开大会", person: "fake:alice" });
    await call({}, ["cancel_reminder", { id, others: true }]);
    await kurisu.say("取消");
    expect(await stored()).toHaveLength(1);
    await call({}, ["cancel_reminder", { id, others: true }]);
    await kurisu.say("确认");
    expect(await stored()).toEqual([]);
  });

  it("a reminder set after untrusted words is stored with their label, and a task or a change needs approval", async () => {
    kurisu.model.script = ({ results }) =>
      results.length === 0
        ? { calls: [{ name: "read_page", arguments: { what: "x" } }] }
        : results.length === 1
          ? { calls: [{ name: "remind", arguments: { text: "看网页", at: "明早八点" } }] }
          : results.length === 2
            ? { calls: [{ name: "remind", arguments: { text: "照网页做", at: "明早九点", task: true } }] }
            : { text: "好。" };
    await kurisu.say("看看", alice);
    expect(await stored()).toMatchObject([{ text: "看网页", taint: "untrusted", task: false }]);
    expect(kurisu.lastPrompt().text).toContain("照网页做");
    await kurisu.say("取消", alice);
    expect(await stored()).toHaveLength(1);
    // What comes back asks, however it is said.
    for (const args of [{ every: "1d" }, { cron: "0 9 * * *" }, { at: "每天早上八点" }, { at: "Mondays at 9am" }]) {
      kurisu.model.script = ({ results }) =>
        results.length === 0
          ? { calls: [{ name: "read_page", arguments: { what: "x" } }] }
          : results.length === 1
            ? { calls: [{ name: "remind", arguments: { text: "天天看", ...args } }] }
            : { text: "好。" };
      await kurisu.say("再看看", alice);
      expect(kurisu.lastPrompt().text).toContain("天天看");
      await kurisu.say("取消", alice);
    }
    expect(await stored()).toHaveLength(1);
    // The list carries the label on.
    const id = (await stored())[0]?.id ?? "";
    kurisu.model.script = ({ results }) =>
      results.length === 0
        ? { calls: [{ name: "list_reminders", arguments: {} }] }
        : results.length === 1
          ? { calls: [{ name: "cancel_reminder", arguments: { id } }] }
          : { text: "好。" };
    await kurisu.say("/new", alice);
    await kurisu.say("清一下", alice);
    expect(await stored()).toHaveLength(1);
    await kurisu.say("确认", alice);
    expect(await stored()).toEqual([]);
  });

  it("the tools refuse guests, and in a group show only what was set there", async () => {
    const group: Said = { chat: "team", user: "alice", group: true };
    await call(alice, ["remind", { text: "看病", at: "明早八点" }]);
    await call(group, ["remind", { text: "开会", at: "明早九点" }]);
    const [list] = await call(group, ["list_reminders", {}]);
    expect(list?.output?.reminders).toMatchObject([{ text: "开会" }]);
    const [all] = await call(alice, ["list_reminders", {}]);
    expect(all?.output?.reminders).toHaveLength(2);
    await call({ ...group, user: "mallory" }, ["remind", { text: "闹", at: "明早八点" }]);
    expect(await stored()).toHaveLength(2);
  });

  it("a group neither shows nor changes a reminder of a private chat by its id", async () => {
    const group: Said = { chat: "team", user: "alice", group: true };
    await call(alice, ["remind", { text: "看病", at: "明早八点" }]);
    const [before] = await stored();
    const id = before?.id ?? "";
    for (const [name, given] of [
      ["remind", { id, at: "明早九点" }],
      ["remind", { id, text: "开会" }],
      ["cancel_reminder", { id }],
    ] as const) {
      const [outcome] = await call(group, [name, given]);
      expect(outcome?.ok).toBe(false);
      expect(JSON.stringify(outcome)).not.toContain("看病");
    }
    // An owner who may change those of others does not hear of it in the group, either.
    const [ofOwner] = await call({ ...group, user: "owner" }, ["cancel_reminder", { id, others: true }]);
    expect(JSON.stringify(ofOwner ?? kurisu.lastText())).not.toContain("看病");
    for (const command of [`/reminders cancel ${id}`, "/reminders"]) {
      await kurisu.say(command, group);
      expect(kurisu.lastText()).not.toContain("看病");
    }
    expect(await stored()).toEqual([before]);
    expect(JSON.stringify(kurisu.channel.sent.filter(({ message }) => message.address.chat === "team"))).not.toContain(
      "看病",
    );
    const [cancelled] = await call(alice, ["cancel_reminder", { id }]);
    expect(cancelled).toMatchObject({ ok: true });
  });

  it("the request at the end of the words is no part of the reminder", async () => {
    for (const words of ["体检提醒我一下", "体检提醒我", "体检，到时候提醒我", "提醒我体检"]) {
      await kurisu.say(`/remind 明天下午五点${words}`, alice);
      expect(kurisu.lastText()).toMatch(/提醒你：体检(?:\n|$)/);
    }
  });

  it("commands show, set and cancel reminders as well, in the person's own clock and without a model", async () => {
    const asked = kurisu.model.asked.length;
    const say = async (text: string, said: Said = alice) => {
      await kurisu.say(text, said);
      return kurisu.lastText();
    };
    expect(await say("/reminders")).toMatch(/^现在没有等着的提醒/);
    expect(await say("/remind")).toMatch(/^这样写/);
    expect(await say("/remind 明早八点 提醒我开会")).toBe(
      "记下了：11月23日周一 08:00（还有 19 小时 54 分钟）提醒你：开会\n（按 Asia/Shanghai 的时间；不对就 /reminders zone Asia/Tokyo）",
    );
    expect(await say("/remind 每周一早上九点 写周报")).toMatch(
      /^记下了：11月23日周一 09:00，每周一 09:00（还有 .+）提醒你：写周报$/,
    );
    expect(await say("/remind in 10 minutes to stretch")).toMatch(/12:15:06.*stretch$/);
    expect(await say("/remind 明天三点 开会")).toBe(
      "是 11月23日周一 03:00，还是 11月23日周一 15:00？加上「上午」或「下午」，整句再说一遍。",
    );
    expect(await say("/remind 一会儿 喝水")).toMatch(/准一点的时间/);
    expect(await say("/remind 纽约时间明早八点 看直播")).toMatch(
      /^记下了：11月22日周日 21:00（还有 .+）提醒你：看直播$/,
    );
    expect(await say("/reminders cancel 2")).toBe("不提醒了：看直播");
    expect(await say("/remind 今天早上八点 开会")).toMatch(/08:00 已经过了/);
    expect(await say("/remind 明早八点")).toMatch(/^提醒你什么/);
    expect(await say("/remind 下班后 买菜")).toMatch(/^没看出是什么时间。这样写/);
    expect(await say("/remind 每隔一分钟 喝水")).toMatch(/太密了.*5 分钟/);
    await say("/remind 明天 交周报", { chat: "team", user: "alice", group: true });
    expect(await say("/reminders", { chat: "team", user: "alice", group: true })).toMatch(
      /^等着的提醒（1）：\n1\. 11月23日周一 09:00（还有 .+）交周报$/,
    );
    expect(await say("/reminders")).toMatch(
      /^等着的提醒（4）：\n1\. 11月22日周日 12:15:06（还有 10 分钟）stretch\n2\. 11月23日周一 08:00（.*\n3\. .*\n4\. /,
    );
    expect(await say("/reminders cancel 1")).toBe("不提醒了：stretch");
    expect(await say("/reminders cancel 9")).toBe("没有第 9 个提醒，/reminders 看有哪些。");
    expect(await say("/reminders cancel 1", bob)).toMatch(/^没有第 1 个提醒/);
    expect(await say("/reminders zone")).toContain("Asia/Shanghai");
    expect(await say("/reminders zone 火星")).toMatch(/^没有 火星 这个时区/);
    expect(await say("/reminders zone UTC+9")).toContain("+09:00");
    // The first zone that somebody names keeps the clock times of what is set.
    expect(await say("/reminders")).toMatch(/1\. 11月23日周一 08:00（/);
    expect(await say("/remind 两小时后叫我")).toMatch(/^记下了：11月22日周日 15:05（还有 2 小时）提醒你：到点了$/);
    await kurisu.pass(2 * hourMs);
    expect(kurisu.lastText()).toBe("到点了");
    expect(await say("/reminders what")).toMatch(/^用法/);
    expect(await say("/remind 明早八点 闹", { chat: "team", user: "mallory", group: true })).toBe(
      "提醒只给管理员放进来的人用。",
    );
    expect(kurisu.model.asked).toHaveLength(asked);
    expect(await stored()).toHaveLength(3);
  });

  it("/提醒 with a time sets a reminder, and takes its actions in Chinese", async () => {
    const say = async (text: string) => {
      await kurisu.say(text, alice);
      return kurisu.lastText();
    };
    expect(await say("/提醒 明早八点 开会")).toMatch(/^记下了：11月23日周一 08:00/);
    expect(await say("/提醒 列表")).toMatch(/^等着的提醒（1）/);
    expect(await say("/提醒 取消 1")).toBe("不提醒了：开会");
    expect(await say("/提醒 时区")).toContain("Asia/Shanghai");
    expect(await say("/提醒 delete 3")).toMatch(/^用法/);
  });
});
