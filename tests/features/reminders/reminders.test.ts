import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toSessionId } from "../../../src/channels/session-id.ts";
import type { Schedule } from "../../../src/core/schedule/schedule.ts";
import { saveChatMove } from "../../../src/store/queries/chat-moves.ts";
import { readWindow } from "../../../src/store/queries/messages.ts";
import {
  findReminder,
  insertReminder,
  listAllReminders,
  type Reminder,
} from "../../../src/features/reminders/queries/reminders.ts";
import { makeMessage, type Said } from "../../support/fake-channel.ts";
import { codeOf, TestGateway } from "../../support/gateway.ts";
import type { TestGatewayOptions } from "../../support/gateway-options.ts";
import { obeyWords } from "../../support/obey-words.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";

const alice: Said = { chat: "alice", user: "alice" };
const group: Said = { chat: "team", user: "alice", group: true };
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe.each(listUsualEngines())("reminders on %s:", (engine) => {
  let kurisu: TestGateway;
  let options: TestGatewayOptions = {};
  beforeEach(async () => {
    options = {};
    await begin();
  });
  afterEach(() => kurisu.dispose());

  async function begin(): Promise<void> {
    kurisu = new TestGateway({ place: await createStorePlace(engine), ...options });
    // What is scheduled stands in the record that begins the turn.
    kurisu.model.script = (view) => obeyWords({ ...view, text: /"task":"([^"]*)"/.exec(view.text)?.[1] ?? view.text });
    await kurisu.start();
    await kurisu.say("你好", alice);
    await kurisu.say("大家好", group);
    kurisu.channel.sent.length = 0;
  }

  let count = 0;
  /** Due after so many milliseconds, unless it has a schedule of its own. */
  async function set(
    text: string,
    wanted: Partial<Pick<Reminder, "task" | "taint" | "person" | "sources">> & {
      said?: Said;
      in?: number;
      schedule?: Schedule;
    } = {},
  ): Promise<string> {
    const { said = alice, schedule, in: afterMs = hourMs, ...more } = wanted;
    const now = kurisu.clock.now();
    count += 1;
    const id = `r${String(count).padStart(3, "0")}`;
    await insertReminder(kurisu.store.main, {
      id,
      person: `fake:${said.user}`,
      name: said.user ?? "",
      session: toSessionId(makeMessage("", said).address),
      text,
      task: false,
      schedule: schedule ?? { kind: "once", at: now + afterMs },
      zone: "Asia/Shanghai",
      language: "zh",
      taint: "user",
      sources: [],
      nextDue: now + afterMs,
      now,
      ...more,
    });
    return id;
  }
  const hourly = (): Schedule => ({ kind: "every", everyMs: hourMs, from: kurisu.clock.now() + hourMs });
  const heard = (chat = "alice") =>
    kurisu.channel.sent.filter(({ message }) => message.address.chat === chat).map(({ text }) => text);

  it("one that its person refuses in private is told to the owner", async () => {
    await kurisu.say("在吗", { chat: "owner", user: "owner" });
    kurisu.channel.sent.length = 0;
    kurisu.channel.onSend = ({ address }) =>
      address.chat === "alice" ? { kind: "refused", reason: "bot was blocked by the user" } : undefined;
    await set("喝水");
    await kurisu.pass(hourMs);
    await kurisu.settle();
    expect(heard("owner").join("\n")).toMatch(/发不出去（bot was blocked by the user）.*喝水/s);
  });

  it("one that the group refuses for good is told to the person in private", async () => {
    kurisu.channel.onSend = ({ address }) =>
      address.chat === "team" ? { kind: "refused", reason: "kicked out" } : undefined;
    await set("喝水", { said: group });
    await kurisu.pass(hourMs);
    await kurisu.settle();
    expect(heard().join("\n")).toMatch(/群里没收，所以在这里说：\n.*喝水/s);
  });

  it("one is told at its time, once, without a model, and the conversation knows of it", async () => {
    const id = await set("开会\n带上 *材料* @bob .@bob a@b.example");
    await kurisu.pass(hourMs - 1);
    expect(heard()).toEqual([]);
    const asked = kurisu.model.asked.length;
    await kurisu.pass(1);
    expect(heard()).toEqual(["到时间了：开会\n带上 *材料* ＠bob .＠bob a@b.example"]);
    expect(kurisu.channel.sent.at(-1)?.message.plain).toBe(true);
    await kurisu.pass(48 * hourMs);
    await kurisu.restart();
    await kurisu.settle();
    expect(heard()).toHaveLength(1);
    expect(kurisu.model.asked).toHaveLength(asked);
    expect(await findReminder(kurisu.store.main, id)).toMatchObject({ state: "done", nextDue: null });
    await kurisu.say("好", alice);
    expect(JSON.stringify(kurisu.model.asked.at(-1)?.request.messages)).toContain("asked to be reminded of");
    const { session } = (await findReminder(kurisu.store.main, id)) ?? { session: "" };
    const rows = await readWindow(kurisu.store.main, session, { from: 0, upTo: 99 });
    expect(rows.find(({ role }) => role === "note")).toMatchObject({ taint: "user" });
  });

  it("those of a group name who set them; what is due together comes as one message a person", async () => {
    await set("交周报", { said: group });
    await set("订会议室", { said: group, in: hourMs + minuteMs });
    await set("浇花", { said: { ...group, user: "bob" } });
    await set("给妈妈打电话", { taint: "untrusted", sources: ["evil.example"] });
    kurisu.clock.advance(3 * hourMs);
    await kurisu.restart();
    await kurisu.pass(0);
    expect(heard("team").toSorted()).toEqual([
      expect.stringMatching(
        /^alice，到时间了，有 2 件事：\n· 交周报（本来是 13:05 的，我这边停了 2 小时[^\n]*\n· 订会议室（/,
      ),
      expect.stringMatching(/^bob，到时间了：浇花\n（本来是 13:05 的，我这边停了 2 小时。）$/),
    ]);
    expect(heard()).toEqual([expect.stringMatching(/^到时间了：给妈妈打电话\n（本来是 [^\n]*$/)]);
  });

  it("a repeating reminder tells its missed times as one and keeps its rhythm", async () => {
    // She was there all the time, and only the clock was moved.
    await set("站起来");
    await kurisu.pass(3 * hourMs);
    expect(heard()).toEqual(["到时间了：站起来\n（本来是 13:05 的，晚了 2 小时。）"]);
    kurisu.channel.sent.length = 0;
    const id = await set("喝水", { schedule: hourly() });
    const start = kurisu.clock.now();
    await kurisu.stop();
    kurisu.clock.advance(27 * hourMs + 10 * minuteMs);
    await kurisu.start();
    await kurisu.pass(0);
    expect(heard()).toEqual([
      "到时间了：喝水\n（本来是 11月22日 16:05 的，我这边停了 26 小时 10 分钟，后面还有 26 次也过了，不一一补。）",
    ]);
    expect(await findReminder(kurisu.store.main, id)).toMatchObject({ nextDue: start + 28 * hourMs, state: "active" });
    await kurisu.pass(50 * minuteMs);
    expect(heard().at(-1)).toBe("到时间了：喝水");
  });

  it("quiet hours keep what repeats until their end, never one exact time, and /quiet off lets it come", async () => {
    await kurisu.say("/quiet 12：30-15:00", alice);
    expect(heard().at(-1)).toMatch(/^安静时间：每天 12:30 到 15:00（Asia\/Shanghai）/);
    await set("喝水", { schedule: hourly() });
    await set("站起来", { schedule: hourly() });
    await set("开会");
    kurisu.channel.sent.length = 0;
    await kurisu.pass(hourMs);
    expect(heard()).toEqual(["到时间了：开会"]);
    await kurisu.pass(2 * hourMs);
    expect(heard().slice(1)).toEqual([
      "到时间了，有 2 件事：\n· 喝水（本来是 13:05 的，安静时间里先没打扰，后面还有 2 次也过了，不一一补。）\n· 站起来（本来是 13:05 的，安静时间里先没打扰，后面还有 2 次也过了，不一一补。）",
    ]);
    await kurisu.say("/quiet 11pm-7:30am", alice);
    expect(heard().at(-1)).toMatch(/^安静时间：每天 23:00 到 07:30/);
    await kurisu.say("/quiet 16点到20时", alice);
    expect(heard().at(-1)).toMatch(/^安静时间：每天 16:00 到 20:00/);
    await kurisu.pass(hourMs);
    const before = heard().length;
    await kurisu.say("/quiet off", alice);
    await kurisu.pass(0);
    expect(heard().slice(before)).toEqual([
      "安静时间关掉了，到点就说。",
      expect.stringMatching(/^到时间了，有 2 件事：\n· 喝水/),
    ]);
    for (const wrong of [
      "/quiet 25:00-7:00",
      "/quiet 7:00-7:00",
      "/quiet 早上",
      "/quiet 13pm-7am",
      "/quiet 晚上十二点到24:00",
    ]) {
      await kurisu.say(wrong, alice);
      expect(heard().at(-1)).toMatch(/^这样写：/);
    }
    for (const [said, told] of [
      ["23点到7点", "23:00 到 07:00"],
      ["11pm-7am", "23:00 到 07:00"],
      ["晚上十一点半到早上七点", "23:30 到 07:00"],
      ["12am to 6:30", "00:00 到 06:30"],
      ["凌晨十二点到六点", "00:00 到 06:00"],
      ["夜里一点到早上七点", "01:00 到 07:00"],
      ["中午一点到下午三点", "13:00 到 15:00"],
    ]) {
      await kurisu.say(`/quiet ${said}`, alice);
      expect(heard().at(-1)).toContain(`每天 ${told}（`);
    }
    await kurisu.say("/quiet off", alice);
    await kurisu.say("/quiet", alice);
    expect(heard().at(-1)).toMatch(/^没有设安静时间/);
  });

  it("a task asks before its effect; while the question is open the next run is skipped, and says so", async () => {
    const id = await set("poke 甲", { task: true, schedule: hourly() });
    await kurisu.pass(hourMs);
    expect(kurisu.did()).toEqual([]);
    const code = codeOf(kurisu.lastPrompt());
    await kurisu.pass(5 * minuteMs);
    // Still open: its time is not over yet, and the task is due again, and once more. It is said once.
    for (const _ of [1, 2]) {
      await kurisu.store.main
        .updateTable("reminders")
        .set({ next_due: kurisu.clock.now() })
        .where("id", "=", id)
        .execute();
      await kurisu.pass(minuteMs);
    }
    expect(heard().filter((text) => text.includes("又到点了"))).toEqual([
      `定时任务又到点了：poke 甲\n上一次的还在等确认（编号 ${code}），这次先跳过。`,
    ]);
    expect(kurisu.prompts()).toHaveLength(1);
    await kurisu.say("确认", alice);
    expect(kurisu.effects).toMatchObject([{ what: "甲", person: "fake:alice" }]);
    expect(heard().at(-1)).toBe("做完了，1 件里成了 1 件。");
    await kurisu.pass(hourMs);
    expect(kurisu.prompts()).toHaveLength(2);
    await kurisu.say("/stop", alice);
    expect(await kurisu.questions()).toEqual([]);
  });

  it("a task has the label that it was stored with, and the rights of who set it as they are now", async () => {
    await set("note 一", { task: true });
    await set("note 二", { task: true, taint: "untrusted", in: hourMs + 1 });
    await kurisu.pass(hourMs);
    expect(kurisu.did()).toEqual(["一"]);
    await kurisu.pass(1);
    expect(kurisu.did()).toEqual(["一"]);
    expect(kurisu.prompts()).toHaveLength(1);

    await kurisu.say("在吗", { chat: "owner", user: "owner" });
    const lost = await set("note 三", { task: true });
    const told = await set("吃药");
    kurisu.members = [];
    const before = heard().length;
    const asked = kurisu.model.asked.length;
    await kurisu.pass(hourMs);
    expect(kurisu.did()).toEqual(["一"]);
    expect(kurisu.model.asked).toHaveLength(asked);
    expect(
      heard()
        .slice(before)
        .filter((text) => text.includes("吃药")),
    ).toEqual([]);
    expect(heard("owner").at(-1)).toMatch(/^alice 的定时任务没有做，也取消了：note 三/);
    for (const id of [lost, told])
      expect(await findReminder(kurisu.store.main, id)).toMatchObject({
        state: expect.not.stringMatching("active") as string,
      });
    expect(await listAllReminders(kurisu.store.main)).toEqual([]);
  });

  it("a reminder's words in a group are its person's own, and another person's for the others", async () => {
    const team: Said = { chat: "new team", user: "bob", group: true };
    await kurisu.say("note 一", team);
    expect(kurisu.did()).toEqual(["一"]);
    await set("note 二", { said: { ...team, user: "alice" } });
    await kurisu.pass(hourMs);
    await kurisu.say("note 三", team);
    expect(kurisu.did()).toEqual(["一"]);
    expect(kurisu.prompts()).toHaveLength(1);
    await kurisu.say("取消", team);
    await kurisu.say("/new", team);
    await set("note 四", { said: team, task: true });
    await kurisu.pass(hourMs);
    expect(kurisu.did()).toEqual(["一", "四"]);
    await kurisu.say("note 五", team);
    expect(kurisu.did()).toEqual(["一", "四", "五"]);
  });

  it("the day's limit of tasks is told once, to each one whom it meets", async () => {
    await kurisu.dispose();
    options = { schedule: { tasks: { person: 2, all: 3 } } };
    await begin();
    await set("note 一", { task: true });
    await set("note 二", { task: true, in: hourMs + 1 });
    await set("note 三", { task: true, in: hourMs + 2 });
    await set("note 四", { task: true, in: hourMs + 3 });
    await set("note 五", { task: true, in: hourMs + 4, said: group, person: "fake:bob" });
    await kurisu.pass(2 * hourMs);
    expect(kurisu.did()).toEqual(["一", "二"]);
    const refused = (chat: string) => heard(chat).filter((text) => text.includes("没有做"));
    expect(refused("alice")).toEqual([expect.stringMatching(/^定时任务没有做：note 三\n你今天的 2 次已经用完/)]);
    expect(refused("team")).toEqual([expect.stringMatching(/^定时任务没有做：note 五\n大家今天的 3 次已经用完/)]);
    await set("note 六", { task: true, in: 24 * hourMs });
    await kurisu.pass(24 * hourMs);
    expect(kurisu.did()).toEqual(["一", "二", "六"]);
  });

  it("nothing is said in a group that is closed, and a group that moved is still the same", async () => {
    await kurisu.dispose();
    options = { groups: ["supergroup"] };
    await begin();
    const repeated = await set("喝水", { said: group, schedule: hourly() });
    await set("交周报", { said: group });
    await kurisu.pass(hourMs);
    expect(heard("team")).toEqual([]);
    expect(await findReminder(kurisu.store.main, repeated)).toMatchObject({ state: "active" });
    const { account, chat, platform } = makeMessage("", group).address;
    await saveChatMove(kurisu.store.main, { platform, account, chat, movedTo: "supergroup" }, kurisu.clock.now());
    await kurisu.pass(hourMs);
    expect(heard("team")).toEqual(["alice，到时间了：喝水"]);
  });

  it("the kill switch keeps all of it until /resume, then it comes once and says how late", async () => {
    const owner: Said = { chat: "owner", user: "owner" };
    await set("喝水", { schedule: hourly() });
    await set("note 一", { task: true, schedule: hourly() });
    await kurisu.say("/stop all", owner);
    kurisu.clock.advance(3 * hourMs);
    await kurisu.restart();
    await kurisu.settle();
    expect(heard()).toEqual([]);
    await kurisu.say("/resume", owner);
    await kurisu.pass(0);
    expect(heard().filter((text) => text.includes("喝水"))).toEqual([
      "到时间了：喝水\n（本来是 13:05 的，我这边停了 2 小时，后面还有 2 次也过了，不一一补。）",
    ]);
    expect(heard().filter((text) => text.includes("定时任务"))).toEqual([
      expect.stringMatching(/^定时任务现在才开始：note 一\n（本来是 13:05 的/),
    ]);
    expect(kurisu.did()).toEqual(["一"]);
  });

  it("nothing can be done with a schedule that is none: it is cancelled, its person is told, and the others come", async () => {
    const broken = await set("坏的", { schedule: { kind: "cron", cron: "61 * * * *", zone: "Asia/Shanghai" } });
    await set("好的");
    await kurisu.pass(hourMs);
    expect(heard().toSorted((one, other) => Number(one.includes("坏的")) - Number(other.includes("坏的")))).toEqual([
      "到时间了：好的",
      expect.stringMatching(/^\S+\n有条提醒我这边出了错，响不了，已经取消：坏的\n还要的话再说一遍时间。$/),
    ]);
    expect(await findReminder(kurisu.store.main, broken)).toMatchObject({ state: "cancelled" });
    expect(kurisu.faults.splice(0)).toEqual([expect.stringContaining("a reminder that nothing can be done with")]);
  });
});
