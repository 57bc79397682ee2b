import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { createMarkdownRenderer } from "../../src/cli/terminal/render-markdown.ts";
import { wrapText } from "../../src/cli/terminal/wrap-text.ts";
import { countColumns } from "../../src/core/persona/mark-lines.ts";

/** No terminal: no colours. */
const colourless = new PassThrough() as unknown as NodeJS.WriteStream;
const colourful = Object.assign(new PassThrough(), {
  isTTY: true,
  getColorDepth: () => 8,
}) as unknown as NodeJS.WriteStream;

function render(
  text: string,
  {
    cut = [],
    stream = colourless,
    columns = 80,
  }: { cut?: readonly number[]; stream?: NodeJS.WriteStream; columns?: number } = {},
): string {
  const renderer = createMarkdownRenderer(stream, () => columns);
  const marks = [0, ...cut, text.length];
  const pieces = marks.slice(1).map((end, index) => text.slice(marks[index], end));
  return pieces.map((piece) => renderer.push(piece)).join("") + renderer.flush();
}

describe("Markdown in a terminal", () => {
  test.each([
    {
      what: "code",
      text: "看：\n```python\nx = 1\n\ny\n```\n好。\n",
      shown: "看：\n    python\n    x = 1\n\n    y\n好。\n",
    },
    { what: "code without a language", text: "```\na\n```\n", shown: "    a\n" },
    { what: "a fence inside a longer one", text: "````\n```\na\n```\n````\nb", shown: "    ```\n    a\n    ```\nb" },
    { what: "a fence that never ends", text: "```\na", shown: "    a" },
    { what: "a fence at the very end", text: "```\na\n```", shown: "    a\n" },
    {
      what: "code within a line, and a line that begins with it",
      text: "用 `ls`。\n`pwd` 也行",
      shown: "用 `ls`。\n`pwd` 也行",
    },
    { what: "one backtick at the end", text: "a\n`", shown: "a\n`" },
    { what: "a heading", text: "## 标题 ##\n字", shown: "标题\n字" },
    { what: "bold and italic", text: "这是**重点**，*斜*的", shown: "这是重点，斜的" },
    { what: "bold within a heading", text: "# a **b** c\n", shown: "a b c\n" },
    { what: "lists and boxes", text: "- a\n  - b\n1. c\n- [x] d\n- [ ] e\n", shown: "• a\n  • b\n1. c\n☑ d\n☐ e\n" },
    { what: "a quotation", text: "> a\n> b\n", shown: "▎ a\n▎ b\n" },
    {
      what: "a link with its address",
      text: "看[这里](https://a.example/b)。",
      shown: "看这里 (https://a.example/b)。",
    },
    {
      what: "a table",
      text: "表：\n| 名 | n |\n|---|--:|\n| 苹果 | 3 |\n| b | 12 |\n完",
      shown: "表：\n名     n\n----  --\n苹果   3\nb     12\n完",
    },
    { what: "a table at the very end", text: "| a | b |\n|---|---|\n| 1 | 2 |", shown: "a  b\n-  -\n1  2\n" },
    {
      what: "what only looks like Markdown",
      text: "2 * 3 * 4 = 24, a_b_c, #1\n",
      shown: "2 * 3 * 4 = 24, a_b_c, #1\n",
    },
  ])("shows $what, however it is cut into pieces", ({ text, shown }) => {
    expect(render(text)).toBe(shown);
    for (let at = 1; at < text.length; at += 1) expect(render(text, { cut: [at] }), `cut at ${at}`).toBe(shown);
    const everywhere = Array.from({ length: text.length - 1 }, (_, index) => index + 1);
    expect(render(text, { cut: everywhere })).toBe(shown);
  });

  test("a terminal with colours shows styles, the language of code dimmed, and no signs of Markdown", () => {
    const shown = render("# 一\n**二** `三`\n```js\nf()\n```\n", { stream: colourful });
    expect(shown).toContain("\u001B[1m一\u001B[22m");
    expect(shown).toContain("\u001B[1m二\u001B[22m");
    expect(shown).toContain("\u001B[36m三\u001B[39m");
    expect(shown).toContain("\u001B[2mjs\u001B[22m");
    expect(stripVTControlCharacters(shown)).toBe("一\n二 三\n    js\n    f()\n");
  });

  test("a table that is wider than the terminal becomes records", () => {
    const text = `| name | note |\n|---|---|\n| a | ${"long words ".repeat(8)}|\n`;
    expect(render(text, { columns: 40 })).toBe(
      "name: a\nnote: long words long words long words\n  long words long words long words\n  long words long words\n",
    );
  });

  test("no word is cut at the edge, whatever the width, and every letter is there", () => {
    const text =
      "我把 notes.txt 里的七条待办都整理好了，Everything else is written to a new file called todo.md（在你的工作区），请看一下。\n" +
      "- 第一条是 **a very important thing that you should not forget** 以及「周报发给教授」，没有别的了。\n";
    for (let columns = 24; columns <= 100; columns += 1) {
      const lines = render(text, { columns }).split("\n");
      for (const line of lines) {
        expect(countColumns(line)).toBeLessThanOrEqual(columns);
        expect(line).not.toMatch(/^\s*[，。、）」]/);
      }
      const words = (shown: string): string => shown.replaceAll(/[\s*•-]/g, "");
      expect(words(lines.join(""))).toBe(words(text));
      const latin = (shown: string): readonly string[] => shown.match(/[a-z.]+/gi) ?? [];
      expect(latin(lines.join("\n"))).toEqual(latin(text));
    }
  });
});

test("wrapped lines keep the indentation of theirs", () => {
  expect(wrapText("  one two three four\nfive", { columns: 14 })).toBe("  one two\n  three four\nfive");
  expect(wrapText("one two three", { columns: 12, start: 6 })).toBe("one\ntwo three");
});
