import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ModelEvent } from "../../src/models/types.ts";
import { createThinkTool } from "../../src/kernel/tools/builtin/think.ts";
import { defineTool } from "../../src/kernel/tools/define-tool.ts";
import type { Tool } from "../../src/kernel/tools/types.ts";
import { effectRules } from "../support/effect-tools.ts";
import { TestGateway } from "../support/gateway.ts";
import { agentOf, sendAgents, testAgents } from "../support/send-agents.ts";

let notes: string[] = [];

/** A tool whose key argument is a command. */
const make = (name: string, level: Tool["level"]): Tool =>
  defineTool({
    name,
    description: { zh: name, en: name },
    input: z.strictObject({ command: z.string(), thought: z.string().default("") }),
    level,
    readOnly: level === "safe",
    idempotent: false,
    summarize: ({ command }) => command,
    place: "gateway",
    async run({ command }, { progress }) {
      for (const note of notes.splice(0)) {
        progress(note);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      return { ok: true, output: `did ${command}` };
    },
  }) as Tool;

/** One word, and several of which the first is short. */
const known = "hunter2hunter2";
const spoken = "to be or not to be";

describe("a call whose arguments are still being written", () => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({
      secrets: [known, spoken],
      agents: testAgents.map((agent) => ({ ...agent, tools: ["look"] })),
      tools: [make("look", "safe"), make("act", "confirm"), make("forbid", "deny"), createThinkTool() as Tool],
    });
    const { permissions } = effectRules;
    kurisu.rules.current = {
      permissions: { safe: [...permissions.safe, "look", "think"], deny: [], confirm: ["act", "poke"] },
      rules: [
        { tool: "forbid", level: "deny", when: { command: { matches: ["rm *"] } } },
        { tool: "forbid", level: "safe" },
      ],
      exclude: [],
    };
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const seen = (): readonly string[] => [
    ...new Set(
      kurisu.channel.views.flatMap(({ tools }) =>
        tools.map(({ id, name, status, summary }) => `${id} ${name} ${summary} ${status}`),
      ),
    ),
  ];
  const saw = (line: string) => kurisu.until(() => seen().includes(line));

  /** Writes one call piece by piece; each of `lines` has to be seen before the next piece comes. */
  function write(name: string, pieces: readonly (readonly [text: string, line?: string])[]): void {
    const given = pieces.map(([text]) => text).join("");
    kurisu.model.script = async ({ results, emit, instruction }) => {
      if (results.length > 0 || instruction !== "") return { text: "好了。" };
      for (const [text, line] of pieces) {
        emit({ kind: "call", index: 0, name, text });
        if (line !== undefined) await saw(line);
      }
      return { calls: [{ name, arguments: JSON.parse(given) as { command: string } }] };
    };
  }

  it("shows its key argument word by word, then what becomes of it", async () => {
    write("look", [
      ['{"command":"ls -l', "1.1 look ls writing"],
      ['a src", ', "1.1 look ls -la src writing"],
      ['"thought":"secret plan"}'],
    ]);
    await kurisu.say("看看");
    expect(seen().slice(0, 2)).toEqual(["1.1 look ls writing", "1.1 look ls -la src writing"]);
    expect(seen()).toContain("1.1 look ls -la src done");
    expect(JSON.stringify(kurisu.channel.views)).not.toContain("secret plan");
    expect(kurisu.channel.views.at(-1)?.tools.map(({ status }) => status)).toEqual(["done"]);
  });

  it("shows nothing of a secret, not even its beginning", async () => {
    const key = `sk-${"a1".repeat(20)}`;
    write("look", [
      [`{"command":"curl -H ${key.slice(0, 20)}`, "1.1 look curl -H writing"],
      [`${key.slice(20)} https://a.example"`, "1.1 look curl -H [secret] https://a.example writing"],
      ["}"],
    ]);
    await kurisu.say("看看");
    expect(JSON.stringify(kurisu.channel.views)).not.toContain(key.slice(0, 8));
  });

  it("shows nothing of a known secret of several words, which comes word by word, and nothing of one in a note", async () => {
    const words = spoken.split(" ");
    write("look", [
      ['{"command":"unlock -p ', "1.1 look unlock -p writing"],
      ...words.map((word) => [`${word} `] as const),
      ['now please"', "1.1 look unlock -p [secret] now please writing"],
      ["}"],
    ]);
    const running = kurisu.say("看看");
    await running;
    const views = JSON.stringify(kurisu.channel.views);
    expect(views).toContain("unlock -p [secret] now please");
    expect(views).not.toMatch(/-p to|to be|or not/);

    notes = [`reading ${known.slice(0, 6)}`, `reading ${known} x`, `done ${known}`];
    write("look", [['{"command":"cat key"}']]);
    await kurisu.say("再看");
    const shown = JSON.stringify(kurisu.channel.views);
    expect(shown).toContain("done [secret]");
    expect(shown).not.toContain(known.slice(0, 6));
  });

  it("a sub-agent's call is shown under its name while it is written, beside others, and gone when it is called", async () => {
    const script = sendAgents();
    kurisu.model.script = async (view) => {
      const agent = agentOf(view);
      if (agent === undefined) return script(view);
      if (view.results.length > 0) return { text: "好了。" };
      view.emit({ kind: "call", index: 0, name: "look", text: `{"command":"ls ${agent} ` });
      await kurisu.until(() => writing().length === 2);
      return { calls: [{ name: "look", arguments: { command: `ls ${agent} all` } }] };
    };
    const writing = () =>
      kurisu.channel.views
        .map(({ tools }) => tools.filter(({ status }) => status === "writing"))
        .find((tools) => tools.length === 2) ?? [];
    await kurisu.say("派 worker: peek a | reader: peek b");
    expect(new Set(writing().map(({ agent, name, summary }) => `${agent} ${name} ${summary}`))).toEqual(
      new Set(["reader look ls reader", "worker look ls worker"]),
    );
    expect(new Set(writing().map(({ id }) => id)).size).toBe(2);
    // Views are drawn at a pace, so not each step of a call is seen; a call that was made is never seen as being written.
    const called = kurisu.channel.views.filter(({ tools }) => tools.some(({ summary }) => summary.endsWith(" all")));
    expect(called.length).toBeGreaterThan(0);
    for (const { tools } of called) {
      const made = tools.filter(({ summary }) => summary.endsWith(" all"));
      expect(made.map(({ status }) => status)).not.toContain("writing");
      expect(
        tools.filter(({ agent, status }) => status === "writing" && made.some((one) => one.agent === agent)),
      ).toEqual([]);
    }
  });

  it("says that it was denied, and runs nothing", async () => {
    write("forbid", [['{"command":"rm -rf ', "1.1 forbid rm -rf writing"], ['/"}']]);
    await kurisu.say("删掉");
    expect(seen()).toContain("1.1 forbid rm -rf / denied");
    expect(seen().join("\n")).not.toMatch(/started|done/);
  });

  it("a call does not appear as running once it is asked about", async () => {
    write("act", [
      ['{"command":"make all', "1.1 act make writing"],
      ['"}', "1.1 act make all writing"],
    ]);
    await kurisu.say("做");
    expect(kurisu.channel.views.at(-1)?.tools).toEqual([]);
    expect(kurisu.prompts()).toHaveLength(1);
    expect(seen().join("\n")).not.toMatch(/started|done/);
  });

  it("shows nothing of hidden tools, of tools that there are not, and of what is no JSON", async () => {
    kurisu.model.script = ({ results, emit }) => {
      if (results.length > 0) return { text: "好了。" };
      const call = (index: number, name: string, text: string): ModelEvent => ({ kind: "call", index, name, text });
      emit(call(0, "think", '{"thought":"a b c ","command":"a b c "'));
      emit(call(1, "nothing", '{"command":"a b c "'));
      emit(call(2, "look", 'command = "a b c "'));
      return { calls: [{ name: "think", arguments: { thought: "a b c" } }] };
    };
    await kurisu.say("想想");
    expect(seen()).toEqual([]);
  });

  it("a call disappears when the model fails and another answer begins", async () => {
    kurisu.model.script = async ({ emit }) => {
      emit({ kind: "call", index: 0, name: "look", text: '{"command":"ls -la ' });
      await saw("1.1 look ls -la writing");
      emit({ kind: "restart", reason: "the line was cut" });
      await kurisu.until(() => kurisu.channel.views.at(-1)?.tools.length === 0);
      return { text: "好了。" };
    };
    await kurisu.say("看看");
    expect(kurisu.channel.views.at(-1)?.tools).toEqual([]);
    expect(kurisu.channel.sent.at(-1)?.message.text).toContain("好了");
  });
});
