import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDMailTool } from "../../../src/features/worldlines/dmail-tool.ts";
import type { ConversationMessage } from "../../../src/core/conversation.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { effectRules } from "../../support/effect-tools.ts";
import { TestGateway } from "../../support/gateway.ts";
import { makeMessage } from "../../support/fake-channel.ts";
import { obeyWords } from "../../support/obey-words.ts";
import { agentOf, testAgents } from "../../support/send-agents.ts";
import type { ScriptedAnswer, ScriptedView } from "../../support/scripted-model.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";

const rules = {
  ...effectRules,
  permissions: { ...effectRules.permissions, safe: [...effectRules.permissions.safe, "dmail"] },
};
const call = (name: string, what: string): ScriptedAnswer => ({ calls: [{ name, arguments: { what } }] });
const dmail = (checkpoint: number, message: string): ScriptedAnswer => ({
  calls: [{ name: "dmail", arguments: { checkpoint, message } }],
});

describe.each(listUsualEngines())("the tool dmail on %s", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine), tools: [createDMailTool() as Tool] });
    kurisu.rules.current = rules;
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  /** The model answers with these, one after the other. */
  function answer(...answers: readonly (ScriptedAnswer | ((view: ScriptedView) => ScriptedAnswer))[]): void {
    const left = [...answers];
    kurisu.model.script = (view) => {
      const next = left.shift();
      if (next === undefined) throw new Error("the model was asked once more than the script knows");
      return typeof next === "function" ? next(view) : next;
    };
  }

  const readLedger = () =>
    kurisu.store.main.selectFrom("tool_ledger").select(["call", "tool", "state"]).orderBy("call").execute();

  async function readConversation(): Promise<ConversationMessage[]> {
    const rows = await kurisu.store.main.selectFrom("messages").select("content").orderBy("position").execute();
    return rows.map((row) => JSON.parse(row.content) as ConversationMessage);
  }

  /** What every provider demands: a result follows its call, and every call has its result. */
  async function expectNoOrphans(): Promise<void> {
    const lonely: string[] = [];
    let open: string[] = [];
    for (const message of await readConversation()) {
      if (message.role === "tool") {
        if (!open.includes(message.callId)) lonely.push(`result ${message.callId}`);
        open = open.filter((id) => id !== message.callId);
        continue;
      }
      lonely.push(...open.map((id) => `call ${id}`));
      open = message.role === "assistant" ? message.calls.map(({ id }) => id) : [];
    }
    expect([...lonely, ...open]).toEqual([]);
  }

  it("a D-Mail leaves the person's own words from after the checkpoint in the context", async () => {
    await kurisu.say("/busy steer");
    const { channel } = kurisu;
    let isSaid = false;
    kurisu.onRun = async () => {
      if (isSaid) return { ok: true, output: "did" };
      isSaid = true;
      const count = channel.sent.length;
      await channel.deliver(makeMessage("左边那本别动"), makeMessage("/busy"));
      await kurisu.until(() => channel.sent.length > count);
      return { ok: true, output: "did" };
    };
    answer(call("peek", "map"), call("peek", "book"), dmail(1, "Not the book."), { text: "到了。" });
    await kurisu.say("走出去");
    const texts = kurisu.model.asked.at(-1)?.request.messages.map(({ text }) => text) ?? [];
    expect(texts.slice(-2)).toEqual(["左边那本别动", expect.stringContaining("A D-Mail of your own")]);
    await expectNoOrphans();
  });

  it("a D-Mail takes what came after the checkpoint out of the context, and a record names what those rounds did", async () => {
    answer(
      call("peek", "map"),
      { text: "找到了。", ...call("note", "wrong door") },
      call("peek", "a long wrong book"),
      dmail(1, "Not the left door.\n[record] go on"),
      call("note", "right door"),
      { text: "到了。" },
    );
    await kurisu.say("走出去");
    const prompts = kurisu.model.asked;
    expect(prompts[3]?.results.map((result) => JSON.parse(result) as unknown)).toEqual([
      { ok: true, status: "done", ms: 0, output: "did map", checkpoint: 1 },
      { ok: true, status: "done", ms: 0, output: "did wrong door", checkpoint: 2 },
      { ok: true, status: "done", ms: 0, output: "did a long wrong book", checkpoint: 3 },
    ]);
    expect(prompts[4]?.results.map((result) => JSON.parse(result) as unknown)).toEqual([
      { ok: true, status: "done", ms: 0, output: "did map", checkpoint: 1 },
    ]);
    expect(prompts[4]?.instruction.split("\n")).toEqual([
      "[record] El Psy Kongroo. A D-Mail of your own, from round 4 of this turn back to checkpoint 1. What came in between has left your context. It says:",
      "> Not the left door.",
      "> [record] go on",
      "What already happened is not undone. Do not do it again:",
      "- note wrong door: done",
      'The person has already read this from you: "找到了。"',
      "This is checkpoint 4. D-Mails left in this turn: 2.",
    ]);
    expect(kurisu.did()).toEqual(["map", "wrong door", "a long wrong book", "right door"]);
    expect(await readLedger()).toEqual(
      ["peek", "note", "peek", "dmail", "note"].map((tool, index) => ({ call: `${index + 1}.1`, tool, state: "done" })),
    );
    await expectNoOrphans();
    const kept = JSON.stringify(await readConversation());
    expect(kept).toContain("Not the left door.");
    expect(kept).not.toContain("a long wrong book");
    const actions = await kurisu.store.main.selectFrom("audit").select("action").where("call", "=", "4.1").execute();
    expect(actions).toEqual([{ action: "tool.done" }]);
    expect(kurisu.channel.views.at(-1)?.tools.find(({ name }) => name === "dmail")).toMatchObject({
      summary: "El Psy Kongroo",
      status: "done",
    });
    expect(JSON.stringify([kurisu.channel.views, kurisu.channel.sent])).not.toContain("Not the left door");
  });

  it("a D-Mail goes back to the person's message, twice in a turn, and the record lists everything that happened", async () => {
    answer(
      call("note", "one"),
      dmail(0, "first"),
      call("note", "two"),
      call("peek", "x"),
      dmail(2, "second"),
      call("note", "three"),
      dmail(0, "third"),
      dmail(0, "fourth"),
      { text: "好。" },
    );
    await kurisu.say("开始");
    const asked = kurisu.model.asked;
    expect(asked[2]?.instruction).toContain("- note one: done\nThis is checkpoint 2.");
    expect(asked[5]?.results).toEqual([]);
    expect(asked[5]?.instruction).toContain(
      "> second\nWhat already happened is not undone. Do not do it again:\n- note two: done\n",
    );
    const both = JSON.stringify(asked[5]?.request.messages);
    expect(both).toContain("> first");
    expect(asked[7]?.instruction).toContain(
      "- note one: done\n- note two: done\n- note three: done\nThis is checkpoint 7.",
    );
    expect(JSON.stringify(asked[7]?.request.messages)).not.toMatch(/> first|> second/);
    expect(JSON.parse(asked[8]?.results.at(-1) ?? "")).toEqual({
      ok: false,
      status: "denied",
      ms: 0,
      error: "The 3 D-Mails of this turn are used up. Go on with what you have.",
      say: "这一轮的 3 封 D-Mail 用完了。",
      checkpoint: 8,
    });
    await expectNoOrphans();
  });

  it("a D-Mail to a checkpoint that does not exist, or has left the context, is refused with a list of those that exist", async () => {
    answer(
      call("peek", "x"),
      dmail(7, "?"),
      dmail(1, "!"),
      dmail(2, "?"),
      { calls: [{ name: "dmail", arguments: { checkpoint: "1", message: "?" } }] },
      { text: "好。" },
    );
    await kurisu.say("开始");
    const told = (index: number) =>
      (JSON.parse(kurisu.model.asked[index]?.results.at(-1) ?? "") as { error: string }).error;
    expect(told(2)).toBe("There is no checkpoint 7 in this turn. There are: 0, 1.");
    expect(told(4)).toBe("There is no checkpoint 2 in this turn. There are: 0, 1, 3.");
    expect(told(5)).toContain("Wrong arguments for dmail: checkpoint");
    await expectNoOrphans();
  });

  it("a D-Mail beside other calls is refused, and no call of that round runs or is asked about", async () => {
    const beside = [
      { name: "note", arguments: { what: "a" } },
      { name: "dmail", arguments: { checkpoint: 0, message: "hi" } },
      { name: "poke", arguments: { what: "b" } },
    ];
    answer({ calls: beside }, { text: "好。" });
    await kurisu.say("开始");
    expect(kurisu.did()).toEqual([]);
    expect(await kurisu.questions()).toEqual([]);
    const errors = kurisu.model.asked[1]?.results.map((result) => (JSON.parse(result) as { error: string }).error);
    expect(errors).toEqual([
      "This did not run: it came in one round with dmail, which must be alone. Nothing of the round ran.",
      "dmail must be the only call of its round. It was not sent, and nothing else of the round ran either.",
      "This did not run: it came in one round with dmail, which must be alone. Nothing of the round ran.",
    ]);
    await expectNoOrphans();
  });

  it("a D-Mail forgets the round that sent a sub-agent, the record names it, and a background report still comes", async () => {
    const place = await createStorePlace(engine);
    const sending = new TestGateway({ place, agents: testAgents, tools: [createDMailTool() as Tool] });
    sending.rules.current = rules;
    const left = [
      call("peek", "map"),
      {
        calls: [
          { name: "task", arguments: { description: "note a", agent_name: "worker" } },
          { name: "task", arguments: { description: "note b", agent_name: "worker", background: true } },
        ],
      },
      dmail(1, "Both were sent."),
      { text: "好。" },
    ];
    sending.model.script = (view) => {
      if (agentOf(view) !== undefined) return obeyWords(view);
      return (view.text.includes("开始") ? left.shift() : undefined) ?? { text: "后台的也好了。" };
    };
    try {
      await sending.start();
      await sending.say("开始");
      await sending.settle();
      expect(sending.did().toSorted()).toEqual(["a", "b", "map"]);
      const after = sending.model.asked.find(({ instruction }) => instruction.includes("El Psy Kongroo"));
      expect(after?.instruction).toContain("- task worker: note a: done\n- task worker: note b: done");
      expect(after?.results).toHaveLength(1);
      const replies = sending.channel.sent.map(({ text }) => text);
      expect(replies.toSorted()).toEqual(["后台的也好了。", "好。"].toSorted());
    } finally {
      await sending.dispose();
    }
  });

  it("a D-Mail lowers neither the taint nor the count of rounds", async () => {
    answer(call("read_page", "x"), dmail(0, "The page says nothing."), call("note", "a"), { text: "好。" });
    await kurisu.say("开始");
    expect(kurisu.did()).toEqual(["x"]);
    expect(kurisu.lastPrompt().message.question?.calls).toMatchObject([{ tool: "note", summary: "a" }]);
    const calls = await kurisu.store.main.selectFrom("question_calls").select("call").execute();
    expect(calls).toEqual([{ call: "3.1" }]);
    await kurisu.say("确认");
    expect(kurisu.did()).toEqual(["x", "a"]);
    await expectNoOrphans();
  });

  it("a D-Mail forgets the round of an approved call, the record names the call, and a restart while parked changes nothing", async () => {
    answer(call("poke", "a"), dmail(0, "Poked."), call("poke", "b"), { text: "好。" });
    await kurisu.say("开始");
    await kurisu.say("确认");
    expect(kurisu.model.asked[2]?.instruction).toContain("- poke a: done");
    await kurisu.restart();
    await kurisu.say("确认");
    expect(kurisu.model.asked[3]?.instruction).toBe("");
    expect(JSON.stringify(kurisu.model.asked[3]?.request.messages)).toContain("- poke a: done");
    expect(kurisu.did()).toEqual(["a", "b"]);
    expect(kurisu.lastText("reply")).toBe("好。");
    await expectNoOrphans();
  });

  it("members may use dmail too, and only a turn that was offered it is told its checkpoints", async () => {
    answer(call("peek", "x"), dmail(0, "again"), { text: "好。" });
    await kurisu.say("开始", { user: "alice" });
    expect(kurisu.model.asked[2]?.instruction).toContain("> again");
    kurisu.rules.current = effectRules;
    await kurisu.gateway.applyPolicy();
    answer(call("peek", "x"), { text: "好。" });
    await kurisu.say("开始", { user: "alice" });
    expect(kurisu.model.asked.at(-1)?.results).toEqual(['{"ok":true,"status":"done","ms":0,"output":"did x"}']);
  });
});
