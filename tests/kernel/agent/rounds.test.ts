import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestGateway } from "../../support/gateway.ts";
import { obeyWords } from "../../support/obey-words.ts";

let kurisu: TestGateway;
beforeEach(() => begin());
afterEach(() => kurisu.dispose());

async function begin(options?: ConstructorParameters<typeof TestGateway>[0]): Promise<void> {
  await kurisu?.dispose();
  kurisu = new TestGateway(options);
  await kurisu.start();
}

describe("several calls in one round", () => {
  it("run at once where they may, and the others are one question", async () => {
    await kurisu.say("poke a; peek p; poke b; note n");
    expect(kurisu.did()).toEqual(["p", "n"]);
    expect(kurisu.lastPrompt().message.question?.calls).toMatchObject([
      { tool: "poke", summary: "a" },
      { tool: "poke", summary: "b" },
    ]);
    await kurisu.say("确认");
    expect(kurisu.did()).toEqual(["p", "n", "a", "b"]);
    expect(
      kurisu.model.asked.at(-1)?.results.map((result) => (JSON.parse(result) as { output: string }).output),
    ).toEqual(["did a", "did p", "did b", "did n"]);
  });

  it("a rejection drops all calls but those that needed no approval", async () => {
    await kurisu.say("poke a; peek p; poke b");
    await kurisu.say("取消");
    expect(kurisu.did()).toEqual(["p"]);
    expect(kurisu.lastText()).toContain("3 件里成了 1 件");
  });

  it("denied and faulty calls are told to the model, and only the rest is asked about", async () => {
    await kurisu.say("never n; poke a; nothing x; poke");
    expect(kurisu.lastPrompt().message.question?.calls).toMatchObject([{ tool: "poke", summary: "a" }]);
    await kurisu.say("确认");
    expect(kurisu.did()).toEqual(["a"]);
    const [denied, done, unknown, wrong] = kurisu.model.asked.at(-1)?.results ?? [];
    expect(denied).toContain("not permitted");
    expect(done).toContain("did a");
    expect(unknown).toContain("There is no tool nothing");
    expect(wrong).toContain("Wrong arguments for poke: what");
  });

  it("the same call twice in a round is asked and run once", async () => {
    await kurisu.say("poke a; poke a");
    expect(kurisu.lastPrompt().message.question?.calls).toHaveLength(1);
    await kurisu.say("确认");
    expect(kurisu.did()).toEqual(["a"]);
    expect(kurisu.model.asked.at(-1)?.results[1]).toContain("in this same round");
  });

  it("a round after the answer asks anew", async () => {
    await kurisu.say("poke a > poke b");
    await kurisu.say("确认");
    expect(kurisu.did()).toEqual(["a"]);
    expect(kurisu.prompts()).toHaveLength(2);
    await kurisu.say("确认");
    expect(kurisu.did()).toEqual(["a", "b"]);
  });
});

describe("a call that cannot run", () => {
  it("a call from an answer that was cut off is refused", async () => {
    kurisu.model.script = ({ results }) =>
      results.length > 0
        ? { text: "那就算了。" }
        : { calls: [{ name: "note", arguments: { what: "rm" }, fault: "The call was cut off." }] };
    await kurisu.say("做点什么");
    expect(kurisu.did()).toEqual([]);
    expect(kurisu.model.asked.at(-1)?.results[0]).toContain("cut off");
  });

  it("a call whose tool throws is reported without a stack", async () => {
    kurisu.onRun = () => {
      throw new Error("the disk is full");
    };
    await kurisu.say("note a");
    expect(kurisu.model.asked.at(-1)?.results[0]).toBe(
      '{"ok":false,"status":"failed","ms":0,"error":"note failed: the disk is full"}',
    );
  });
});

