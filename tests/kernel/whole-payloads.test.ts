import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isMarked } from "../../src/core/persona/mark-lines.ts";
import { measurePayload, maxAsked, showPayload } from "../../src/core/persona/show-payload.ts";
import { renderText, splitForQq, textLimit } from "../../src/channels/markdown/render-text.ts";
import { formatMarkdown } from "../../src/channels/markdown/format-markdown.ts";
import { splitMarkdown } from "../../src/channels/markdown/split-markdown.ts";
import { createShellTool, type ShellInput } from "../../src/features/work-tools/shell.ts";
import { parseArguments } from "../../src/kernel/gate/parse-arguments.ts";
import type { Tool } from "../../src/kernel/tools/types.ts";
import { TestGateway } from "../support/gateway.ts";
import { readMarked } from "../support/read-marked.ts";

const shell = createShellTool({} as unknown as Parameters<typeof createShellTool>[0]) as Tool;
const detailOf = (input: object): string => {
  const parsed = parseArguments(shell, { ...input });
  if (!parsed.ok) throw new Error(parsed.error);
  return (shell as unknown as Tool<ShellInput>).detail?.(parsed.input as ShellInput, "zh") ?? "";
};

/** Commands with everything that could look like ours, hide, or break a line. */
const commands = array(
  oneof(
    string({ unit: "binary", maxLength: 40 }),
    constantFrom(
      "```",
      "\n",
      "\n\n",
      "│ ",
      "┆ ",
      "\u202E",
      "\u200B",
      "\r",
      "\t",
      "⟨U+202E⟩",
      "回复「确认」执行。\n",
      "✓ 已确认 · shell ls · u1 · 19:25",
      " ".repeat(120),
      "x".repeat(500),
      "字".repeat(300),
      "👩‍👩‍👧",
      "[a](http://b)",
      "*b*",
    ),
  ),
  { minLength: 1, maxLength: 30 },
).map((parts) => `x${parts.join("").replaceAll("\0", "")}`);

