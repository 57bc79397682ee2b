import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createThinkTool } from "../../src/kernel/tools/builtin/think.ts";
import { createTodoTool } from "../../src/kernel/tools/builtin/todo.ts";
import type { Tool } from "../../src/kernel/tools/types.ts";
import { effectRules } from "../support/effect-tools.ts";
import { TestGateway } from "../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

const { permissions } = effectRules;
const rules = { ...effectRules, permissions: { ...permissions, safe: [...permissions.safe, "think", "todo"] } };

describe.each(listUsualEngines())("on %s:", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({
      place: await createStorePlace(engine),
      tools: [createThinkTool(), createTodoTool({ database: () => kurisu.store.main })] as Tool[],
      rounds: { chat: 3, working: 25 },
    });
    kurisu.rules.current = rules;
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const outcomes = () =>
    (kurisu.model.asked.at(-1)?.results ?? []).map(
      (result) => JSON.parse(result) as { ok: boolean; output: unknown; error?: string },
    );

  describe("a thought", () => {
    const thought = "他其实是想问海马体";

    it("a thought is in the ledger, and people see neither it nor that there was one", async () => {
      kurisu.model.script = ({ results }) =>
        results.length === 0
          ? {
              calls: [
                { name: "think", arguments: { thought } },
                { name: "peek", arguments: { what: "x" } },
              ],
            }
          : { text: "是海马体。" };
      await kurisu.say("那个");
      const [row] = await kurisu.store.main
        .selectFrom("tool_ledger")
        .select("outcome")
        .where("tool", "=", "think")
        .execute();
      expect(row?.outcome).toContain(thought);
      expect(outcomes()[0]).toEqual({ ok: true, status: "done", ms: 0, output: { recorded: true } });
      const { views, sent } = kurisu.channel;
      expect(views.flatMap(({ tools }) => tools.map(({ name }) => name))).toContain("peek");
      expect(JSON.stringify([views, sent])).not.toMatch(/think|他其实/);
      const rows = await kurisu.store.main.selectFrom("outbox").select("payload").execute();
      expect(JSON.stringify(rows)).not.toContain("他其实");
      for (const command of ["/status", "/todo", "/worldline", "/proof"]) {
        await kurisu.say(command);
        expect(kurisu.lastText()).not.toMatch(/think|他其实/);
      }
      expect(kurisu.lastText()).toMatch(/1 次工具调用[\s\S]*peek x/);
    });

    it("a wrong thought is not shown either; one that needs approval is shown whole in its question and nowhere else", async () => {
      kurisu.model.script = ({ results }) =>
        results.length === 0 ? { calls: [{ name: "think", arguments: { thought: 3 } }] } : { text: "嗯。" };
      await kurisu.say("那个");
      expect(outcomes()[0]?.error).toContain("Wrong arguments for think: thought");
      kurisu.rules.current = { ...effectRules, permissions: { ...permissions, confirm: ["think"] } };
      await kurisu.gateway.applyPolicy();
      kurisu.model.script = ({ results }) =>
        results.length === 0 ? { calls: [{ name: "think", arguments: { thought } }] } : { text: "嗯。" };
      await kurisu.say("那个");
      const question = kurisu.lastPrompt();
      expect(question.text).toContain(thought);
      await kurisu.say("确认");
      const others = kurisu.channel.sent.filter(({ text }) => text !== question.text);
      expect(JSON.stringify([kurisu.channel.views, others])).not.toContain("他其实");
    });

    it("brings nothing: who only thinks comes to an end", async () => {
      kurisu.model.script = ({ tools }) =>
        tools.length === 0 ? { text: "想不出来。" } : { calls: [{ name: "think", arguments: { thought } }] };
      await kurisu.say("想");
      expect(kurisu.model.asked).toHaveLength(4);
    });
  });

  describe("the to-do list", () => {
    const items = [{ text: "查文献", status: "done" }, { text: "写提纲", status: "active" }, { text: "发给教授" }];
    const set = (of: unknown): void => {
      kurisu.model.script = ({ results }) =>
        results.length === 0
          ? { calls: [{ name: "todo", arguments: of === undefined ? {} : { items: of as never } }] }
          : { text: "好。" };
    };

    it("the to-do list survives restarts and world lines, and /todo shows it", async () => {
      await kurisu.say("/todo");
      expect(kurisu.lastText()).toBe("待办是空的。");
      set(items);
      await kurisu.say("列一下");
      const list = [items[0], items[1], { text: "发给教授", status: "pending" }];
      expect(outcomes()[0]).toEqual({ ok: true, status: "done", ms: 0, output: { list } });
      await kurisu.restart();
      await kurisu.say("/todo");
      expect(kurisu.lastText()).toBe("待办，做完 1/3：\n✓ 查文献\n▸ 写提纲\n○ 发给教授");
      set(undefined);
      await kurisu.say("/dmail 0 看一下");
      expect(outcomes()[0]).toEqual({ ok: true, status: "done", ms: 0, output: { list } });
      await kurisu.say("看一下", { chat: "other" });
      expect(outcomes()[0]).toEqual({ ok: true, status: "done", ms: 0, output: { list: [] } });
      set([]);
      await kurisu.say("清空");
      await kurisu.say("/todo");
      expect(kurisu.lastText()).toBe("待办是空的。");
    });

    it("refuses what is no list", async () => {
      for (const wrong of [[{ text: "" }], [{ text: "a", status: "later" }], [{ text: "a", by: "me" }], "a"]) {
        set(wrong);
        await kurisu.say("列一下");
        expect(outcomes()[0]?.error).toContain("Wrong arguments for todo: items");
      }
      expect(await kurisu.store.main.selectFrom("todos").selectAll().execute()).toEqual([]);
    });

    it("the list needs no approval after a web page, but a later reader of it counts as having read the page too", async () => {
      kurisu.model.script = ({ results }) =>
        [
          { calls: [{ name: "read_page", arguments: { what: "page" } }] },
          { calls: [{ name: "todo", arguments: { items: [{ text: "note everything" }] } }] },
          { text: "好。" },
        ][results.length] ?? { text: "?" };
      await kurisu.say("读一下");
      expect(await kurisu.questions()).toEqual([]);
      kurisu.model.script = ({ results }) =>
        [
          { calls: [{ name: "todo", arguments: {} }] },
          { calls: [{ name: "note", arguments: { what: "everything" } }] },
          { text: "好。" },
        ][results.length] ?? { text: "?" };
      await kurisu.say("照清单做");
      expect(kurisu.lastPrompt().message.question?.calls).toMatchObject([{ tool: "note", summary: "everything" }]);
      expect(kurisu.did()).toEqual(["page"]);
    });

    it("a guest does not change the to-do list", async () => {
      set(items);
      await kurisu.say("列一下", { user: "mallory", chat: "room", group: true });
      expect(outcomes()[0]?.error).toContain("Guests may look at the list");
    });
  });
});
