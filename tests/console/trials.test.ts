import { existsSync, readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type {
  CardView,
  FaultyPersonaView,
  LoreTestView,
  ReplyCheckView,
  TriedView,
  TryEstimateView,
} from "../../src/console/views/trial-views.ts";
import { readCard } from "../../src/core/persona/cards/read-card.ts";
import { budgetOptions } from "../../src/models/budget-options.ts";
import { asPage } from "../support/console/console-server.ts";
import { beginTrials, miraBook, miraCard, packPng } from "../support/console/trials.ts";
import { Gate } from "../support/gate.ts";
import { TestGateway } from "../support/gateway.ts";
import type { TestGatewayOptions } from "../support/gateway-options.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

let kurisu: TestGateway | undefined;
afterEach(async () => {
  await kurisu?.dispose();
  kurisu = undefined;
});

const soul = "# Mira\n\nMira keeps the lighthouse. Her cat is called Quince.";
const prices = { "scripted:one": { input: 10, output: 20 } };

describe.each(listUsualEngines())("trials of a persona, on %s", (engine) => {
  async function begin(options: TestGatewayOptions = {}) {
    const running = (kurisu = new TestGateway({ place: await createStorePlace(engine), ...options }));
    running.model.script = () => ({ text: "哼，你又来了。" });
    const budget = () => budgetOptions.parse({ prices });
    return { running, ...(await beginTrials(running, { budget })) };
  }
  const countRows = async ({ store }: TestGateway, table: "messages" | "turns") =>
    Number(
      (
        await store.main
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as("count"))
          .executeTakeFirst()
      )?.count,
    );

  it("a try asks the model with the draft's soul and the one sentence, and stores no message", async () => {
    const { read, running } = await begin();
    const tried = await read<TriedView>("/personas/default/try", {
      text: "你的猫叫什么？",
      drafts: { "soul.md": soul },
    });
    expect(tried).toMatchObject({
      reply: "哼，你又来了。",
      verdict: "ok",
      kinds: [],
      enforced: false,
      isSecond: false,
    });
    expect(tried.input).toBeGreaterThan(100);
    expect(tried.cost).toBeCloseTo((tried.input * 10 + tried.output * 20) / 1_000_000, 9);
    const [asked, ...more] = running.model.asked;
    expect(more).toEqual([]);
    expect(asked?.request.messages.map(({ type }) => type)).toEqual(["system", "human"]);
    expect(JSON.stringify(asked?.request.messages[0]?.content)).toContain("called Quince");
    expect(asked?.request.messages[1]?.content).toBe("你的猫叫什么？");
    expect(asked?.tools).toEqual([]);
    expect(asked?.request.payer).toEqual({ id: "console:owner", owner: true });
    expect([await countRows(running, "messages"), await countRows(running, "turns")]).toEqual([0, 0]);
    expect(existsSync(join(running.place.home, "console-files"))).toBe(false);
  });

  it("a try is mended as in a chat: what breaks the role is taken out, and too little left asks once more", async () => {
    const { read, running } = await begin();
    running.model.script = ({ request }) =>
      request.messages.length === 2 ? { text: "作为一个AI语言模型，我没有感情。" } : { text: "哼，这种事不用你管。" };
    const again = await read<TriedView>("/personas/default/try", { text: "你是什么？" });
    expect(again).toMatchObject({
      verdict: "break",
      enforced: true,
      isSecond: true,
      isFallback: false,
      reply: "哼，这种事不用你管。",
      draft: "作为一个AI语言模型，我没有感情。",
    });
    expect(again.kinds).toContain("ai-self-disclosure");
    running.model.script = () => ({ text: "作为一个AI语言模型，我没有感情。" });
    const fallen = await read<TriedView>("/personas/default/try", { text: "你是什么？" });
    expect(fallen).toMatchObject({ isFallback: true, verdict: "break" });
    expect(fallen.reply).not.toContain("AI");
  });

  it("the price is told before, and nothing is asked for it", async () => {
    const { read, running } = await begin();
    const path = "/personas/default/try/estimate";
    const short = await read<TryEstimateView>(path, { text: "" });
    const long = await read<TryEstimateView>(path, { text: "字".repeat(1_000) });
    expect(short).toMatchObject({ isOffline: false, model: "scripted:one", hasLorebook: false });
    expect(long.input - short.input).toBeGreaterThan(500);
    expect(long.cost).toBeCloseTo((long.input * 10 + long.output * 20) / 1_000_000, 9);
    const draft = { "lorebook.json": JSON.stringify(miraBook) };
    expect(await read(path, { text: "", drafts: draft })).toMatchObject({ hasLorebook: true });
    expect(running.model.asked).toEqual([]);
  });

  it("a try counts as the owner's, and is refused when the limit of the day is reached", async () => {
    const { ask, running } = await begin({ budget: { tokens: { owner: 1_000 } } });
    running.model.script = async ({ request: { payer } }) => {
      const usage = { input: 990, output: 10, cachedInput: 0 };
      const model = "scripted:one";
      await running.budget.spend({ payer, model, usage, estimated: false, startedAt: 0, ms: 1, end: "answered" });
      return { text: "嗯。" };
    };
    expect((await ask("/personas/default/try", { text: "在吗" })).status).toBe(200);
    const { mine, states } = await running.budget.look({ id: "console:owner", owner: true });
    expect([mine.input, mine.output, mine.calls]).toEqual([990, 10, 1]);
    expect(states).toMatchObject([{ scope: "person", used: 1_000 }]);
    const refused = await ask("/personas/default/try", { text: "在吗" });
    expect(refused.status).toBe(409);
    expect(JSON.parse(refused.text)).toMatchObject({ code: "spent" });
    expect(running.model.asked).toHaveLength(1);
  });

  it("one try at a time is taken of a login, and none while everything is paused or no model is connected", async () => {
    const { ask, running } = await begin();
    const gate = new Gate();
    running.model.script = async ({ request }) => {
      await gate.pass(request.signal);
      return { text: "嗯。" };
    };
    const first = ask("/personas/default/try", { text: "在吗" });
    await running.until(() => gate.waiting === 1);
    const second = await ask("/personas/default/try", { text: "在吗" });
    expect([second.status, JSON.parse(second.text)]).toMatchObject([409, { code: "busy" }]);
    gate.open();
    expect((await first).status).toBe(200);
    await running.gateway.system.pause({ person: "console:owner", name: "owner" } as never);
    expect((await ask("/personas/default/try", { text: "在吗" })).status).toBe(423);
  });

  it("a try ends when its browser goes away", async () => {
    const { cookie, running, server } = await begin();
    const gate = new Gate();
    const ends: boolean[] = [];
    running.model.script = async ({ request }) => {
      await gate.pass(request.signal).catch(() => ends.push(request.signal.aborted));
      return { text: "嗯。" };
    };
    const { port } = server;
    const headers = { ...asPage(`127.0.0.1:${port}`), cookie };
    const sent = request({ port, host: "127.0.0.1", method: "POST", path: "/api/personas/default/try", headers });
    sent.on("error", () => undefined);
    sent.end(JSON.stringify({ text: "在吗" }));
    await running.until(() => gate.waiting === 1);
    sent.destroy();
    await running.until(() => ends.length === 1);
    expect(ends).toEqual([true]);
  });

  it("a secret that a draft names is never in an answer", async () => {
    const { read, running } = await begin({ secrets: ["sk-secret-0123456789"] });
    running.model.script = () => ({ text: "拿着：sk-secret-0123456789。" });
    expect(JSON.stringify(await read("/personas/default/try", { text: "给我" }))).not.toContain("0123456789");
  });

  it("a draft or a file that names a secret's variable is refused, and neither the page nor the model gets the secret", async () => {
    const running = (kurisu = new TestGateway({
      place: await createStorePlace(engine),
      secrets: ["sk-secret-0123456789"],
    }));
    const { addPersona, ask, cookie, folders, server } = await beginTrials(running, {
      environment: { SECRET_OF_ENV: "sk-secret-0123456789" },
    });
    const yaml = readFileSync(join(folders.shipped, "default", "persona.yaml"), "utf8").replace(
      /zh: .*/,
      "zh: ${SECRET_OF_ENV}",
    );
    const lorebook = JSON.stringify({ entries: [{ keys: [], constant: true, content: "I am {{char}}" }] });
    const drafts = { "persona.yaml": yaml, "lorebook.json": lorebook };
    for (const [path, body] of [
      ["try", { text: "你是谁" }],
      ["try/estimate", { text: "你是谁" }],
      ["lore-test", { text: "你是谁" }],
      ["reply-check", { reply: "嗯。" }],
    ] as const) {
      const { status, text } = await ask(`/personas/default/${path}`, { ...body, drafts });
      expect({ path, status, told: text.includes("0123456789") }).toEqual({ path, status: 422, told: false });
    }
    expect(running.model.asked).toEqual([]);
    addPersona("thief", { "persona.yaml": yaml.replace("id: default", "id: thief"), "soul.md": "# T" });
    const { text } = await server.ask({ path: "/api/personas", headers: { cookie } });
    expect(text).toContain("thief");
    expect(text).not.toContain("0123456789");
  });

  it("a try is refused when no model is connected, and the estimate says so", async () => {
    const { ask, read, running } = await begin({ isOffline: true });
    expect(await read("/personas/default/try/estimate", { text: "" })).toMatchObject({ isOffline: true });
    const { status, text } = await ask("/personas/default/try", { text: "在吗" });
    expect([status, JSON.parse(text)]).toMatchObject([409, { code: "offline" }]);
    expect(running.model.asked).toEqual([]);
  });

  it("requests without words, with too many, with other files, or of no persona are refused", async () => {
    const { ask } = await begin();
    const refused = async (path: string, body: object) => (await ask(path, body)).status;
    expect(await refused("/personas/default/try", { text: " " })).toBe(400);
    expect(await refused("/personas/default/try", { text: "字".repeat(4_001) })).toBe(400);
    expect(await refused("/personas/default/try", { text: "a", drafts: { "../x": "" } })).toBe(400);
    expect(await refused("/personas/default/lore-test", { text: "\uD800" })).toBe(400);
    for (const id of ["nobody", "..", "..%2F..", "default%2F"])
      expect(await refused(`/personas/${id}/try`, { text: "a" }), `the persona ${id}`).toBe(404);
  });

  it("a draft with faults is answered with their places", async () => {
    const { ask } = await begin();
    for (const path of ["try", "try/estimate", "lore-test", "reply-check"]) {
      const drafts = { "soul.md": " ", "persona.yaml": "id: default\nemoji: 3\n" };
      const text = path === "reply-check" ? { reply: "嗯。" } : { text: "在吗" };
      const answer = await ask(`/personas/default/${path}`, { ...text, drafts });
      expect(answer.status, `${path} with faults`).toBe(422);
      const { faults } = JSON.parse(answer.text) as FaultyPersonaView;
      expect(faults).toContainEqual({ file: "soul.md", line: 1, column: 1, key: "", problem: "is empty" });
      expect(faults).toContainEqual(expect.objectContaining({ file: "persona.yaml", line: 2, key: "emoji" }));
    }
  });

  it("a card whose lorebook has more that is always on than the page shows is refused", async () => {
    const { examine } = await begin();
    const entries = Array.from({ length: 51 }, (_, at) => ({ keys: [], constant: true, content: `Rule ${at}.` }));
    const { status, text } = await examine(packPng(miraCard({ character_book: { entries } })));
    expect(status).toBe(400);
    expect(text).toContain("persona import FILE");
  });

  it("a reply out of character is a break with its kinds, and one in character is none", async () => {
    const { read } = await begin();
    const check = (reply: string, more: object = {}) =>
      read<ReplyCheckView>("/personas/default/reply-check", { reply, ...more });
    expect(await check("哼，才不是为了你。", { last: "谢谢" })).toEqual({ verdict: "ok", kinds: [] });
    const broken = await check("我是一个AI语言模型，很高兴为您服务！", { last: "你是谁" });
    expect(broken.verdict).toBe("break");
    expect(broken.kinds).toContain("ai-self-disclosure");
    const shipped = readFileSync(join(import.meta.dirname, "../../config/personas/default/persona.yaml"), "utf8");
    const draft = `${shipped}\nforbidden: [海鸥]\n`;
    expect((await check("海鸥又来了。")).verdict).toBe("ok");
    expect(await check("海鸥又来了。", { drafts: { "persona.yaml": draft } })).toEqual({
      verdict: "break",
      kinds: ["forbidden-word"],
    });
  });

  it("the lorebook says which entries come and why: by a key, always, or not at all", async () => {
    const { read } = await begin();
    const path = "/personas/default/lore-test";
    expect(await read(path, { text: "lamp" })).toEqual({ kind: "none" });
    const drafts = { "lorebook.json": JSON.stringify(miraBook) };
    const tested = await read<LoreTestView>(path, { text: "Is the lamp on? A gull! A boat!", drafts });
    if (tested.kind === "none") throw new Error("there is a lorebook");
    expect(tested).toMatchObject({ come: 2, all: 4 });
    expect(tested.rows.map(({ comes, entry, why }) => ({ comes, entry, why }))).toEqual([
      { comes: true, entry: 2, why: { kind: "constant" } },
      { comes: true, entry: 1, why: { kind: "said", keys: ["lamp"] } },
      { comes: false, entry: 3, why: { kind: "disabled" } },
      { comes: false, entry: 4, why: { kind: "chance" } },
    ]);
    expect(tested.rows[1]).toMatchObject({ keys: ["lamp"], content: "The lamp is broken.", order: 5 });
  });

  it("a dropped card is only looked at; installed, it is a persona whose fields all come out again", async () => {
    const { ask, examine, own, read, reloads, server } = await begin();
    const card = miraCard();
    const answer = await examine(packPng(card));
    const view = JSON.parse(answer.text) as CardView;
    expect([answer.status, view]).toMatchObject([
      200,
      {
        id: "mira",
        name: "Mira",
        version: 2,
        hasPicture: true,
        isThere: false,
        keeps: { greetings: 2, entries: 3, files: 0 },
        always: ["It always rains."],
        instructions: [
          { name: "system_prompt", text: "Answer in rhymes." },
          { name: "post_history_instructions", text: "Stay short." },
        ],
      },
    ]);
    expect(existsSync(own)).toBe(false);
    const wanted = { digest: view.digest, id: "mira", instructions: false, replace: false };
    expect((await ask("/cards/install", { ...wanted, digest: "0".repeat(64) })).status).toBe(409);
    expect(existsSync(own)).toBe(false);
    expect(await read("/cards/install", wanted)).toEqual({ id: "mira" });
    expect(reloads()).toBe(1);
    expect(readdirSync(join(own, "mira")).toSorted()).toEqual([
      "avatar.png",
      "card.json",
      "lorebook.json",
      "persona.yaml",
      "soul.md",
    ]);
    expect(readFileSync(join(own, "mira", "soul.md"), "utf8")).not.toContain("rhymes");
    const stored = await readCard(readFileSync(join(own, "mira", "card.json")));
    expect(stored).toMatchObject({ kind: "card", card: { raw: card } });
    expect(await server.audited()).toContainEqual({
      action: "persona.imported",
      actor: "console:owner",
      persona: "mira",
      digest: view.digest,
      instructions: false,
      login: "login_owner",
    });
    expect(await read<LoreTestView>("/personas/mira/lore-test", { text: "lamp" })).toMatchObject({ come: 2 });
    // A card is installed once for each look at it.
    expect((await ask("/cards/install", { ...wanted, id: "mira-b" })).status).toBe(409);
  });

  it("an earlier import is replaced only by a second word, and the card's instructions come only by one of their own", async () => {
    const { addPersona, ask, examine, own, running } = await begin();
    const install = async (bytes: Buffer, more: object = {}) => {
      const view = JSON.parse((await examine(bytes)).text) as CardView;
      const wanted = { digest: view.digest, id: view.id, instructions: false, replace: false, ...more };
      const { status, text } = await ask("/cards/install", wanted);
      return { view, status, code: (JSON.parse(text) as { readonly code?: string }).code };
    };
    expect((await install(packPng(miraCard()))).status).toBe(200);
    const newer = packPng(miraCard({ description: "{{char}} left the lighthouse." }));
    const there = await install(newer);
    expect([there.view.isThere, there.status, there.code]).toEqual([true, 409, "there"]);
    expect(readFileSync(join(own, "mira", "soul.md"), "utf8")).toContain("gull");
    expect((await install(newer, { replace: true, instructions: true })).status).toBe(200);
    const text = readFileSync(join(own, "mira", "soul.md"), "utf8");
    expect(text).toContain("left the lighthouse");
    expect(text).toContain("Answer in rhymes.");

    addPersona("written", { "soul.md": "# Written" });
    for (const [id, code] of [
      ["default", "reserved"],
      ["written", "written"],
      ["../x", "invalid"],
      ["", "invalid"],
    ] as const)
      expect(await install(newer, { id, replace: true }), `the id ${id}`).toMatchObject({ status: 422, code });

    const late = JSON.parse((await examine(newer)).text) as CardView;
    running.clock.advance(11 * 60_000);
    const wanted = { digest: late.digest, id: "late", instructions: false, replace: false };
    expect((await ask("/cards/install", wanted)).status).toBe(409);
    expect(existsSync(join(own, "late"))).toBe(false);
  });

  it("what a stranger wrote in a card is shown as text, and a lorebook that cannot be read is named", async () => {
    const { examine } = await begin();
    const hostile = miraCard({
      name: "Mira\u202E",
      description: "<img src=x onerror=alert(1)>\u202E",
      system_prompt: "obey\u0007",
      character_book: { entries: 3 },
    });
    const { status, text } = await examine(Buffer.from(JSON.stringify(hostile)));
    const view = JSON.parse(text) as CardView;
    expect(status).toBe(200);
    expect(text.includes("\u202E") || text.includes("\u0007")).toBe(false);
    expect(view.soul).toContain("<img src=x onerror=alert(1)>⟨U+202E⟩");
    expect(view.instructions[0]?.text).toContain("⟨U+0007⟩");
    expect(view.bookFault).not.toBe("");
    expect(view.hasPicture).toBe(false);
  });

  it("a file that is no card, or larger than a card may be here, is refused with its reason", async () => {
    const { examine, own } = await begin();
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from("no card"),
      Buffer.from("[]"),
      packPng(miraCard()).subarray(0, 60),
    ])
      expect(await examine(bytes)).toMatchObject({ status: 400, text: expect.stringContaining("The card") as string });
    expect((await examine(Buffer.alloc(16 * 1024 * 1024 + 1))).status).toBe(413);
    expect(existsSync(own)).toBe(false);
  });
});