describe("rounds", () => {
  it("end when tools bring nothing, with an offer to go on", async () => {
    await begin({ rounds: { chat: 2, working: 25 } });
    kurisu.model.script = ({ tools }) =>
      tools.length === 0 ? { text: "只有这些。" } : { calls: [{ name: "nothing", arguments: {} }] };
    await kurisu.say("找找看");
    expect(kurisu.model.asked).toHaveLength(3);
    expect(kurisu.model.asked.at(-1)?.instruction).toContain("used up");
    expect(kurisu.lastText("reply")).toMatch(/^只有这些。\n\n.*「继续」/);
  });

  it("end at the most there may be, even when tools bring something", async () => {
    await begin({ rounds: { chat: 2, working: 4 } });
    kurisu.model.script = ({ tools, results }) =>
      tools.length === 0
        ? { text: "就到这儿。" }
        : { calls: [{ name: "peek", arguments: { what: `${results.length}` } }] };
    await kurisu.say("一直看");
    expect(kurisu.did()).toEqual(["0", "1", "2", "3"]);
    expect(kurisu.lastText("reply")).toContain("「继续」");
  });

  it("calls made when none are offered any more are not run", async () => {
    await begin({ rounds: { chat: 1, working: 1 } });
    kurisu.model.script = () => ({ text: "再来。", calls: [{ name: "peek", arguments: { what: "x" } }] });
    await kurisu.say("一直看");
    expect(kurisu.did()).toEqual(["x"]);
    expect(kurisu.lastText("reply")).toContain("再来。");
  });
});

describe("an answer that breaks character", () => {
  const broken = "作为一个AI语言模型，我没有感情。";

  it("the model is asked once more for an answer that breaks character, and only the better one is shown", async () => {
    const drafts = [broken, "哼，随你怎么说。"];
    kurisu.model.script = () => ({ text: drafts.shift() ?? "" });
    await kurisu.say("你是谁");
    expect(kurisu.model.asked).toHaveLength(2);
    expect(kurisu.model.asked[1]?.instruction).toContain("[record]");
    expect(kurisu.channel.sent.map((sent) => sent.text)).toEqual(["哼，随你怎么说。"]);
    expect(kurisu.channel.views.some((view) => view.text.includes("语言模型"))).toBe(false);
  });

  it("twice is replaced by the persona's own words", async () => {
    kurisu.model.script = () => ({ text: broken });
    await kurisu.say("你是谁");
    expect(kurisu.model.asked).toHaveLength(2);
    expect(kurisu.lastText("reply")).toMatch(/\S/);
    expect(kurisu.lastText("reply")).not.toContain("语言模型");
  });

  it.each([[""], ["   \n"]])("an empty answer (%j) is asked for once more, then replaced", async (text) => {
    kurisu.model.script = () => ({ text });
    await kurisu.say("你好");
    expect(kurisu.model.asked).toHaveLength(2);
    expect(kurisu.lastText("reply")).toMatch(/\S/);
  });
});

describe("text from outside", () => {
  it("makes a safe effect ask, and stays a question for the rest of the turn", async () => {
    await kurisu.say("read_page x > note a > peek p");
    expect(kurisu.did()).toEqual(["x"]);
    expect(kurisu.lastPrompt().message.question?.calls).toMatchObject([{ tool: "note", summary: "a" }]);
    await kurisu.say("确认");
    expect(kurisu.did()).toEqual(["x", "a", "p"]);
    const taints = await kurisu.store.main
      .selectFrom("messages")
      .select("taint")
      .where("role", "=", "assistant")
      .execute();
    expect(new Set(taints.map((row) => row.taint))).toEqual(new Set(["untrusted"]));
  });

  it("stays in the conversation: what was said after it asks, too, until a new one begins", async () => {
    await kurisu.say("read_page x");
    await kurisu.say("thanks");
    await kurisu.say("note a");
    expect(kurisu.did()).toEqual(["x"]);
    await kurisu.say("取消");
    await kurisu.say("/new");
    await kurisu.say("note b");
    expect(kurisu.did()).toEqual(["x", "b"]);
  });

  it("text from outside cannot lead to an effect in a guest's turn", async () => {
    await kurisu.say("read_page x > note a", { user: "mallory", chat: "room", group: true });
    expect(kurisu.did()).toEqual(["x"]);
    expect(kurisu.model.asked.at(-1)?.results.at(-1)).toContain("guests may only use what reads");
  });
});

describe("a model that fails", () => {
  it("ends the turn with one sentence, and the next turn works", async () => {
    kurisu.model.script = () => {
      throw new TypeError("terrible thing at Object.<anonymous> (file.ts:1:1)");
    };
    await kurisu.say("你好");
    expect(kurisu.lastText()).not.toContain("terrible");
    expect(kurisu.faults.splice(0)).toHaveLength(1);
    kurisu.model.script = obeyWords;
    await kurisu.say("还在吗");
    expect(kurisu.lastText("reply")).toContain("还在吗");
  });
});
