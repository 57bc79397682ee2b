import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAudit } from "../../src/store/queries/audit.ts";
import { codeOf, TestGateway } from "../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

describe.each(listUsualEngines())("on %s:", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine) });
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const lastResults = () => kurisu.model.asked.at(-1)?.results ?? [];

  describe("a question with three calls", () => {
    beforeEach(() => kurisu.say("poke a; poke b; poke c"));

    it("says how to choose among them", () => {
      expect(kurisu.lastPrompt().text).toContain('"confirm 1 3"');
      expect(kurisu.lastPrompt().text).toMatch(/1\. `poke`[\s\S]*2\. `poke`[\s\S]*3\. `poke`/);
    });

    it("runs those that are named; the model hears which were refused", async () => {
      await kurisu.say("确认 1 3");
      expect(kurisu.did()).toEqual(["a", "c"]);
      expect(lastResults().map((result) => result.includes("said no"))).toEqual([false, true, false]);
      expect(kurisu.lastText()).toContain("3 件里成了 2 件");
      expect(kurisu.channel.closed.at(-1)?.text).toContain("Confirmed only 1, 3");
      expect(await kurisu.questions()).toEqual([]);
    });

    it("the rest is asked anew after a rejection of one call, and runs only then", async () => {
      const first = codeOf(kurisu.lastPrompt());
      await kurisu.say("取消 2");
      expect(kurisu.did()).toEqual([]);
      const [left] = await kurisu.questions();
      expect(left?.calls.map(({ summary }) => summary)).toEqual(["a", "c"]);
      expect(left?.code).not.toBe(first);
      expect(kurisu.channel.closed.at(-1)?.text).toContain("Cancelled 2");
      // The model is not asked in between.
      expect(kurisu.model.asked).toHaveLength(1);
      await kurisu.say(`确认 ${first}`);
      expect(kurisu.did()).toEqual([]);
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual(["a", "c"]);
      expect(lastResults().map((result) => result.includes("said no"))).toEqual([false, true, false]);
    });

    it("keeps the no over a restart", async () => {
      await kurisu.say("取消 1 2");
      await kurisu.restart();
      await kurisu.settle();
      await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())} 1`);
      expect(kurisu.did()).toEqual(["c"]);
    });

    it("takes no number it does not have, and stays open", async () => {
      await kurisu.say("确认 1 4");
      expect(kurisu.lastText()).toContain("没有第 4 件");
      await kurisu.say(`取消 ${codeOf(kurisu.lastPrompt())} 9`);
      expect(kurisu.lastText()).toContain("没有第 9 件");
      expect(kurisu.did()).toEqual([]);
      expect(await kurisu.questions()).toHaveLength(1);
    });

    it("an answer that names all numbers decides the whole question", async () => {
      await kurisu.say("取消 1 2 3");
      expect(kurisu.did()).toEqual([]);
      expect(await kurisu.questions()).toEqual([]);
      expect(kurisu.lastText()).toContain("3 件里成了 0 件");
    });
  });

  describe("改成 …", () => {
    it("takes the call back, gives it with the words to the model, and asks for what it makes of them", async () => {
      await kurisu.say("poke a");
      const { id } = (await kurisu.questions())[0] ?? {};
      kurisu.model.script = ({ text, results }) =>
        text.includes("改成") && results.length === 0
          ? { calls: [{ name: "poke", arguments: { what: "b" } }] }
          : { text: "好了" };
      await kurisu.say("改成 b");
      expect(kurisu.did()).toEqual([]);
      const seen = kurisu.model.asked.at(-1)?.request.messages.map(({ content }) => JSON.stringify(content)) ?? [];
      expect(seen.at(-1)).toContain("改成 b");
      expect(seen.at(-2)).toContain("took question");
      expect(seen.at(-2)).toMatch(/what\W+a\W/);
      expect(kurisu.channel.closed.at(-1)?.text).toContain("another way");
      const [asked] = await kurisu.questions();
      expect(asked?.calls.map(({ summary }) => summary)).toEqual(["b"]);
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual(["b"]);
      const actions = (await readAudit(kurisu.store.main, 50, id)).map(({ action }) => action);
      expect(actions).toEqual(["approval.asked", "approval.cancelled"]);
    });

    it("asks for the changed call also when the model makes none, and says what is dropped when it cannot be known", async () => {
      await kurisu.say("poke a");
      kurisu.model.script = ({ results }) => ({ text: results.length === 0 ? "是吗？" : "好了" });
      await kurisu.say("改成 b");
      const [asked] = await kurisu.questions();
      expect(asked?.calls.map(({ summary }) => summary)).toEqual(["b"]);
      await kurisu.say("改成 随便 什么 都行");
      expect(await kurisu.questions()).toEqual([]);
      expect(kurisu.lastText()).toMatch(
        new RegExp(`^是吗？\\s+${asked?.code}（poke b）已经撤下，没有执行。.*整句再说一遍`),
      );
      expect(kurisu.did()).toEqual([]);
    });

    it("「改成」 is ordinary talk when nothing is asked, and for other people than the asker", async () => {
      await kurisu.say("改成 b");
      expect(kurisu.lastText()).toContain("听到了");
      await kurisu.say("poke a", { chat: "room", group: true, user: "alice" });
      await kurisu.say("改成 b", { chat: "room", group: true, user: "bob" });
      await kurisu.say("改成 b", { chat: "room", group: true, user: "owner" });
      expect(await kurisu.questions()).toHaveLength(1);
    });

    it("needs the code when two are open, and never counts when it is edited or forwarded", async () => {
      await kurisu.say("poke a");
      await kurisu.say("poke b");
      const [first] = kurisu.prompts();
      await kurisu.say("改成 c");
      expect(kurisu.lastText()).toContain("把编号放在前面");
      await kurisu.say(`${first && codeOf(first)} 改成 c`, { edited: true });
      await kurisu.say(`${first && codeOf(first)} 改成 c`, { forwarded: true });
      expect(await kurisu.questions()).toHaveLength(2);
      await kurisu.say(`${first && codeOf(first)} 改成 c`);
      const asked = (await kurisu.questions()).map(({ calls }) => calls[0]?.summary);
      expect(asked.toSorted((one = "", other = "") => one.localeCompare(other))).toEqual(["b", "c"]);
    });
  });

  it("says why it asks when it is not that it always does: what was read", async () => {
    await kurisu.say("poke a");
    expect(kurisu.lastPrompt().text).not.toContain("I just read");
    await kurisu.say("取消");
    await kurisu.say("read_page x > note b");
    expect(kurisu.lastPrompt().text).toContain("I just read read_page");
    expect(kurisu.lastPrompt().text).not.toContain("30 min");
  });
});
