import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeMessage } from "../support/fake-channel.ts";
import { codeOf, TestGateway } from "../support/gateway.ts";
import { sendAgents, testAgents } from "../support/send-agents.ts";

/** Every way on which something of a person or a model comes to a tool. */
const ways: readonly [name: string, go: (kurisu: TestGateway) => Promise<void>][] = [
  ["a call that needs no yes", (kurisu) => kurisu.say("note a")],
  ["a call that only reads", (kurisu) => kurisu.say("peek a")],
  ["a second round", (kurisu) => kurisu.say("think > note a > peek b")],
  ["calls side by side", (kurisu) => kurisu.say("peek a; peek b; note c")],
  [
    "a yes by words",
    async (kurisu) => {
      await kurisu.say("poke a");
      await kurisu.say("确认");
    },
  ],
  [
    "a yes by a button",
    async (kurisu) => {
      await kurisu.say("poke a");
      if (kurisu.prompts().length > 0) await kurisu.press(kurisu.lastPrompt(), "approve");
    },
  ],
  [
    "a yes of the operator",
    async (kurisu) => {
      await kurisu.say("poke a");
      const [question] = await kurisu.questions();
      if (question) await kurisu.gateway.decide(question.id, "approved", "cli:owner");
      await kurisu.settle();
    },
  ],
  [
    "a yes after a restart",
    async (kurisu) => {
      await kurisu.say("poke a; note b");
      await kurisu.restart();
      await kurisu.settle();
      await kurisu.say("确认");
    },
  ],
  [
    "a question asked again",
    async (kurisu) => {
      await kurisu.say("poke a");
      await kurisu.say("/stop");
      await kurisu.say("重来");
      const prompt = kurisu.prompts().at(-1);
      if (prompt) await kurisu.say(`确认 ${codeOf(prompt)}`);
    },
  ],
  [
    "a preview",
    async (kurisu) => {
      await kurisu.say("poke a");
      if (kurisu.prompts().length === 0) return;
      await kurisu.channel.deliver(makeMessage("预览"));
      await kurisu.until(() => kurisu.channel.sent.some(({ message }) => message.id.endsWith(".preview")));
    },
  ],
  ["a sub-agent", (kurisu) => kurisu.say("派 worker: note a > peek b")],
  ["a sub-agent in the background", (kurisu) => kurisu.say("派 bg worker: note a")],
  [
    "a sub-agent that needs a yes",
    async (kurisu) => {
      await kurisu.say("派 worker: poke a");
      const prompt = kurisu.prompts().at(-1);
      if (prompt) await kurisu.say(`确认 ${codeOf(prompt)}`);
    },
  ],
  ["somebody in a group", (kurisu) => kurisu.say("note a", { user: "alice", group: true, chat: "g" })],
];

describe("every way to a tool", () => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ agents: testAgents });
    kurisu.model.script = sendAgents();
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  it.each(ways)("%s leads past a verdict that was written down", async (_, go) => {
    await go(kurisu);
    await kurisu.settle();
    expect([...kurisu.effects, ...kurisu.previews]).not.toEqual([]);
    const { main } = kurisu.store;
    const ran = await sql<{ verdict: string | null; hash: string; judged: string | null }>`
      select ledger.hash, decisions.verdict, decisions.hash as judged
      from tool_ledger as ledger
      left join decisions on decisions.turn = ledger.turn and decisions.call = ledger.call`.execute(main);
    for (const { verdict, hash, judged } of ran.rows) {
      expect(["allow", "ask"]).toContain(verdict);
      expect(hash).toBe(judged);
    }
    const tasks = ran.rows.length - kurisu.effects.length;
    expect(tasks).toBe(kurisu.model.asked.some(({ text }) => text.includes("派")) ? 1 : 0);
  });

  it.each(ways)("%s ends before the tool when no verdict can be written", async (_, go) => {
    await sql`create trigger nothing_is_written before insert on decisions begin select raise(ignore); end`.execute(
      kurisu.store.main,
    );
    await go(kurisu);
    await kurisu.settle();
    expect([...kurisu.effects, ...kurisu.previews]).toEqual([]);
    expect(await kurisu.store.main.selectFrom("decisions").selectAll().execute()).toEqual([]);
  });

  it("writes down what was denied as well, with the reason, and which line decided about the others", async () => {
    kurisu.rules.current = {
      ...kurisu.rules.current,
      rules: [{ tool: "note", level: "confirm", when: { what: { matches: ["big*"] } } }],
    };
    await kurisu.say("note small; note big thing; never c; nothing d; peek e");
    const rows = await kurisu.store.main.selectFrom("decisions").selectAll().orderBy("call").execute();
    expect(rows.map(({ call, tool, verdict, reason }) => [call, tool, verdict, reason])).toEqual([
      ["1.1", "note", "allow", "rules: permissions.safe.1"],
      ["1.2", "note", "ask", "rules: rules.0"],
      ["1.3", "never", "deny", "The tool never is not permitted here."],
      [
        "1.4",
        "nothing",
        "deny",
        expect.stringMatching(/^There is no tool nothing\. There are: poke, note, peek/) as string,
      ],
      ["1.5", "peek", "allow", "rules: permissions.safe.0"],
    ]);
    expect(kurisu.did()).toEqual(["small", "e"]);
  });
});
