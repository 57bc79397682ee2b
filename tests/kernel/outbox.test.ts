import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeAddress, makeMessage } from "../support/fake-channel.ts";
import { Gate } from "../support/gate.ts";
import { TestGateway } from "../support/gateway.ts";

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway();
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

const rows = () =>
  kurisu.store.main.selectFrom("outbox").select(["state", "sent_parts", "attempts", "reason"]).orderBy("seq").execute();
const texts = () => kurisu.channel.sent.map((sent) => sent.text);

describe("the outbox", () => {
  it("sends a long message part by part, and after a crash goes on at the part that is missing", async () => {
    kurisu.channel.capabilities.textLimit = 5;
    const stuck = new Gate();
    kurisu.channel.onSend = async (_, index) => {
      if (index === 2) await stuck.pass();
      return index === 2 ? { kind: "later", afterMs: 0, reason: "the process ended" } : undefined;
    };
    kurisu.model.script = () => ({ text: "一二三四五六七八九十，完。" });
    await kurisu.channel.deliver(makeMessage("数一数"));
    await kurisu.until(() => stuck.waiting === 1);
    expect(await rows()).toMatchObject([{ state: "pending", sent_parts: '["m1","m2"]' }]);
    stuck.open();
    await kurisu.stop();
    kurisu.channel.onSend = () => undefined;
    kurisu.clock.advance(60_000);
    await kurisu.start();
    await kurisu.settle();
    expect(texts()).toEqual(["一二三四五", "六七八九十", "，完。"]);
    // Only of this one the channel cannot know whether the process before had sent it.
    expect(kurisu.channel.sent.map(({ writtenAt }) => writtenAt !== undefined)).toEqual([false, false, true]);
    expect(await rows()).toMatchObject([{ state: "sent", sent_parts: '["m1","m2","m3"]' }]);
  });

  it("keeps the order of a chat while the platform is away, and does not hold up the others", async () => {
    kurisu.channel.onSend = ({ address }) =>
      address.chat === "owner" ? { kind: "later", afterMs: 3_600_000, reason: "flood" } : undefined;
    await kurisu.say("一");
    await kurisu.say("二");
    await kurisu.say("三", { user: "alice" });
    expect(texts().join()).toContain("三");
    expect(kurisu.channel.sent).toHaveLength(1);
    expect(await rows()).toMatchObject([{ attempts: 1, reason: "flood" }, { attempts: 0 }, { state: "sent" }]);
    kurisu.channel.onSend = () => undefined;
    kurisu.clock.advance(3_600_000);
    await kurisu.restart();
    await kurisu.settle();
    expect(texts().map((text) => text.slice(-1))).toEqual(["三", "一", "二"]);
  });

  it("counts no attempts of a message that only waits its turn, and writes nothing down for it", async () => {
    let turns = 0;
    kurisu.channel.onSend = () => {
      turns += 1;
      return turns <= 150 ? { kind: "later", afterMs: 1, reason: "the chat has to wait", untried: true } : undefined;
    };
    await kurisu.say("一");
    await kurisu.until(() => kurisu.channel.sent.length === 1);
    expect(turns).toBe(151);
    await kurisu.settle();
    expect(await rows()).toMatchObject([{ state: "sent", attempts: 0, reason: null }]);
  });

  it("waits for days while nothing can be sent, and goes at once when the account is there again", async () => {
    kurisu.channel.onSend = () => ({ kind: "later", afterMs: 2_000, reason: "not connected", outage: true });
    await kurisu.say("一");
    await kurisu.store.main.updateTable("outbox").set({ attempts: 99, not_before: 0 }).execute();
    await kurisu.restart();
    await kurisu.settle();
    expect(await rows()).toMatchObject([{ state: "pending", attempts: 99 }]);
    kurisu.channel.onSend = () => undefined;
    kurisu.channel.comeBack(fakeAddress("owner").account);
    await kurisu.until(() => kurisu.channel.sent.length === 1);
    await kurisu.settle();
    expect(await rows()).toMatchObject([{ state: "sent" }]);
  });

  it.each([
    ["nothing could be sent for a week", { attempts: 3, created_at: 0 }, true],
    ["the hundredth try failed", { attempts: 99 }, undefined],
  ] as const)("tells the owner that a message was given up when %s", async (_, row, outage) => {
    await kurisu.say("你好");
    const away = { kind: "later", afterMs: 2_000, reason: "not there", ...(outage && { outage }) } as const;
    kurisu.channel.onSend = ({ address }) => (address.chat === "alice" ? away : undefined);
    await kurisu.say("一", { user: "alice" });
    const waiting = kurisu.store.main.updateTable("outbox").where("state", "=", "pending");
    await waiting.set({ ...row, not_before: 0 }).execute();
    await kurisu.restart();
    await kurisu.settle();
    await kurisu.until(() => kurisu.channel.sent.length === 2);
    expect(kurisu.lastText()).toMatch(/alice.*放弃.*not there/);
    await kurisu.settle();
    expect((await rows()).map(({ state }) => state)).toEqual(["sent", "dead", "sent"]);
  });

  it("gives up a message that is refused for good and goes on with the next", async () => {
    let first = true;
    kurisu.channel.onSend = () => {
      if (!first) return undefined;
      first = false;
      return { kind: "refused", reason: "blocked by the user" };
    };
    await kurisu.say("一");
    await kurisu.say("二");
    expect(await rows()).toMatchObject([{ state: "dead", reason: "blocked by the user" }, { state: "sent" }]);
    expect(kurisu.channel.sent).toHaveLength(1);
  });

  it("takes a channel that throws for one that is away", async () => {
    kurisu.channel.onSend = () => {
      throw new Error("socket hang up");
    };
    await kurisu.say("一");
    expect(await rows()).toMatchObject([{ state: "pending", attempts: 1, reason: "socket hang up" }]);
  });

  it("the outbox shows a running turn and then sends the same message", async () => {
    await kurisu.say("peek a");
    const statuses = kurisu.channel.views.flatMap((view) =>
      view.tools.map((tool) => `${tool.name} ${tool.summary} ${tool.status}`),
    );
    expect(statuses).toContain("peek a done");
    expect(new Set(kurisu.channel.views.map((view) => view.turn)).size).toBe(1);
    expect(await rows()).toMatchObject([{ state: "sent" }]);
  });

  it("answers although nothing could be shown on the way", async () => {
    kurisu.channel.onShow = () => Promise.reject(new Error("no edits here"));
    await kurisu.say("peek a");
    expect(kurisu.channel.sent).toHaveLength(1);
  });
});

describe("a preview", () => {
  it("a preview without a result is removed, and one that becomes the reply stays", async () => {
    kurisu.channel.previewId = "p1";
    await kurisu.say("peek 甲 > poke 乙");
    await kurisu.until(() => kurisu.channel.removed.length > 0);
    expect(kurisu.channel.removed).toEqual(["p1"]);
    expect(kurisu.lastPrompt().text).toContain("poke");
    await kurisu.say("取消");
    expect(kurisu.channel.removed).toEqual(["p1"]);
    expect(await rows()).toMatchObject([{ state: "dead", reason: "superseded" }, { state: "sent" }, { state: "sent" }]);
  });
});
