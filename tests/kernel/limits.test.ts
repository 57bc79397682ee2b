import { afterEach, describe, expect, it } from "vitest";
import { budgetOptions } from "../../src/models/budget-options.ts";
import { createBudget } from "../../src/models/budget.ts";
import type { ModelRequest, Spending } from "../../src/models/types.ts";
import { listUsage } from "../../src/store/queries/usage.ts";
import { makeMessage, type Said } from "../support/fake-channel.ts";
import { Gate } from "../support/gate.ts";
import { TestGateway } from "../support/gateway.ts";
import type { TestGatewayOptions } from "../support/gateway-options.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

const alice: Said = { chat: "alice", user: "alice" };
const bob: Said = { chat: "bob", user: "bob" };
const owner: Said = { chat: "owner", user: "owner" };

const spent = (person: string, tokens: number): Spending => ({
  payer: { id: `fake:${person}`, owner: person === "owner" },
  model: "openai:dear",
  usage: { input: tokens - 10, output: 10, cachedInput: 0 },
  estimated: false,
  startedAt: 0,
  ms: 0,
  end: "answered",
});

describe.each(listUsualEngines())("limits on %s:", (engine) => {
  let kurisu: TestGateway;
  afterEach(() => kurisu.dispose());

  async function start(options: TestGatewayOptions): Promise<void> {
    kurisu = new TestGateway({ place: await createStorePlace(engine), ...options });
    await kurisu.start();
  }

  const heard = (chat: string) =>
    kurisu.channel.sent.filter(({ message }) => message.address.chat === chat).map(({ text }) => text);

  it("messages over a person's minute are refused with one notice; the next minute is a new one", async () => {
    await start({ limits: { messages: { person: 2, owner: 4 } } });
    for (const what of ["一", "二", "三", "四"]) await kurisu.say(`note ${what}`, alice);
    expect(kurisu.did()).toEqual(["一", "二"]);
    expect(heard("alice").filter((text) => text.startsWith("太快了，一分钟最多 2 条"))).toHaveLength(1);
    await kurisu.say("note 五", bob);
    for (const what of ["六", "七", "八"]) await kurisu.say(`note ${what}`, owner);
    await kurisu.say("/status", alice);
    expect(heard("alice").at(-1)).toContain("scripted:one");
    kurisu.clock.advance(60_001);
    await kurisu.say("note 九", alice);
    expect(kurisu.did()).toEqual(["一", "二", "五", "六", "七", "八", "九"]);
  });

  it("messages over the common limit of a minute are refused, except an owner's", async () => {
    await start({ limits: { messages: { all: 2 } } });
    for (const [what, who] of [
      ["一", alice],
      ["二", bob],
      ["三", bob],
      ["四", owner],
    ] as const)
      await kurisu.say(`note ${what}`, who);
    expect(kurisu.did()).toEqual(["一", "二", "四"]);
    expect(heard("bob").at(-1)).toMatch(/^现在消息太多，一分钟最多处理 2 条/);
  });

  it("a person's turns in several chats wait for one another; others do not", async () => {
    await start({ limits: { turns: { person: 1 } } });
    const gate = new Gate();
    kurisu.model.script = async ({ text, request }) => {
      if (text.includes("慢")) await gate.pass(request.signal);
      return { text: "好" };
    };
    for (const chat of ["one", "two"]) await kurisu.channel.deliver(makeMessage("慢", { user: "alice", chat }));
    await kurisu.channel.deliver(makeMessage("快", bob));
    await kurisu.until(() => heard("bob").length === 1 && gate.waiting > 0);
    expect(gate.waiting).toBe(1);
    gate.open();
    await kurisu.settle();
    expect(gate.waiting).toBe(2);
  });

  it("a person who has used up their tokens is told so until the next day of the zone, also after a restart", async () => {
    await start({ budget: { tokens: { person: 1_000 } } });
    await kurisu.budget.spend(spent("alice", 600));
    await kurisu.say("note 一", alice);
    await kurisu.budget.spend(spent("alice", 400));
    await kurisu.restart();
    await kurisu.say("note 二", alice);
    expect(heard("alice").at(-1)).toBe(
      "你今天的额度用完了：1,000 / 1,000 token（100%）。零点（Asia/Shanghai）一过就恢复。等不及就请管理员改 models.yaml 的 budget.tokens.person。",
    );
    await kurisu.say("note 三", bob);
    await kurisu.budget.spend(spent("owner", 5_000));
    await kurisu.say("note 四", owner);
    expect(kurisu.did()).toEqual(["一", "三", "四"]);
    await kurisu.say("/usage", alice);
    expect(heard("alice").at(-1)).toBe("你今天：1,000 token，问了模型 2 次，上限 1,000（用了 100%）");
    // HandClock begins at noon in Shanghai; UTC's day has not ended then.
    kurisu.clock.advance(12 * 3_600_000);
    await kurisu.say("note 五", alice);
    expect(kurisu.did()).toEqual(["一", "三", "四", "五"]);
  });

  it("the common budget: owners are warned once, then the cheaper model answers, then only owners are answered", async () => {
    const prices = { "openai:dear": { input: 10, output: 20 } };
    await start({ budget: { cost: 1, prices } });
    await kurisu.say("你好", owner);
    await kurisu.budget.spend(spent("alice", 70_000));
    expect(heard("owner")).toHaveLength(1);
    await kurisu.budget.spend(spent("alice", 11_000));
    await kurisu.budget.spend(spent("alice", 1_000));
    await kurisu.settle();
    expect(heard("owner").slice(1)).toEqual([
      "今天已经用掉总额度的 81%（0.8102 / 1）。到上限前会先换便宜的模型，再到就停。/usage 看明细。",
    ]);
    await kurisu.restart();
    await kurisu.budget.spend(spent("alice", 10_000));
    await kurisu.settle();
    expect(heard("owner")).toHaveLength(2);
    const usual = kurisu.model.asked.length;
    await kurisu.say("note 一", bob);
    expect([kurisu.model.asked.length - usual, kurisu.cheaper.asked.length]).toEqual([0, 2]);
    await kurisu.budget.spend(spent("alice", 10_000));
    await kurisu.say("note 二", bob);
    expect(heard("bob").at(-1)).toMatch(/^今天的总额度用完了：1\.0205 \/ 1（102%），我先停下。零点.+budget\.cost。$/);
    expect(heard("owner").slice(2)).toEqual([
      "今天的总额度到了：102%（1.0205 / 1）。别人都停了，管理员还能接着用便宜的模型。/usage 看明细。",
    ]);
    await kurisu.say("note 三", owner);
    expect(kurisu.did()).toEqual(["一", "三"]);
    await kurisu.say("/usage", owner);
    expect(heard("owner").at(-1)).toContain("花费：1.0205，上限 1（用了 102%）");
    expect(heard("owner").at(-1)).toContain("  fake:alice：102,000");
    expect(heard("owner").at(-1)).toMatch(/\n今天的总额度已经用完，只有管理员还能用。$/);
    expect(heard("owner").at(-1)).not.toContain("便宜");
  });

  it("one request may pass a limit by far: the line below the reply says by how much, and the next is stopped", async () => {
    await start({ budget: { tokens: { person: 1_000 } } });
    const usage: number[] = [600, 5_120];
    kurisu.model.script = async ({ request }) => {
      await kurisu.budget.spend({ ...spent("alice", usage.shift() ?? 0), payer: request.payer });
      return { text: "好" };
    };
    for (const text of ["一", "二", "三"]) await kurisu.say(text, alice);
    expect(heard("alice")).toEqual([
      "好",
      "好\n\n说完这句，你今天的额度就用完了：572%，5,720 / 1,000 token。零点（Asia/Shanghai）一过就恢复。",
      "你今天的额度用完了：5,720 / 1,000 token（572%）。零点（Asia/Shanghai）一过就恢复。等不及就请管理员改 models.yaml 的 budget.tokens.person。",
    ]);
    expect(kurisu.model.asked).toHaveLength(2);
    await kurisu.say("/usage", alice);
    expect(heard("alice").at(-1)).toBe("你今天：5,720 token，问了模型 2 次，上限 1,000（用了 572%）");
  });

  it("a person is told once a day that their limit is close, also over a restart", async () => {
    await start({
      budget: { tokens: { person: 1_000 }, personCost: 1, prices: { "openai:dear": { input: 1, output: 1 } } },
    });
    await kurisu.budget.spend(spent("alice", 867));
    await kurisu.say("一", alice);
    await kurisu.restart();
    await kurisu.say("二", alice);
    expect(heard("alice")).toEqual([
      "听到了，你说的是：一\n\n（先说一声：你今天的额度用了 86%，867 / 1,000 token。）",
      "听到了，你说的是：二",
    ]);
    kurisu.clock.advance(12 * 3_600_000);
    await kurisu.budget.spend(spent("alice", 900));
    await kurisu.say("三", alice);
    expect(heard("alice").at(-1)).toMatch(/（先说一声：你今天的额度用了 90%/);
  });

  it("a chat has a limit of its own, whoever speaks; owners go on as whenSpent says", async () => {
    await start({ budget: { tokens: { chat: 1_000 } } });
    const group = { chat: "group", group: true } as const;
    kurisu.model.script = async ({ request }) => {
      await kurisu.budget.spend({ ...spent("alice", 1_000), payer: request.payer });
      return { text: "好" };
    };
    await kurisu.say("一", { ...group, user: "alice" });
    await kurisu.say("二", { ...group, user: "bob" });
    expect(heard("group").at(-1)).toMatch(/^这个聊天今天的额度用完了：1,000 \/ 1,000 token（100%）。零点/);
    await kurisu.say("/usage", { ...group, user: "bob" });
    expect(heard("group").at(-1)).toContain("这个聊天今天：1,000 token，1 次，上限 1,000（用了 100%）");
    await kurisu.say("三", bob);
    expect(heard("bob")[0]).toMatch(/^好/);
    await kurisu.say("四", { ...group, user: "owner" });
    expect(heard("group").at(-1)).toBe("好");
    await kurisu.say("/usage", { ...group, user: "owner" });
    expect(heard("group").at(-1), "who used what is not for a group").not.toMatch(/fake:|所有人/);
  });

  it("a model over its limit answers no user any more; with no other left, everything stops", async () => {
    await start({ budget: { models: { "scripted:one": { tokens: 1_000 } }, whenSpent: "nobody" } });
    await kurisu.say("一", alice);
    await kurisu.say("你好", owner);
    await kurisu.budget.spend({ ...spent("alice", 5_720), model: "scripted:one" });
    await kurisu.settle();
    expect(heard("owner").at(-1)).toBe(
      "scripted:one 今天的额度到了：572%（5,720 / 1,000 token）。今天不再问它，换后面的模型。/usage 看明细。",
    );
    for (const who of [alice, owner]) await kurisu.say("二", who);
    expect(heard("alice").at(-1)).toMatch(
      /^能用的模型今天都到额度了，scripted:one：5,720 \/ 1,000 token（572%）。零点.+管理员/,
    );
    expect(heard("owner").at(-1)).toMatch(/存盘就生效。$/);
    await kurisu.say("/usage", owner);
    expect(heard("owner").at(-1)).toContain("scripted:one 的上限：5,720 / 1,000 token（用了 572%）");
  });

  it("at most one of several concurrent requests exceeds a limit, and the others wait for its usage", async () => {
    await start({ budget: { tokens: { person: 100_000 } }, limits: { turns: { person: 3 } } });
    await kurisu.budget.spend(spent("alice", 99_000));
    const gate = new Gate();
    const usage = [20, 5_000, 5_000];
    kurisu.model.script = async ({ request }) => {
      await gate.pass(request.signal);
      await kurisu.budget.spend({ ...spent("alice", usage.shift() ?? 0), payer: request.payer });
      return { text: "好" };
    };
    for (const chat of ["one", "two", "three"])
      await kurisu.channel.deliver(makeMessage("你好", { user: "alice", chat }));
    await kurisu.until(() => gate.waiting === 1);
    gate.open();
    await kurisu.settle();
    const answers = ["one", "two", "three"].map((chat) => heard(chat).at(-1) ?? "");
    expect(answers.filter((text) => text.startsWith("好"))).toHaveLength(2);
    expect(
      answers.filter((text) => text.startsWith("你今天的额度用完了：104,020 / 100,000 token（104%）")),
    ).toHaveLength(1);
    expect(kurisu.model.asked).toHaveLength(2);
  });

  it("requests of linked accounts are one person's: one waits for what the other uses", async () => {
    await start({});
    const accounts = ["fake:alice", "other:alice"];
    const none = { calls: 0, estimated: 0, input: 0, output: 0, cost: 0 };
    const mine = { ...none, input: 99_000 };
    const day = { mine, all: mine, chat: none, models: new Map() };
    const budget = createBudget({
      usage: {
        add: () => undefined,
        sumDay: async (_, person) => ({ ...day, accounts: accounts.includes(person) ? accounts : [person] }),
      },
      options: () => budgetOptions.parse({ tokens: { person: 100_000 } }),
      zone: () => "UTC",
      onWarning: async () => undefined,
      clock: kurisu.clock,
      log: { error: () => undefined } as never,
    });
    const gate = new Gate();
    kurisu.model.script = async ({ request }) => {
      await gate.pass(request.signal);
      return { text: "好" };
    };
    const models = budget.guard(kurisu.model, () => kurisu.model);
    const { signal } = new AbortController();
    const asked = [...accounts, "fake:bob"].map((id) =>
      models.ask({ messages: [], tools: [], language: "zh", payer: { id, owner: false }, signal }, () => undefined),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(kurisu.model.asked.map(({ request }) => request.payer.id)).toEqual(["fake:alice", "fake:bob"]);
    gate.open();
    await Promise.all(asked);
  });

  it("one invalid count stops no chat; an invalid sum spends the budget", async () => {
    await start({ budget: { tokens: { person: 1_000, all: 100_000 } } });
    const usage = { input: 5, output: Number.NaN, cachedInput: 0 };
    await kurisu.budget.spend({ ...spent("alice", 20), usage });
    expect(kurisu.faults.splice(0).join()).toContain("what a model used up was not counted");
    await kurisu.say("一", alice);
    await kurisu.say("一", bob);
    expect([heard("alice"), heard("bob")].map(({ length }) => length)).toEqual([1, 1]);
    const sum = { calls: 1, estimated: 0, input: Number.NaN, output: 0, cost: 0 };
    const none = { ...sum, input: 0 };
    for (const sums of [
      { mine: sum, all: none },
      { mine: none, all: sum },
    ].map((one) => ({ ...one, accounts: ["fake:alice"], chat: none, models: new Map() }))) {
      const budget = createBudget({
        usage: { add: () => undefined, sumDay: async () => sums },
        options: () => budgetOptions.parse({ tokens: { person: 1_000, all: 1_000 } }),
        zone: () => "UTC",
        onWarning: async () => undefined,
        clock: kurisu.clock,
        log: { error: () => undefined } as never,
      });
      const models = budget.guard(kurisu.model, () => kurisu.model);
      const payer = { id: "fake:alice", owner: false };
      const request = {
        messages: [],
        tools: [],
        language: "zh",
        payer,
        signal: new AbortController().signal,
      } satisfies ModelRequest;
      await expect(models.ask(request, () => undefined)).rejects.toThrow(/used up/);
    }
  });

  it("the end of a turn writes the usage, which counts for all chats before that", async () => {
    await start({ budget: { tokens: { person: 1_000 } } });
    let day = "";
    const rows = () => listUsage(kurisu.store.main, day);
    kurisu.model.script = async ({ request }) => {
      await kurisu.budget.spend({ ...spent("alice", 1_000), payer: request.payer });
      const { mine, day: today } = await kurisu.budget.look({ id: "fake:alice" });
      day = today;
      expect([mine.calls, (await rows()).length]).toEqual([1, 0]);
      return { text: "好" };
    };
    await kurisu.say("一", alice);
    expect(await rows()).toMatchObject([{ person: "fake:alice", calls: 1, estimated: 0, input: 990 }]);
    await kurisu.say("二", { ...alice, chat: "other" });
    expect(heard("other").at(-1)).toMatch(/^你今天的额度用完了：1,000 \/ 1,000 token（100%）/);
  });

  it("a request whose process died is counted when its turn asks again, once", async () => {
    await start({});
    const gate = new Gate();
    const counted = spent("alice", 100);
    kurisu.model.script = async ({ request, text, results }) => {
      if (kurisu.model.asked.length === 1) await gate.pass(request.signal);
      await kurisu.budget.spend({ ...counted, payer: request.payer });
      return text.includes("note") && results.length === 0
        ? { calls: [{ name: "note", arguments: { what: "a" } }] }
        : { text: "好" };
    };
    await kurisu.channel.deliver(makeMessage("note 一", alice));
    await kurisu.until(() => gate.waiting === 1);
    await kurisu.restart();
    await kurisu.settle();
    const { day } = await kurisu.budget.look({ id: "fake:alice" });
    expect(await listUsage(kurisu.store.main, day)).toMatchObject([{ calls: 3, estimated: 1, input: 270 }]);
    expect(kurisu.model.asked.map(({ request }) => request.payer.repeats === true)).toEqual([false, true, false]);
  });

  it("counts requests beside each other in one row a day, person and model", async () => {
    await start({});
    await Promise.all(Array.from({ length: 50 }, () => kurisu.budget.spend(spent("alice", 20))));
    const { day, mine } = await kurisu.budget.look({ id: "fake:alice" });
    expect(mine).toMatchObject({ calls: 50, input: 500 });
    await kurisu.store.usage.flush();
    expect(await listUsage(kurisu.store.main, day)).toMatchObject([
      { person: "fake:alice", model: "openai:dear", calls: 50, input: 500, output: 500, estimated: 0 },
    ]);
  });
});
