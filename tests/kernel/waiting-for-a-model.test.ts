import { afterEach, describe, expect, it } from "vitest";
import { NoModelAnswered, type PassingOutage } from "../../src/models/no-model-answered.ts";
import { makeMessage, type Said } from "../support/fake-channel.ts";
import { toSessionId } from "../../src/channels/session-id.ts";
import { insertReminder } from "../../src/features/reminders/queries/reminders.ts";
import { TestGateway } from "../support/gateway.ts";
import type { TestGatewayOptions } from "../support/gateway-options.ts";
import { obeyWords } from "../support/obey-words.ts";
import type { Script, ScriptedView } from "../support/scripted-model.ts";
import { agentOf, sendAgents, testAgents } from "../support/send-agents.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

const alice: Said = { chat: "alice", user: "alice" };
const bob: Said = { chat: "bob", user: "bob" };
const waitingText = "两个模型都连不上。你的话我留着，30 分钟内通了就回你；等不及就 /stop。";
/** Below the persona's own words. */
const waits: unknown = expect.stringMatching(new RegExp(`^\\S+\\n${waitingText}$`));

describe.each(listUsualEngines())("when no model answers, on %s:", (engine) => {
  let kurisu: TestGateway;
  let outage: PassingOutage | undefined;
  let isDown = (_view: ScriptedView): boolean => true;
  afterEach(() => kurisu.dispose());

  async function start(options: TestGatewayOptions = {}, obey: Script = obeyWords): Promise<void> {
    kurisu = new TestGateway({ place: await createStorePlace(engine), ...options });
    outage = { models: 2, retryAfterMs: 0 };
    isDown = () => true;
    kurisu.model.script = (view) => {
      if (isDown(view)) throw new NoModelAnswered("MODEL_UNAVAILABLE", "No model answered.", outage);
      kurisu.model.readySince = kurisu.clock.now();
      return obey(view);
    };
    await kurisu.start();
  }

  const heard = (chat: string) =>
    kurisu.channel.sent.filter(({ message }) => message.address.chat === chat).map(({ text }) => text);
  const asked = (text: string) => kurisu.model.asked.filter((view) => view.text.includes(text)).length;
  const say = (text: string, said: Said) => kurisu.channel.deliver(makeMessage(text, said));
  const tell = async (text: string, said: Said, answers: number) => {
    const before = heard(said.chat ?? "").length;
    await say(text, said);
    await kurisu.until(() => heard(said.chat ?? "").length === before + answers);
  };
  const comeBack = async (count: number) => {
    await kurisu.until(async () => (await waiting()) === count);
    isDown = () => false;
    kurisu.clock.advance(6_000);
  };
  const waiting = async () =>
    (await kurisu.store.main.selectFrom("turns").select("id").where("state", "=", "parked").execute()).length;

  it("each chat is told once, and all are answered in their order and once, also after a restart", async () => {
    await start();
    await tell("一", alice, 1);
    await tell("二", bob, 1);
    await say("三", alice);
    await tell("/status", bob, 1);
    expect(heard("bob").at(-1)).toMatch(/^等模型的：3 条，12:05 起没连上。\n没有等你答复/m);
    await kurisu.until(async () => (await waiting()) === 2);
    kurisu.clock.advance(6_000);
    await kurisu.until(() => kurisu.model.asked.length === 3);
    await kurisu.restart();
    await kurisu.until(() => kurisu.model.asked.length === 5);
    expect([heard("alice"), heard("bob").slice(0, 1)]).toEqual([[waits], [waits]]);
    await comeBack(2);
    await kurisu.settle();
    expect(heard("alice")).toEqual([waits, "听到了，你说的是：一", "听到了，你说的是：三"]);
    expect(heard("bob").slice(2)).toEqual(["听到了，你说的是：二"]);
    // The first that was answered woke the other.
    expect([asked("一") + asked("二"), asked("三")]).toEqual([7, 1]);
    await tell("四", alice, 1);
    isDown = () => true;
    await tell("五", alice, 1);
    expect(heard("alice").at(-1)).toEqual(waits);
    expect(await kurisu.store.main.selectFrom("outages").selectAll().execute()).toHaveLength(1);
  });

  it("a turn in the middle of its tools goes on where it was, and what it showed gives way to a new message", async () => {
    await start();
    kurisu.channel.previewId = "shown";
    isDown = ({ results }) => results.length === 1;
    await say("note 一 > note 二", alice);
    await kurisu.until(() => heard("alice").length === 1);
    expect(kurisu.channel.removed).toEqual(["shown"]);
    kurisu.channel.previewId = undefined;
    await kurisu.restart();
    await comeBack(1);
    await kurisu.settle();
    expect(kurisu.did()).toEqual(["一", "二"]);
    expect(heard("alice")).toEqual([waits, "做完了，2 件里成了 2 件。"]);
    // No process died while it asked, so nothing may have been paid for twice.
    expect(kurisu.model.asked.filter(({ request }) => request.payer.repeats)).toEqual([]);
  });

  it("overdue words are told together, with a record; later words get their whole time", async () => {
    await start();
    await tell("一", alice, 1);
    kurisu.clock.advance(60_000);
    await say("二", alice);
    kurisu.clock.advance(20 * 60_000);
    await say("三", alice);
    kurisu.clock.advance(9 * 60_000);
    await kurisu.until(() => heard("alice").length === 2);
    expect(heard("alice").at(-1)).toMatch(
      /^\S+\n等了 30 分钟，模型还是没通。这 2 条我放下了，都没有回：\n· 一\n· 二\n还要就再发一遍。$/,
    );
    await kurisu.until(() => asked("三") > 0);
    await comeBack(1);
    await kurisu.settle();
    expect(heard("alice").slice(2)).toEqual(["听到了，你说的是：三"]);
    expect(asked("二")).toBe(0);
    const notes = await kurisu.store.main.selectFrom("messages").select("content").where("role", "=", "note").execute();
    expect(notes.filter(({ content }) => content.includes("was given up; it got no reply"))).toHaveLength(2);
  });

  it("/stop drops what waits and what its sender said after it, and approvals and rejections count meanwhile", async () => {
    await start();
    isDown = ({ text }) => text.includes("等");
    await kurisu.say("poke a", alice);
    await tell("等一", alice, 1);
    await say("等二", alice);
    await say("确认", alice);
    await kurisu.until(async () => (await kurisu.questions()).length === 0);
    expect(kurisu.did()).toEqual([]);
    await kurisu.say("/stop", alice);
    expect(heard("alice").at(-1)).toMatch(/^好，停下了。等模型的那条放下了，没有回。/);
    expect(await waiting()).toBe(0);
    const before = heard("alice").length;
    await comeBack(0);
    await kurisu.say("你好", alice);
    expect(heard("alice").slice(before)).toEqual(["听到了，你说的是：你好"]);
  });

  it("later words replace a waiting message in a chat that interrupts; a burst and other people's words do not", async () => {
    await start({ busy: { burst: "1500ms", mode: "interrupt" } });
    await tell("一", alice, 1);
    kurisu.clock.advance(60_000);
    await tell("二", alice, 1);
    expect(heard("alice")).toEqual([waits, waits]);
    await say("再说两句", alice);
    kurisu.clock.advance(1_000);
    await say("好吗", alice);
    const room = { chat: "room", group: true };
    await tell("三", { ...room, user: "alice" }, 1);
    kurisu.clock.advance(60_000);
    await say("四", { ...room, user: "bob" });
    await comeBack(2);
    await kurisu.settle();
    const answers = (chat: string) => heard(chat).filter((text) => !text.endsWith(waitingText));
    expect(answers("room")).toEqual(
      ["听到了，你说的是：三", "听到了，你说的是：四"].map((text) => expect.stringContaining(text.slice(-1))),
    );
    expect(answers("alice")).toHaveLength(1);
    expect(JSON.stringify(kurisu.model.asked.findLast(({ text }) => text.includes("二"))?.request.messages)).toMatch(
      /再说两句.*好吗/,
    );
    expect([
      asked("一"),
      (await kurisu.store.main.selectFrom("turns").select("id").where("outcome", "=", "stopped").execute()).length,
    ]).toEqual([1, 1]);
  });

  it("a task of a reminder waits, too: /model of its chat reaches it, and what is given up is named by its words", async () => {
    await start();
    const owner: Said = { chat: "owner", user: "owner" };
    const hourMs = 3_600_000;
    await tell("一", owner, 1);
    await tell("/model small", owner, 1);
    kurisu.clock.advance(6_000);
    await kurisu.until(() => heard("owner").includes("听到了，你说的是：一"));
    expect(kurisu.cheaper.asked).toHaveLength(1);
    const set = (text: string, said: Said) =>
      insertReminder(kurisu.store.main, {
        id: text,
        person: `fake:${said.user}`,
        name: said.user ?? "",
        session: toSessionId(makeMessage("", said).address),
        text,
        task: true,
        schedule: { kind: "once", at: kurisu.clock.now() + hourMs },
        zone: "Asia/Shanghai",
        language: "zh",
        taint: "user",
        sources: [],
        nextDue: kurisu.clock.now() + hourMs,
        now: kurisu.clock.now(),
      });
    await tell("二", alice, 1);
    await kurisu.say("/stop", alice);
    await set("查天气", owner);
    await set("看新闻", alice);
    const before = heard("alice").length;
    const passed = kurisu.pass(hourMs);
    await kurisu.until(() => heard("alice").length === before + 1);
    expect(kurisu.cheaper.asked).toHaveLength(2);
    kurisu.clock.advance(31 * 60_000);
    await kurisu.until(() => heard("alice").length === before + 2);
    await passed;
    expect(heard("alice").at(-1)).toMatch(
      /\n等了 30 分钟，模型还是没通。「看新闻」这条我放下了，没有回。还要就再发一遍。$/,
    );
  });

  it("a sub-agent that is answered ends no outage for the other one, which waits for its own time", async () => {
    await start({ agents: testAgents }, sendAgents());
    isDown = (view) => agentOf(view) !== undefined;
    const said: Said = { chat: "owner", user: "owner" };
    await say("派 worker: note 甲 | worker: note 乙", said);
    await kurisu.until(async () => (await waiting()) === 3);
    // While the clock stands still, the parent's own answer may count as one after theirs failed: each tries once more.
    expect(kurisu.model.asked.length).toBeGreaterThanOrEqual(3);
    expect(kurisu.model.asked.length).toBeLessThanOrEqual(5);
    expect(heard("owner")).toEqual([waits]);
    const since = () => kurisu.store.main.selectFrom("outages").select("since").execute();
    const outages = await since();
    isDown = (view) => agentOf(view) !== undefined && view.text.includes("乙");
    while (!kurisu.did().includes("甲")) {
      const count = kurisu.model.asked.length;
      kurisu.clock.advance(15_000);
      await kurisu.until(() => kurisu.model.asked.length > count);
    }
    const count = kurisu.model.asked.length;
    kurisu.clock.advance(130_000);
    await kurisu.until(() => kurisu.model.asked.length > count);
    await kurisu.until(async () => (await waiting()) === 2);
    expect([await since(), heard("owner")]).toEqual([outages, [waits]]);
  });

  it.each([
    ["a key that is refused", undefined],
    ["a server that asks for more time than there is", { models: 1, retryAfterMs: 31 * 60_000 }],
  ] as const)("%s is told at once", async (_, passing) => {
    await start();
    outage = passing;
    await kurisu.say("一", alice);
    expect(heard("alice").at(-1)).toMatch(/再发一遍/);
    expect([await waiting(), kurisu.faults.splice(0).length]).toEqual([0, passing ? 0 : 1]);
  });

  it("the kill switch ends what waits", async () => {
    await start();
    await tell("一", alice, 1);
    await kurisu.say("/stop all", { chat: "owner", user: "owner" });
    expect(heard("alice")).toHaveLength(2);
    isDown = () => false;
    await kurisu.say("/resume", { chat: "owner", user: "owner" });
    await kurisu.say("二", alice);
    expect(heard("alice").slice(2)).toEqual(["听到了，你说的是：二"]);
    expect(asked("一")).toBe(1);
  });
});
