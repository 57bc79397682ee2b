import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findPause, insertPause } from "../../src/store/queries/pause.ts";
import { readAudit } from "../../src/store/queries/audit.ts";
import { listTurns } from "../../src/store/queries/turns.ts";
import { makeMessage, type Said } from "../support/fake-channel.ts";
import { Gate } from "../support/gate.ts";
import { codeOf, TestGateway } from "../support/gateway.ts";
import { sendAgents, testAgents } from "../support/send-agents.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";

const alice: Said = { chat: "alice", user: "alice" };
const bob: Said = { chat: "bob", user: "bob" };
const owner: Said = { chat: "owner", user: "owner" };

describe.each(listEngines())("the kill switch on %s:", (engine) => {
  let kurisu: TestGateway;
  let gate: Gate;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine), agents: testAgents });
    gate = new Gate();
    const script = sendAgents();
    kurisu.model.script = async (view) => {
      if (view.text.includes("慢慢想")) await gate.pass(view.request.signal);
      return script(view);
    };
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const heard = (chat: string) =>
    kurisu.channel.sent.filter(({ message }) => message.address.chat === chat).map(({ text }) => text);
  const living = () => listTurns(kurisu.store.main, ["running", "parked"]);
  const deliver = (text: string, said: Said) => kurisu.channel.deliver(makeMessage(text, said));

  /** Alice is asked something, Bob waits for an answer, and a sub-agent of the owner's works behind her back. */
  async function beginMuch(): Promise<void> {
    await kurisu.say("poke 甲", alice);
    await deliver("慢慢想", bob);
    await kurisu.until(() => gate.waiting === 1);
    await deliver("派 bg worker: poke b", { ...owner, chat: "work" });
    await kurisu.until(async () => (await kurisu.questions()).length === 2);
  }

  it("the kill switch ends everything that runs or waits, with one notice per chat, and nothing begins", async () => {
    await beginMuch();
    await kurisu.say("/stop all", owner);
    await kurisu.until(async () => (await living()).length === 0);
    await kurisu.settle();
    expect(await kurisu.questions()).toEqual([]);
    expect(heard("owner").at(-1)).toMatch(/^全部停下了/);
    expect(heard("alice").filter((text) => text.includes("总开关"))).toEqual([expect.stringMatching(/作废，没有执行/)]);
    expect(heard("bob").filter((text) => text.includes("总开关"))).toEqual([expect.stringMatching(/正在做的停下了/)]);
    expect(heard("work").filter((text) => text.includes("总开关"))).toEqual([expect.stringMatching(/作废，没有执行/)]);
    const asked = kurisu.model.asked.length;
    const before = heard("bob").length;
    await kurisu.say("在吗", bob);
    await kurisu.say("喂", bob);
    expect(heard("bob").slice(before)).toEqual([expect.stringMatching(/我先收着/)]);
    expect(kurisu.model.asked).toHaveLength(asked);
    expect(kurisu.did()).toEqual([]);
    await kurisu.say("/stop all", owner);
    expect(heard("owner").at(-1)).toMatch(/^已经是/);
    const actions = (await readAudit(kurisu.store.main, 100)).map(({ action }) => action);
    expect(actions.filter((action) => action.startsWith("pause."))).toEqual(["pause.begun"]);
  });

  it("no approval runs anything, neither meanwhile nor afterwards", async () => {
    await kurisu.say("poke 甲", alice);
    const prompt = kurisu.lastPrompt();
    await kurisu.say("/stop all", owner);
    await kurisu.say("确认", alice);
    expect(heard("alice").at(-1)).toMatch(/确认也不会执行/);
    await kurisu.say(`确认 ${codeOf(prompt)}`, alice);
    await kurisu.press(prompt, "approve", alice);
    await expect(kurisu.gateway.decide(codeOf(prompt), "approved", "cli:owner")).rejects.toMatchObject({
      code: "PAUSED",
    });
    await kurisu.say("/resume", owner);
    await kurisu.say(`确认 ${codeOf(prompt)}`, alice);
    await kurisu.settle();
    expect(kurisu.did()).toEqual([]);
    await kurisu.say("poke 丙", alice);
    await kurisu.say("确认", alice).then(() => kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, alice));
    expect(kurisu.did()).toEqual(["丙"]);
  });

  it("stays through a restart; /resume answers what was kept, in order", async () => {
    await kurisu.say("/stop all", owner);
    await kurisu.say("note 一", alice);
    await kurisu.say("note 二", alice);
    await kurisu.restart();
    await kurisu.say("note 三", bob);
    expect(kurisu.did()).toEqual([]);
    await kurisu.say("/status", owner);
    expect(heard("owner").at(-1)).toMatch(/^总开关：全部暂停/);
    await kurisu.say("/resume", alice);
    expect(heard("alice").at(-1)).toContain("这个命令只有管理员能用。");
    await kurisu.say("/resume", owner);
    expect(heard("owner").at(-1)).toBe("恢复了。收着的 3 条消息现在开始回。");
    expect(kurisu.did().toSorted()).toEqual(["一", "三", "二"]);
    expect(kurisu.did().filter((what) => what !== "三")).toEqual(["一", "二"]);
    await kurisu.say("/resume", owner);
    expect(heard("owner").at(-1)).toBe("本来就没有暂停。");
  });

  it("/resume drop answers none of it and says so once a chat", async () => {
    await kurisu.say("/stop all", owner);
    for (const text of ["note 一", "note 二"]) await kurisu.say(text, alice);
    await kurisu.say("/resume drop", owner);
    expect(kurisu.did()).toEqual([]);
    expect(heard("alice").slice(-2)).toEqual([expect.stringMatching(/我先收着/), expect.stringMatching(/我没有看/)]);
    await kurisu.say("note 三", alice);
    expect(kurisu.did()).toEqual(["三"]);
  });

  it("only an owner can use the kill switch", async () => {
    await kurisu.say("/stop all", alice);
    expect(heard("alice").at(-1)).toContain("这个命令只有管理员能用。");
    expect(await findPause(kurisu.store.main)).toBeUndefined();
    await kurisu.say("note 一", alice);
    expect(kurisu.did()).toEqual(["一"]);
  });

  it("a process that was killed right after the switch ends the rest at its next start", async () => {
    await beginMuch();
    const pause = { since: kurisu.clock.now(), person: "fake:owner", name: "owner" };
    await insertPause(kurisu.store.main, pause);
    await kurisu.restart();
    await kurisu.until(async () => (await living()).length === 0);
    await kurisu.settle();
    expect(await kurisu.questions()).toEqual([]);
    await kurisu.say("/resume", owner);
    await kurisu.settle();
    expect(kurisu.did()).toEqual([]);
    expect(await living()).toEqual([]);
  });

  it("refuses the tools of a turn that does not hear that it is to stop", async () => {
    kurisu.onRun = async ({ what }) => {
      if (what === "first") await insertPause(kurisu.store.main, { since: 1, person: "fake:owner", name: "owner" });
      return { ok: true, output: "" };
    };
    await kurisu.say("note first > note second; peek third", alice);
    expect(kurisu.did()).toEqual(["first"]);
    const denied = (await readAudit(kurisu.store.main, 100)).filter(({ action }) => action === "tool.denied");
    expect(denied.map(({ detail }) => (JSON.parse(detail) as { reason: string }).reason)).toEqual([
      expect.stringMatching(/kill switch/),
      expect.stringMatching(/kill switch/),
    ]);
  });
});
