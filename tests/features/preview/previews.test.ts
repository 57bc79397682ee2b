import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defineTool } from "../../../src/kernel/tools/define-tool.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { effectRules } from "../../support/effect-tools.ts";
import { makeMessage } from "../../support/fake-channel.ts";
import { Gate } from "../../support/gate.ts";
import { codeOf, pressOf, TestGateway } from "../../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";

/** A tool that asks and knows no copy. */
const ring = defineTool({
  name: "nothing",
  description: { zh: "ring", en: "ring" },
  input: z.strictObject({ what: z.string() }),
  level: "confirm",
  readOnly: false,
  idempotent: false,
  place: "gateway",
  summarize: ({ what }) => what,
  run: async () => ({ ok: true, output: "rang" }),
}) as Tool;

describe.each(listUsualEngines())("on %s:", (engine) => {
  let kurisu: TestGateway;

  async function begin(options?: ConstructorParameters<typeof TestGateway>[0]): Promise<void> {
    await kurisu?.dispose();
    kurisu = new TestGateway({ place: await createStorePlace(engine), tools: [ring], ...options });
    kurisu.rules.current = {
      ...effectRules,
      permissions: { ...effectRules.permissions, confirm: ["poke", "nothing"] },
    };
    await kurisu.start();
  }

  beforeEach(() => begin());
  afterEach(() => kurisu.dispose());

  const results = () => kurisu.channel.sent.filter(({ message }) => message.id.endsWith(".preview"));
  const rows = () => kurisu.store.main.selectFrom("previews").selectAll().orderBy("seq").execute();
  const ledger = () => kurisu.store.main.selectFrom("tool_ledger").selectAll().execute();
  const folders = () => readdirSync(join(kurisu.place.home, "workspaces"));

  /** Says 「预览」 (or something like it) and waits for the result. */
  async function preview(text = "预览", said: Parameters<typeof makeMessage>[1] = {}): Promise<string> {
    const before = results().length;
    await kurisu.channel.deliver(makeMessage(text, said));
    await kurisu.until(() => results().length > before);
    await kurisu.settle();
    return results().at(-1)?.text ?? "";
  }

  /** Previews wait at the gate. */
  function holdPreviews(): Gate {
    const gate = new Gate();
    kurisu.onPreview = async (_, { signal }) => {
      await gate.pass(signal);
      return { ok: true, output: "" };
    };
    return gate;
  }

  describe("「预览」", () => {
    it("the preview tries the call on a copy and leaves the question open; an approval then runs it once", async () => {
      await kurisu.say("poke 甲");
      const [before] = await kurisu.questions();
      const code = codeOf(kurisu.lastPrompt());
      expect(kurisu.lastPrompt().text).toContain("「预览」");
      expect(kurisu.lastPrompt().message.choices?.map(({ label }) => label)).toEqual(["确认", "预览", "取消"]);
      const text = await preview();
      expect(text).toContain(`${code} 的预览，在工作区的副本上`);
      expect(text).toContain("改动 1 个文件，+1 −0：");
      expect(text).toContain("+ 甲.txt  +1");
      expect(text).toContain("+poked 甲");
      expect(text).toContain("只动了副本，真正的工作区没有变。");
      expect(text).toContain(`「确认 ${code}」执行，「取消 ${code}」放弃，还有 10 分钟`);
      expect(await kurisu.questions()).toEqual([before]);
      expect({ did: kurisu.did(), ledger: await ledger(), tried: kurisu.previews.map(({ what }) => what) }).toEqual({
        did: [],
        ledger: [],
        tried: ["甲"],
      });
      expect(await rows()).toMatchObject([
        { question: before?.id, tool: "poke", hash: before?.calls[0]?.hash, state: "done", actor: "fake:owner" },
      ]);
      expect(folders()).toHaveLength(1);
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual(["甲"]);
      expect(await rows()).toHaveLength(1);
      expect((await ledger()).map(({ state }) => state)).toEqual(["done"]);
      expect(kurisu.channel.sent.filter(({ text }) => text.includes("可能和预览不一样"))).toEqual([]);
    });

    it("comes by button too, and by code when two wait", async () => {
      await kurisu.say("poke 甲");
      kurisu.clock.advance(1_000);
      await kurisu.say("poke 乙");
      const [first, second] = kurisu.prompts();
      if (!first || !second) throw new Error("two questions were to be asked");
      await kurisu.channel.deliver(pressOf(first, "plain"));
      await kurisu.until(() => results().length === 1);
      expect(kurisu.channel.toasts).toEqual(["先在副本上试一遍"]);
      expect(results()[0]?.text).toContain("+ 甲.txt");
      await kurisu.say("预览");
      expect(kurisu.lastText()).toContain(`「预览 ${codeOf(first)}」`);
      expect(await preview(`preview ${codeOf(second).toLowerCase()}`)).toContain("+ 乙.txt");
      expect((await kurisu.questions()).length).toBe(2);
      expect(kurisu.did()).toEqual([]);
    });

    it("twice is two previews and no execution, and each shows the files as they were", async () => {
      await kurisu.say("poke 甲");
      const texts = [await preview(), await preview()];
      for (const text of texts) expect(text).toContain("+ 甲.txt  +1");
      expect((await rows()).map(({ state }) => state)).toEqual(["done", "done"]);
      expect(new Set((await rows()).map(({ preview }) => preview)).size).toBe(2);
      await kurisu.say("取消");
      expect(kurisu.did()).toEqual([]);
    });

    it("shows all calls of a question on one copy, and names what cannot be tried out", async () => {
      await kurisu.say("poke 甲; nothing 乙; poke 丙");
      const text = await preview();
      expect(text).toMatch(/1\. `poke` 能做成[\s\S]*2\. `nothing` 这个没法预览，跳过了[\s\S]*3\. `poke` 能做成/);
      expect(text).toContain("改动 2 个文件，+2 −0：");
      expect((await rows()).map(({ call }) => call)).toEqual(["1.1", "1.3"]);
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual(["甲", "丙"]);
    });

    it("the preview is not offered where nothing can be tried out, and gives the reason when it is asked for", async () => {
      await kurisu.say("nothing 乙");
      expect(kurisu.lastPrompt().message.choices?.map(({ label }) => label)).toEqual(["确认", "取消"]);
      expect(kurisu.lastPrompt().text).not.toContain("预览");
      await kurisu.say("预览");
      expect(kurisu.lastText()).toContain("没法预览：nothing");
      expect(await kurisu.questions()).toHaveLength(1);
    });

    it("speaks the language of the wish, the button that of the chat", async () => {
      await kurisu.say("poke 甲");
      expect(await preview("プレビュー")).toContain("本物の作業フォルダはそのまま");
      await kurisu.press(kurisu.lastPrompt(), "plain");
      await kurisu.until(() => results().length === 2);
      expect(results()[1]?.text).toContain("真正的工作区没有变");
    });

    it("tells that it would fail", async () => {
      kurisu.onPreview = () => ({ ok: false, error: "there is no such thing\u202e" });
      await kurisu.say("poke 甲");
      const text = await preview();
      expect(text).toContain("`poke` 做不成");
      expect(text).toContain("there is no such thing⟨U+202E⟩");
      expect((await kurisu.store.main.selectFrom("audit").select("action").execute()).map((row) => row.action)).toEqual(
        expect.arrayContaining(["preview.started", "preview.failed"]),
      );
    });
  });

  describe("a preview that another person asks for, or a message that is no plain one", () => {
    it.each(["预览", "预览 code"])("the person is told that the asker decides: %s", async (words) => {
      await kurisu.say("poke 甲", { user: "alice", chat: "room", group: true });
      const text = words.replace("code", codeOf(kurisu.lastPrompt()));
      await kurisu.say(text, { user: "bob", chat: "room", group: true });
      expect(kurisu.lastText()).toContain("得 alice 本人来答复");
      await kurisu.press(kurisu.lastPrompt(), "plain", { user: "bob" });
      expect(kurisu.channel.toasts.at(-1)).toContain("alice");
      expect(kurisu.previews).toEqual([]);
      expect(await rows()).toEqual([]);
    });

    it.each(["edited", "forwarded", "caption", "viaBot"] as const)("a message that is %s starts none", async (how) => {
      await kurisu.say("poke 甲");
      await kurisu.say("预览", { [how]: true });
      expect(kurisu.lastText()).toContain("不算答复");
      expect(kurisu.previews).toEqual([]);
    });

    it("the asker in a group gets it as an answer to the question", async () => {
      await kurisu.say("poke 甲", { user: "alice", chat: "room", group: true });
      await preview("预览", { user: "alice", chat: "room", group: true });
      expect(results()[0]?.message.replyTo).toBe(kurisu.lastPrompt().id);
    });

    it("the preview is refused once the rules forbid the call", async () => {
      await kurisu.say("poke 甲");
      kurisu.rules.current = { ...effectRules, rules: [{ tool: "poke", level: "deny" }] };
      expect(await preview()).toContain("按现在的规则它不会执行");
      expect(kurisu.previews).toEqual([]);
    });
  });

  describe("while one runs", () => {
    it("other messages are answered while a preview runs, a second one must wait, and the approval counts", async () => {
      const gate = holdPreviews();
      await kurisu.say("poke 甲");
      await kurisu.say("预览");
      await kurisu.until(() => gate.waiting === 1);
      expect(kurisu.lastText()).toContain("先在工作区的副本上试一遍");
      await kurisu.say("现在几点");
      expect(kurisu.lastText()).toContain("现在几点");
      await kurisu.say("预览");
      expect(kurisu.lastText()).toContain("预览还没跑完");
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual(["甲"]);
      gate.open();
      await kurisu.until(() => results().length === 1);
      expect(results()[0]?.text).toContain("之前已经确认过了");
      expect(kurisu.did()).toEqual(["甲"]);
      expect(kurisu.previews).toHaveLength(1);
    });

    it("the question can expire; its preview says so and nothing runs", async () => {
      await begin({ timeoutMs: 60_000 });
      const gate = holdPreviews();
      await kurisu.say("poke 甲");
      await kurisu.say("预览");
      await kurisu.until(() => gate.waiting === 1);
      kurisu.clock.advance(60_001);
      await kurisu.say("确认");
      expect(kurisu.lastText()).toContain("过期了");
      gate.open();
      await kurisu.until(() => results().length === 1);
      expect(results()[0]?.text).toContain("已经过期");
      await kurisu.say("预览");
      expect(kurisu.lastText()).toContain("已经过期");
      expect(kurisu.did()).toEqual([]);
    });

    it("/stop ends it without a result", async () => {
      const gate = holdPreviews();
      await kurisu.say("poke 甲");
      await kurisu.say("预览");
      await kurisu.until(() => gate.waiting === 1);
      await kurisu.say("/stop");
      expect(kurisu.lastText()).toContain("停下了");
      await kurisu.until(() => folders().length === 1);
      await kurisu.restart();
      await kurisu.settle();
      expect(results()).toEqual([]);
      expect(kurisu.did()).toEqual([]);
    });

    it("a restart drops it, and who asks again is told that it was cut off", async () => {
      holdPreviews();
      await kurisu.say("poke 甲");
      await kurisu.say("预览");
      await kurisu.until(() => kurisu.previews.length === 1);
      // As a kill leaves it: begun, and never to end.
      await kurisu.restart();
      await kurisu.store.main.updateTable("previews").set({ state: "started", outcome: null }).execute();
      await kurisu.settle();
      expect(results()).toEqual([]);
      expect(folders()).toHaveLength(1);
      kurisu.onPreview = () => ({ ok: true, output: "" });
      expect(await preview()).toContain("上一次预览被打断了");
      expect(await preview()).not.toContain("上一次预览被打断了");
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual(["甲"]);
    });
  });

  describe("an approval after the workspace has changed", () => {
    it.each(["words", "button"])("runs, and is told that the preview was of an older state: by %s", async (how) => {
      await kurisu.say("poke 甲");
      await preview();
      const [folder = ""] = folders();
      writeFileSync(join(kurisu.place.home, "workspaces", folder, "other.txt"), "new");
      if (how === "words") await kurisu.say("确认");
      else await kurisu.press(kurisu.lastPrompt(), "approve");
      expect(kurisu.did()).toEqual(["甲"]);
      const told = kurisu.channel.sent.findIndex(({ text }) => text.includes("可能和预览不一样"));
      const reply = kurisu.channel.sent.findLastIndex(({ message }) => message.kind === "reply");
      expect(told).toBeGreaterThan(0);
      expect(told).toBeLessThan(reply);
    });

    it("a rejection is not told that the preview was of an older state", async () => {
      await kurisu.say("poke 甲");
      await preview();
      const [folder = ""] = folders();
      writeFileSync(join(kurisu.place.home, "workspaces", folder, "other.txt"), "new");
      await kurisu.say("取消");
      expect(kurisu.channel.sent.filter(({ text }) => text.includes("可能和预览不一样"))).toEqual([]);
      expect(readFileSync(join(kurisu.place.home, "workspaces", folder, "other.txt"), "utf8")).toBe("new");
    });
  });
});