const platforms: readonly (readonly [string, (markdown: string) => readonly string[]])[] = [
  ["a terminal", (markdown) => [markdown.replaceAll(/^`{3,}$/gmu, "")]],
  ["QQ", (markdown) => splitForQq(markdown).map(renderText)],
  ["Telegram", (markdown) => splitMarkdown(markdown, 4096).map((part) => formatMarkdown(part).text)],
];

describe.each(platforms)("the payload of a question, on %s,", (platform, show) => {
  it.each([
    ["one space", "x "],
    ["a space behind a whole line of QQ", `${"x".repeat(30)} `],
    ["spaces behind more than one message", `${"x".repeat(5_000)}  `],
    ["nothing but spaces, more than one message of them", `x${" ".repeat(6_000)}`],
  ])("shows %s at its end", (_, command) => {
    const messages = show(`OURS\n${showPayload(command, "zh")}`).map((message) => message.trim());
    const marked = messages.flatMap((message) => message.split("\n")).filter((line) => isMarked(line));
    expect(readMarked(marked.join("\n"))).toBe(command);
  });

  it("the payload is shown whole, every line of it behind a mark", () => {
    assert(
      property(commands, (command) => {
        const detail = detailOf({ command });
        const messages = show(`OURS\n${showPayload(detail, "zh")}\nOURS`);
        const lines = messages.flatMap((message) => message.split("\n"));
        const marked = lines.filter((line) => /^[│┆]/u.test(line));
        const others = lines.filter((line) => !/^[│┆]/u.test(line) && line !== "");
        expect(readMarked(marked.join("\n"))).toBe(command.startsWith("[in ") ? `[in .]\n${command}` : command);
        // Whatever has no mark is ours: no payload can write such a line.
        for (const line of others) expect(line).toMatch(/^(?:OURS$|（全文在下面，|里面有看不见的字符)/u);
        const widest = platform === "QQ" ? 32 : 78;
        for (const line of marked) expect(Array.from(line).length).toBeLessThanOrEqual(widest);
        const longest = platform === "QQ" ? textLimit : 1_000_000;
        for (const message of messages) expect(message.length).toBeLessThanOrEqual(longest);
      }),
      { numRuns: 150 },
    );
  });
});

it("marks are known where the space of an empty last line is cut off", () => {
  expect([isMarked("│ ls\n│"), isMarked("│ ls\n┆"), isMarked("│ ls\n"), isMarked("│ls")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

describe("the shell's question", () => {
  it("names a folder that is not the usual one before the command, and no command can", () => {
    expect(detailOf({ command: "ls" })).toBe("ls");
    expect(detailOf({ command: "ls", cwd: "notes" })).toBe("[in notes]\nls");
    expect(detailOf({ command: "ls", fresh: true })).toBe("[in a new container]\nls");
    expect(detailOf({ command: "[in notes]\nls" })).toBe("[in .]\n[in notes]\nls");
  });

  it.each(["/etc", "../x", "a/../b", "a\nb", "a\u202Eb", "x".repeat(1_025), "~root", "a\\b"])(
    "the question is never asked for the folder %j",
    (cwd) => {
      expect(parseArguments(shell, { command: "ls", cwd })).toMatchObject({ ok: false });
    },
  );
});

describe("a payload that is too long to be shown", () => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway();
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  it("the model learns why the payload is refused and what it can do, and no question is asked", async () => {
    await kurisu.say(`poke ${"y".repeat(maxAsked.call + 1)}`);
    expect(await kurisu.questions()).toEqual([]);
    expect(kurisu.model.asked.at(-1)?.results.join("\n")).toMatch(/too long.*at most 12000.*append/s);
    expect(kurisu.did()).toEqual([]);
  });

  it("counts for all calls of a round together: of three that fit alone, only two are asked", async () => {
    const [a, b, c] = ["a", "b", "c"].map((letter) => letter.repeat(maxAsked.call - 1)) as [string, string, string];
    kurisu.model.script = ({ results }) =>
      results.length === 0
        ? { calls: [a, b, c].map((what) => ({ name: "poke", arguments: { what } })) }
        : { text: "嗯。" };
    await kurisu.say("三件一起");
    const [question] = await kurisu.questions();
    expect(question?.calls.map(({ detail }) => detail)).toEqual([a, b]);
    await kurisu.say("取消");
    expect(kurisu.model.asked.at(-1)?.results.join("\n")).toContain("together too long for one question");
  });

  it("a payload up to the limit comes in parts, and an approval counts once the last part is out", async () => {
    const what = "y".repeat(maxAsked.call);
    kurisu.channel.onSend = (message, index) =>
      message.question && index === 2 ? { kind: "later", afterMs: 10, reason: "busy" } : undefined;
    await kurisu.say(`poke ${what}`);
    await kurisu.say("确认");
    expect(kurisu.did()).toEqual([]);
    kurisu.channel.onSend = () => undefined;
    kurisu.clock.advance(60_000);
    await kurisu.until(async () => typeof (await kurisu.questions())[0]?.promptMessage === "string");
    const parts = kurisu.channel.sent.filter(({ message }) => message.question !== undefined);
    expect(parts.length).toBeGreaterThan(3);
    expect((await kurisu.questions())[0]?.promptMessage).toBe(parts.at(-1)?.id);
    const shown = parts.map(({ text }) => text).join("");
    const marked = shown.split("\n").filter((line) => /^[│┆]/u.test(line));
    expect(readMarked(marked.join("\n"))).toBe(what);
    await kurisu.say("确认");
    expect(kurisu.did()).toEqual([what]);
  });

  it("counts a character as it is shown", () => {
    expect(measurePayload("a\u202Eb")).toBe("a⟨U+202E⟩b".length);
  });
});
