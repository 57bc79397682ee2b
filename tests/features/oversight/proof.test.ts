import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Said } from "../../support/fake-channel.ts";
import { TestGateway } from "../../support/gateway.ts";
import { sendAgents, testAgents } from "../../support/send-agents.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";

const alice: Said = { chat: "alice", user: "alice" };

describe.each(listUsualEngines())("/proof on %s", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine), agents: testAgents });
    kurisu.model.script = sendAgents();
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  async function prove(said: Said = alice): Promise<string> {
    await kurisu.say("/proof", said);
    return kurisu.lastText("notice");
  }

  it("says when there is no answer, and when nothing stands behind it", async () => {
    expect(await prove()).toMatch(/^这里还没有回答/);
    await kurisu.say("你好", alice);
    expect(await prove()).toMatch(/没有任何工具结果/);
  });

  it("/proof names call, argument, outcome, source, approver and the audit's row, also after a restart", async () => {
    kurisu.onRun = ({ what }) =>
      what === "坏"
        ? { ok: false, error: "no" }
        : { ok: true, output: { url: "https://a.test/x", results: [{ path: "b\u202E.txt" }] } };
    await kurisu.say("peek 一; note 坏; never 啥 > poke 二", alice);
    await kurisu.say("确认", alice);
    expect(kurisu.lastText("reply")).toMatch(/^做完了/);
    await kurisu.restart();
    const proof = await prove();
    expect(proof).toMatch(/^上一条回答（\d\d:\d\d:\d\d，turn_\w+）背后有 4 次工具调用：/);
    expect(proof).toMatch(/peek 一 · 完成 · /);
    expect(proof).toMatch(/note 坏 · 失败 · /);
    expect(proof).toMatch(/never.* · 没有执行 · /);
    expect(proof).toMatch(/来源：https:\/\/a\.test\/x、b⟨U\+202E⟩\.txt/);
    expect(proof).toMatch(
      /poke 二 · 完成.*\n.*\n\s+问过：[A-Z]+\d，alice 在 \d\d:\d\d:\d\d 同意\n\s+审计第 \d+ 行，[0-9a-f]{16}/,
    );
  });

  it("/proof covers the last answer of this chat only", async () => {
    await kurisu.say("peek secret-of-alice", alice);
    await kurisu.say("你好", { chat: "bob", user: "bob" });
    expect(await prove({ chat: "bob", user: "bob" })).toMatch(/没有任何工具结果/);
    expect(await prove({ chat: "nobody", user: "bob" })).toMatch(/还没有回答/);
    await kurisu.say("你好", alice);
    expect(await prove()).toMatch(/没有任何工具结果/);
  });

  it("shows a guest of a group what was called, not with what", async () => {
    const room: Said = { chat: "room", group: true, user: "alice" };
    kurisu.onRun = () => ({ ok: true, output: { path: "private.txt" } });
    await kurisu.say("peek 日记", room);
    const proof = await prove({ ...room, user: "stranger" });
    expect(proof).toMatch(/1\. peek · 完成/);
    expect(proof).not.toMatch(/日记|private/);
  });

  it("counts the calls of sub-agents", async () => {
    await kurisu.say("派 worker: note a > peek b", alice);
    await kurisu.settle();
    const proof = await prove();
    expect(proof).toMatch(/note a （worker 做的） · 完成/);
    expect(proof).toMatch(/peek b （worker 做的） · 完成/);
  });
});
