import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ModelEvent } from "../../src/models/types.ts";
import { createThinkTool } from "../../src/tools/builtin/think.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import type { Tool } from "../../src/tools/types.ts";
import { effectRules } from "../support/effect-tools.ts";
import { TestGateway } from "../support/gateway.ts";

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
    run: ({ command }) => Promise.resolve({ ok: true as const, output: `did ${command}` }),
  }) as Tool;

describe("a call whose arguments are still being written", () => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({
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

  it("says that it was denied, and runs nothing", async () => {
    write("forbid", [['{"command":"rm -rf ', "1.1 forbid rm -rf writing"], ['/"}']]);
    await kurisu.say("删掉");
    expect(seen()).toContain("1.1 forbid rm -rf / denied");
    expect(seen().join("\n")).not.toMatch(/started|done/);
  });

  it("does not stand there as at work once it is asked for", async () => {
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

  it("is gone when the model fails and another answer begins", async () => {
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
