import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listOpenQuestions } from "../../src/store/queries/questions.ts";
import { makeMessage } from "../support/fake-channel.ts";
import { Gate } from "../support/gate.ts";
import { codeOf, pressOf, TestGateway } from "../support/gateway.ts";
import { obeyWords } from "../support/obey-words.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";

describe.each(listEngines())("on %s:", (engine) => {
  let kurisu: TestGateway;

  async function begin(options?: ConstructorParameters<typeof TestGateway>[0]): Promise<void> {
    await kurisu?.dispose();
    kurisu = new TestGateway({ place: await createStorePlace(engine), ...options });
    await kurisu.start();
  }

  beforeEach(() => begin());
  afterEach(() => kurisu.dispose());

  /** The model waits at the gate when it reads 「等」, in every session. */
  function holdTurns(): Gate {
    const gate = new Gate();
    kurisu.model.script = async (view) => {
      if (view.text.includes("等")) await gate.pass(view.request.signal);
      return obeyWords(view);
    };
    return gate;
  }

  const notices = (part: string) => kurisu.channel.sent.filter((sent) => sent.text.includes(part)).length;

  describe("while a question is open", () => {
    it("other messages are answered, the model knows of the open question, and the approval still counts", async () => {
      await kurisu.say("poke a");
      await kurisu.say("现在几点");
      expect(kurisu.lastText()).toContain("现在几点");
      const seen = kurisu.model.asked.at(-1)?.request.messages.map((message) => JSON.stringify(message.content)) ?? [];
      expect(seen.join("\n")).toContain(codeOf(kurisu.lastPrompt()));
      expect(kurisu.did()).toEqual([]);
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual(["a"]);
      const linked = await kurisu.store.main
        .selectFrom("messages")
        .select("role")
        .where("question", "is not", null)
        .execute();
      expect(linked.map((row) => row.role)).toEqual(["note", "assistant", "tool", "assistant"]);
    });

    it("the words that decide never reach the model", async () => {
      await kurisu.say("poke a");
      await kurisu.say("确认");
      await kurisu.say("确认");
      await kurisu.say("谢谢");
      const seen = kurisu.model.asked.flatMap((view) =>
        view.request.messages.map((message) => JSON.stringify(message.content)),
      );
      expect(seen.filter((content) => /(?:^"|\\n)确认"$/.test(content))).toEqual([]);
    });

    it("the same call is not asked twice", async () => {
      await kurisu.say("poke a");
      await kurisu.say("poke a");
      expect(kurisu.prompts()).toHaveLength(1);
      expect(kurisu.model.asked.at(-1)?.results[0]).toContain("asked already as");
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual(["a"]);
    });

    it("a second question needs the code, and the code decides only its own", async () => {
      await kurisu.say("poke a");
      await kurisu.say("poke b");
      const [first, second] = kurisu.prompts();
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual([]);
      await kurisu.say(`确认 ${second && codeOf(second)}`);
      expect(kurisu.did()).toEqual(["b"]);
      await kurisu.say("取消", { ...(first && { quote: first.id }) });
      expect(kurisu.did()).toEqual(["b"]);
      expect(await kurisu.questions()).toEqual([]);
    });

    it("the model is told of a rejection and answers", async () => {
      await kurisu.say("poke a");
      await kurisu.say("取消");
      expect(kurisu.did()).toEqual([]);
      expect(kurisu.model.asked.at(-1)?.results[0]).toContain("said no");
      expect(kurisu.lastText()).toContain("1 件里成了 0 件");
    });

    it("a restart keeps it, and the answer that came before the stop is carried out once", async () => {
      await kurisu.say("poke a");
      await kurisu.restart();
      expect(kurisu.did()).toEqual([]);
      const gate = holdTurns();
      await kurisu.channel.deliver(makeMessage("我在等公交"));
      await kurisu.until(() => gate.waiting === 1);
      await kurisu.channel.deliver(makeMessage(`确认 ${codeOf(kurisu.lastPrompt())}`));
      await kurisu.until(async () => (await kurisu.questions()).length === 0);
      const stopping = kurisu.stop();
      gate.open();
      await stopping;
      await kurisu.start();
      await kurisu.settle();
      expect(kurisu.did()).toEqual(["a"]);
    });
  });

  describe("two answers at once", () => {
    it("two presses run it once", async () => {
      await kurisu.say("poke a");
      const prompt = kurisu.lastPrompt();
      await kurisu.channel.deliver(pressOf(prompt, "approve"), pressOf(prompt, "approve"));
      await kurisu.press(prompt, "approve");
      expect(kurisu.did()).toEqual(["a"]);
      expect(kurisu.channel.toasts).toHaveLength(3);
      expect(kurisu.channel.closed.at(-1)?.text).toContain("owner");
    });

    it.each([
      ["words first", ["确认", "reject"], ["a"]],
      ["button first", ["reject", "确认"], []],
      ["no first", ["取消", "approve"], []],
      ["yes by button first", ["approve", "取消"], ["a"]],
    ] as const)("%s: the first counts", async (_, answers, expected) => {
      await kurisu.say("poke a");
      const prompt = kurisu.lastPrompt();
      const events = answers.map((answer) =>
        answer === "approve" || answer === "reject" ? pressOf(prompt, answer) : makeMessage(answer),
      );
      await Promise.all(events.map((event) => kurisu.channel.deliver(event)));
      await kurisu.settle();
      expect(kurisu.did()).toEqual(expected);
    });

    it("the same event twice is one", async () => {
      await kurisu.say("poke a");
      const yes = makeMessage("确认");
      await kurisu.channel.deliver(yes, yes);
      await kurisu.channel.deliver(yes);
      await kurisu.settle();
      expect(kurisu.did()).toEqual(["a"]);
      expect(kurisu.channel.sent.filter((sent) => sent.message.kind === "notice")).toEqual([]);
    });
  });

  describe("the deadline", () => {
    beforeEach(() => begin({ timeoutMs: 40 }));

    it("the deadline closes the question with one notice, and a late approval does nothing", async () => {
      await kurisu.say("poke a");
      kurisu.clock.advance(41);
      await kurisu.until(async () => (await kurisu.questions()).length === 0);
      await kurisu.settle();
      const { asked } = kurisu.model;
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual([]);
      expect(asked).toHaveLength(1);
      expect(notices(`${codeOf(kurisu.lastPrompt())} `)).toBeGreaterThan(0);
      expect(kurisu.channel.closed).toHaveLength(1);
    });

    it("the deadline wins when it and the approval come together", async () => {
      await kurisu.say("poke a");
      const prompt = kurisu.lastPrompt();
      kurisu.clock.advance(40);
      await Promise.all([
        kurisu.channel.deliver(makeMessage("确认")),
        kurisu.channel.deliver(pressOf(prompt, "approve")),
      ]);
      await kurisu.settle();
      await kurisu.until(async () => (await kurisu.questions()).length === 0);
      await kurisu.settle();
      expect(kurisu.did()).toEqual([]);
      const expired = await kurisu.store.main
        .selectFrom("outbox")
        .select("id")
        .where("id", "like", "%.expired")
        .execute();
      expect(expired).toHaveLength(1);
    });

    it("the deadline has no effect after a timely approval", async () => {
      const gate = holdTurns();
      await kurisu.say("poke a");
      await kurisu.channel.deliver(makeMessage("等"));
      await kurisu.until(() => gate.waiting === 1);
      await kurisu.channel.deliver(makeMessage("确认"));
      await kurisu.until(async () => (await kurisu.questions()).length === 0);
      kurisu.clock.advance(600_000);
      gate.open();
      await kurisu.settle();
      expect(kurisu.did()).toEqual(["a"]);
    });

    it("「重来」 after the deadline asks about the same call again, without the model", async () => {
      await kurisu.say("poke a");
      kurisu.clock.advance(41);
      await kurisu.until(async () => (await kurisu.questions()).length === 0);
      await kurisu.say("重来");
      expect(kurisu.model.asked).toHaveLength(1);
      expect(kurisu.prompts()).toHaveLength(2);
      const [first, second] = kurisu.prompts().map((prompt) => prompt.message.question);
      expect(second?.calls).toEqual(first?.calls);
      expect(second?.code).not.toBe(first?.code);
      // Whoever said 「重来」 waits for this card, a script with --once too.
      expect(kurisu.lastPrompt().message.cause).not.toMatch(/again$/);
      await kurisu.say(`确认 ${second?.code}`);
      expect(kurisu.did()).toEqual(["a"]);
      expect(kurisu.lastText()).toContain("1 件里成了 1 件");
    });
  });

  describe("the lane of a session", () => {
    it("lets a newer turn end before the answered one goes on", async () => {
      const gate = holdTurns();
      await kurisu.say("poke a");
      await kurisu.channel.deliver(makeMessage("等"));
      await kurisu.until(() => gate.waiting === 1);
      await kurisu.channel.deliver(makeMessage("确认"), makeMessage("poke b"));
      await kurisu.until(async () => (await kurisu.questions()).length === 0);
      expect(kurisu.did()).toEqual([]);
      gate.open();
      await kurisu.settle();
      expect(kurisu.did()).toEqual(["a"]);
      const order = kurisu.channel.sent.map((sent) => sent.message.kind);
      expect(order).toEqual(["question", "reply", "reply", "question"]);
    });

    it("a busy lane does not hold up other chats", async () => {
      const gate = holdTurns();
      await kurisu.channel.deliver(makeMessage("等"));
      await kurisu.until(() => gate.waiting === 1);
      await kurisu.channel.deliver(makeMessage("你好", { user: "alice" }));
      await kurisu.until(() => kurisu.channel.sent.length === 1);
      expect(kurisu.lastText()).toContain("你好");
      gate.open();
      await kurisu.settle();
    });
  });

  describe("rules that change", () => {
    const stricter = { permissions: { safe: ["peek"], confirm: [], deny: ["poke"] }, rules: [], exclude: [] };
    const looser = { permissions: { safe: ["poke"], confirm: [], deny: [] }, rules: [], exclude: [] };

    it("close what was asked under the old ones", async () => {
      await kurisu.say("poke a");
      kurisu.rules.current = stricter;
      await kurisu.gateway.applyPolicy();
      await kurisu.settle();
      expect(notices("权限") + notices("ermission") + notices("rules")).toBe(1);
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual([]);
    });

    it("close it at the next start as well", async () => {
      await kurisu.say("poke a");
      await kurisu.stop();
      kurisu.rules.current = stricter;
      await kurisu.start();
      await kurisu.settle();
      expect(await kurisu.questions()).toEqual([]);
    });

    it.each([
      ["stricter", stricter],
      ["looser", looser],
    ])("stop an approved call that has not run yet when they are %s", async (_, rules) => {
      const gate = holdTurns();
      await kurisu.say("poke a");
      await kurisu.channel.deliver(makeMessage("等"));
      await kurisu.until(() => gate.waiting === 1);
      await kurisu.channel.deliver(makeMessage("确认"));
      await kurisu.until(async () => (await kurisu.questions()).length === 0);
      kurisu.rules.current = rules;
      gate.open();
      await kurisu.settle();
      expect(kurisu.did()).toEqual([]);
      expect(kurisu.model.asked.at(-1)?.results[0]).toContain("rules changed");
    });
  });

  describe("/stop", () => {
    it("ends the turn that runs, and nothing of it comes later", async () => {
      const gate = holdTurns();
      await kurisu.channel.deliver(makeMessage("等"));
      await kurisu.until(() => gate.waiting === 1);
      await kurisu.say("/stop");
      gate.open();
      await kurisu.say("你好");
      expect(kurisu.channel.sent.map((sent) => sent.message.kind)).toEqual(["notice", "reply"]);
      await kurisu.restart();
      await kurisu.settle();
      expect(kurisu.channel.sent).toHaveLength(2);
    });

    it("ends a turn in the middle of a tool, which is not run again", async () => {
      kurisu.onRun = async (_, { signal }) => {
        await new Gate().pass(signal);
        return { ok: true, output: "" };
      };
      await kurisu.channel.deliver(makeMessage("note a"));
      await kurisu.until(() => kurisu.effects.length === 1);
      await kurisu.say("/stop");
      await kurisu.restart();
      await kurisu.settle();
      expect(kurisu.did()).toEqual(["a"]);
      expect(kurisu.channel.sent.map((sent) => sent.message.kind)).toEqual(["notice"]);
    });

    it("drops what waits, and 「重来」 brings it back", async () => {
      await kurisu.say("poke a");
      await kurisu.say("/stop");
      expect(kurisu.lastText()).toContain(codeOf(kurisu.lastPrompt()));
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual([]);
      await kurisu.say("重来");
      await kurisu.press(kurisu.lastPrompt(), "approve");
      expect(kurisu.did()).toEqual(["a"]);
    });

    it("/stop withdraws an approval that waits behind other work", async () => {
      await kurisu.say("poke a");
      const prompt = kurisu.lastPrompt();
      const gate = holdTurns();
      await kurisu.channel.deliver(makeMessage("等"));
      await kurisu.until(() => gate.waiting === 1);
      await kurisu.channel.deliver(pressOf(prompt, "approve"));
      await kurisu.until(async () => (await listOpenQuestions(kurisu.store.main)).length === 0);
      await kurisu.channel.deliver(makeMessage("/stop"));
      await kurisu.until(() => kurisu.channel.sent.some((sent) => sent.message.text.includes("没有执行")));
      gate.open();
      await kurisu.settle();
      await kurisu.restart();
      await kurisu.settle();
      expect(kurisu.did()).toEqual([]);
      expect(kurisu.lastText()).toContain(codeOf(prompt));
    });

    it("/new drops it too", async () => {
      await kurisu.say("poke a");
      await kurisu.say("/new");
      await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`);
      expect(kurisu.did()).toEqual([]);
      await kurisu.say("你好");
      expect(kurisu.model.asked.at(-1)?.request.messages.filter((message) => message.type === "human")).toHaveLength(1);
    });
  });
});
