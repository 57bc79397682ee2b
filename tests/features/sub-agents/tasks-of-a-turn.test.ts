import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countCheckpoints } from "../../../src/store/queries/checkpoints.ts";
import { listTurns } from "../../../src/store/queries/turns.ts";
import { makeMessage } from "../../support/fake-channel.ts";
import { Gate } from "../../support/gate.ts";
import { codeOf, TestGateway } from "../../support/gateway.ts";
import { agentOf, sendAgents, testAgents } from "../../support/send-agents.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";

describe.each(listUsualEngines())("sub-agents on %s:", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine), agents: testAgents, timeoutMs: 60_000 });
    kurisu.model.script = sendAgents();
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  /** Nothing lives any more, whatever has happened. */
  async function expectRest(): Promise<void> {
    await kurisu.settle();
    expect(await listTurns(kurisu.store.main, ["running", "parked"])).toEqual([]);
    expect(await kurisu.questions()).toEqual([]);
    // They go after the end of their turn is written, and may be in a file of their own.
    await kurisu.until(async () => (await countCheckpoints(kurisu.store.checkpoints)) === 0);
    // What was about to be shown when it was stopped is taken back once it is.
    const live = () => kurisu.store.main.selectFrom("outbox").select("id").where("state", "=", "live").execute();
    await kurisu.until(async () => (await live()).length === 0);
  }

  const promptOf = (agent: string | undefined) =>
    kurisu.model.asked.filter((view) => agentOf(view) === agent).at(-1)?.request;

  it("a sub-agent does its task with its own tools and context, and its report is the call's result", async () => {
    await kurisu.say("先说点别的");
    await kurisu.say("派 worker: note a > peek b");
    await kurisu.settle();
    expect(kurisu.did()).toEqual(["a", "b"]);
    expect(kurisu.lastText("reply")).toBe("回来了：成 worker done 做完了，2 件里成了 2 件。");
    const prompt = promptOf("worker");
    expect(prompt?.tools.map(({ name }) => name)).toEqual(["poke", "note", "peek", "read_page"]);
    const texts = JSON.stringify(prompt?.messages.map(({ content }) => content));
    expect(texts).toContain("Do it.");
    expect(texts).not.toContain("先说点别的");
    expect(texts).not.toContain("派 worker");
    await expectRest();
  });

  it("sees the pictures of its results", async () => {
    const data = Buffer.from("a picture").toString("base64");
    kurisu.onRun = () => ({ ok: true, output: "seen", parts: [{ type: "image", mimeType: "image/png", data }] });
    await kurisu.say("派 reader: peek a");
    expect(promptOf("reader")?.messages.at(-1)?.content).toContainEqual({ type: "image", mimeType: "image/png", data });
    expect(JSON.stringify(promptOf(undefined)?.messages)).not.toContain(data);
    await expectRest();
  });

  it("many running sub-agents delay no other chat", async () => {
    const gate = new Gate();
    const script = sendAgents();
    kurisu.model.script = async (view) => {
      if (agentOf(view) !== undefined) await gate.pass(view.request.signal);
      return script(view);
    };
    const eight = Array.from({ length: 8 }, () => "bg reader: peek a").join(" | ");
    const sent = ["x", "y"].map((chat) => kurisu.say(`派 ${eight}`, { chat }));
    await kurisu.until(() => gate.waiting >= 8 && kurisu.channel.sent.length === 2);
    await kurisu.channel.deliver(makeMessage("在吗", { chat: "z" }));
    await kurisu.until(() => kurisu.lastText() === "听到了，你说的是：在吗");
    gate.open();
    await Promise.all(sent);
    expect(kurisu.did()).toHaveLength(16);
    await expectRest();
  });

  it("works beside the others, and she goes on when all have ended", async () => {
    const both = Promise.withResolvers<void>();
    let arrived = 0;
    kurisu.onRun = async ({ what }) => {
      arrived += 1;
      if (arrived === 2) both.resolve();
      await both.promise;
      return { ok: true, output: what };
    };
    await kurisu.say("派 worker: note a | reader: peek b");
    expect(kurisu.lastText("reply")).toMatch(/^回来了：成 worker done .*｜成 reader done/);
    expect(kurisu.model.asked.filter((view) => agentOf(view) === undefined)).toHaveLength(2);
    await expectRest();
  });

  it("a sub-agent asks in the chat by its name and goes on after approval, and the session is free meanwhile", async () => {
    await kurisu.say("派 worker: poke a");
    const prompt = kurisu.lastPrompt();
    expect(prompt.text).toMatch(/worker/);
    expect((await kurisu.questions()).map(({ agent }) => agent)).toEqual(["worker"]);
    expect(kurisu.did()).toEqual([]);
    await kurisu.say("在吗");
    expect(kurisu.lastText("reply")).toBe("听到了，你说的是：在吗");
    const between = kurisu.model.asked.at(-1)?.request.messages.map(({ text }) => text);
    expect(between?.join("\n")).toMatch(/Do not start them again\. worker: "poke a"/);
    await kurisu.say(`确认 ${codeOf(prompt)}`);
    expect(kurisu.did()).toEqual(["a"]);
    expect(kurisu.lastText("reply")).toMatch(/^回来了：成 worker done/);
    const rows = await kurisu.store.main.selectFrom("audit").select(["action", "detail"]).execute();
    const named = rows.filter(({ detail }) => /"agent":"worker"/.test(detail)).map(({ action }) => action);
    expect(named).toEqual(expect.arrayContaining(["approval.asked", "approval.approved", "tool.started", "tool.done"]));
    await expectRest();
  });

  it("a sub-agent hears a rejection; she learns of it and goes on", async () => {
    await kurisu.say("派 worker: poke a");
    await kurisu.say("取消");
    expect(kurisu.did()).toEqual([]);
    expect(kurisu.lastText("reply")).toMatch(/^回来了：败 worker failed .*The person said no to: poke a/);
    await expectRest();
  });

  it("a sub-agent's question that she repeats brings in no skill that only its task's words call for", async () => {
    const recalled: string[] = [];
    const place = await createStorePlace(engine);
    const recallSkills = (utterance: string) => {
      recalled.push(utterance);
      return { text: "" };
    };
    const skilled = new TestGateway({ place, agents: testAgents, timeoutMs: 60_000, recallSkills });
    skilled.model.script = sendAgents();
    try {
      await skilled.start();
      await skilled.say("派 bg worker: poke a");
      await skilled.settle();
      skilled.clock.advance(60_000);
      await skilled.restart();
      await skilled.settle();
      await skilled.say("重来");
      await skilled.say(`确认 ${codeOf(skilled.lastPrompt())}`);
      expect(skilled.did()).toEqual(["a"]);
      expect(recalled).toContain("派 bg worker: poke a");
      expect(recalled).not.toContain("poke a");
    } finally {
      await skilled.dispose();
    }
  });

  it("a sub-agent whose question expires fails, and the others go on", async () => {
    await kurisu.say("派 worker: poke a | reader: peek b");
    kurisu.clock.advance(60_000);
    await kurisu.restart();
    await kurisu.settle();
    expect(kurisu.lastText("reply")).toMatch(/^回来了：败 worker failed It asked.*｜成 reader done/);
    expect(kurisu.did()).toEqual(["b"]);
    await expectRest();
  });

  it("a sub-agent that uses up its rounds fails, and its report says so", async () => {
    await kurisu.say("派 endless: peek a > peek b");
    expect(kurisu.lastText("reply")).toMatch(/败 endless failed .*It used up its 1 rounds/);
    await expectRest();
  });

  it("a sub-agent can take as many rounds as the setting allows", async () => {
    const rounds = Array.from({ length: 99 }, () => "peek a").join(" > ");
    await kurisu.say(`派 patient: ${rounds}`);
    expect(kurisu.lastText("reply")).toMatch(/^回来了：成 patient done 做完了，99 件里成了 99 件/);
    await expectRest();
  });

  it("a sub-agent whose model does not answer fails", async () => {
    const script = sendAgents();
    kurisu.model.script = (view) => {
      if (agentOf(view) === "reader") throw new Error("the wire is cut");
      return script(view);
    };
    await kurisu.say("派 reader: peek a | worker: note b");
    expect(kurisu.lastText("reply")).toMatch(/败 reader failed .*the wire is cut.*｜成 worker done/);
    expect(kurisu.faults.splice(0).join("")).toContain("the wire is cut");
    await expectRest();
  });

  it("a sub-agent has only its own tools, even when its model calls others, and starts no sub-agent", async () => {
    await kurisu.say("派 reader: poke a; note b; peek c");
    expect(kurisu.did()).toEqual(["c"]);
    expect(await kurisu.questions()).toEqual([]);
    kurisu.model.script = (view) =>
      agentOf(view) === undefined || view.results.length > 0
        ? sendAgents()(view)
        : { calls: [{ name: "task", arguments: { description: "peek x", agent_name: "reader" } }] };
    await kurisu.say("派 worker: 再派一个");
    expect(kurisu.did()).toEqual(["c"]);
    await expectRest();
  });

  it("a sub-agent has no more rights than its asker: guests start none, and taint passes down and back up", async () => {
    const group = { chat: "room", group: true };
    await kurisu.say("派 worker: note a", { ...group, user: "mallory" });
    expect(kurisu.did()).toEqual([]);
    // What it reads makes it untrusted: its next effect is asked for. She has read its report: hers as well.
    kurisu.model.script = (view) => {
      if (agentOf(view) !== undefined) return sendAgents()(view);
      if (view.results.length === 1) return { calls: [{ name: "note", arguments: { what: "mine" } }] };
      return sendAgents()(view);
    };
    await kurisu.say("派 worker: read_page x", { user: "alice" });
    expect(kurisu.did()).toEqual(["x"]);
    expect((await kurisu.questions()).map(({ calls }) => calls.map(({ summary }) => summary))).toEqual([["mine"]]);
    await kurisu.say("取消", { user: "alice" });
    await expectRest();
  });

  it("she goes on at once beside a background sub-agent, and reports its end later, once", async () => {
    await kurisu.say("派 bg worker: poke a");
    expect(kurisu.lastText("reply")).toMatch(/^回来了：成 worker running/);
    await kurisu.say("确认");
    await kurisu.settle();
    expect(kurisu.did()).toEqual(["a"]);
    const reports = () => kurisu.model.asked.filter(({ text }) => text.startsWith("[record] The sub-agent worker"));
    expect(reports()).toHaveLength(1);
    expect(reports()[0]?.tools).not.toContain("task");
    expect(kurisu.lastText("reply")).toContain("做完了，1 件里成了 1 件。");
    const before = kurisu.channel.sent.length;
    await kurisu.restart();
    await kurisu.settle();
    expect(kurisu.channel.sent).toHaveLength(before);
    await expectRest();
  });

  it("ends with /stop, and so does the turn that waits for it", async () => {
    await kurisu.say("派 worker: poke a | bg worker: poke b");
    await kurisu.say("/status");
    expect(kurisu.lastText()).toMatch(/worker：poke a[\s\S]*worker：poke b（在后台）/);
    const asked = kurisu.model.asked.length;
    const codes = kurisu.prompts().map(codeOf);
    await kurisu.say("/stop");
    expect(kurisu.lastText()).toMatch(/停下了/);
    for (const code of codes) expect(kurisu.lastText()).toContain(code);
    expect(kurisu.channel.closed.map(({ text }) => text.slice(0, 1))).toEqual(["⊘", "⊘"]);
    await expectRest();
    expect(kurisu.did()).toEqual([]);
    expect(kurisu.model.asked).toHaveLength(asked);
    await kurisu.say("确认");
    expect(kurisu.did()).toEqual([]);
  });

  it("a question of a stopped sub-agent is told to the model as closed", async () => {
    await kurisu.say("派 worker: poke a");
    const code = codeOf(kurisu.lastPrompt());
    await kurisu.say("/stop");
    await kurisu.say("在吗");
    const prompt = kurisu.model.asked
      .at(-1)
      ?.request.messages.map(({ text }) => text)
      .join("\n");
    expect(prompt).toContain(`Question ${code} is closed (stop) without an answer. Nothing of it ran: poke: "a"`);
  });

  it("another member's /stop leaves the sub-agent and the waiting turn alone", async () => {
    const script = sendAgents();
    kurisu.model.script = (view) => {
      if (!view.text.includes("先问")) return script(view);
      if (view.results.length === 0) return { calls: [{ name: "poke", arguments: { what: "first" } }] };
      if (view.results.length > 1) return { text: "都做完了。" };
      return { calls: [{ name: "task", arguments: { description: "poke second", agent_name: "worker" } }] };
    };
    const room = { chat: "room", group: true };
    await kurisu.say("先问", { ...room, user: "alice" });
    await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, { ...room, user: "alice" });
    await kurisu.say("/stop", { ...room, user: "bob" });
    expect(kurisu.lastText()).not.toContain("没有执行");
    await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, { ...room, user: "alice" });
    await kurisu.settle();
    expect(kurisu.did()).toEqual(["first", "second"]);
    expect(kurisu.lastText("reply")).toBe("都做完了。");
    await expectRest();
  });

  it("ends with /stop while it runs", async () => {
    const begun = Promise.withResolvers<void>();
    kurisu.onRun = async (_, { signal }) => {
      begun.resolve();
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      return { ok: false, error: "stopped" };
    };
    const said = kurisu.say("派 worker: note a > note b");
    await begun.promise;
    await kurisu.say("/stop");
    await said;
    await expectRest();
    expect(kurisu.did()).toEqual(["a"]);
    expect(kurisu.channel.sent.filter(({ text }) => text.startsWith("回来了"))).toEqual([]);
  });

  it("a restart finds parked sub-agents again, and the turn that waits for them", async () => {
    await kurisu.say("派 worker: poke a | worker: poke b");
    const [first, second] = kurisu.prompts().map(codeOf);
    await kurisu.restart();
    await kurisu.say(`确认 ${first}`);
    await kurisu.restart();
    await kurisu.say(`确认 ${second}`);
    await kurisu.settle();
    expect(kurisu.did().toSorted()).toEqual(["a", "b"]);
    expect(kurisu.channel.sent.filter(({ text }) => text.startsWith("回来了"))).toHaveLength(1);
    await expectRest();
  });

  it("shows what it does under her name for it, in the chat of the one who asked", async () => {
    await kurisu.say("派 worker: note a");
    const shown = kurisu.channel.views.flatMap(({ tools }) => tools);
    expect(shown).toContainEqual(expect.objectContaining({ agent: "worker", name: "note", summary: "a" }));
    await expectRest();
  });

  it("/stop all from another chat takes the view of running sub-agents out of theirs", async () => {
    const running = Promise.withResolvers<void>();
    kurisu.onRun = async ({ what }) => {
      await running.promise;
      return { ok: true, output: what };
    };
    kurisu.channel.previewId = "view";
    const said = kurisu.say("派 worker: note a", { chat: "a" });
    await kurisu.until(() => kurisu.channel.views.some(({ tools }) => tools.some(({ agent }) => agent === "worker")));
    await kurisu.channel.deliver(makeMessage("/stop all", { chat: "owner", user: "owner" }));
    await kurisu.until(() => kurisu.channel.removed.includes("view"));
    running.resolve();
    await said;
    await expectRest();
    expect(kurisu.channel.removed).toContain("view");
  });
});
