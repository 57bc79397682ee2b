// full: renders hundreds of texts with four renderers
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { handOnGrowing, handOnMarkdown, handOnPlain } from "../../src/channels/markdown/hand-on-markdown.ts";
import { findHidden, renderers } from "../support/markdown/renderers.ts";

const generatedTexts = process.env["KURISU_TEST_FULL"] === "1" ? 2_000 : 400;
const evil = "https://evil.test/q";
const pieces = [
  ...Array.from("[]()!<>`*_~|#-+=:&\\\n a1.\t\"'^$@{}/?"),
  "\n\n",
  "\n\n    ",
  "\n```\n",
  "\n~~~\n",
  "``",
  "\n> ",
  "\n- ",
  "\n1. ",
  "\n10. ",
  "\n  ",
  "\n---\n",
  "\n===\n",
  "|a|b|\n|-|-|\n|",
  "**",
  "~~",
  "你好。",
  evil,
  `[bank.test](${evil})`,
  `![x](${evil}.png)`,
  `![x][r]`,
  "[r]",
  "[here][r]",
  `\n\n[r]: ${evil}\n`,
  `\n[r]: <${evil}> "t"\n`,
  `[^1]`,
  `\n[^1]: ${evil}\n`,
  `<a href="${evil}">bank.test</a>`,
  `<img src=${evil}>`,
  `<${evil}>`,
  `<img`,
  `\n<div>\n`,
  "\n</div>\n",
  "\n<pre><code>",
  "</code></pre>\n",
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
  "&lt;",
  "&#91;",
  "&amp;",
  "[x]: ",
  "javascript:alert(1)",
  "www.evil.test",
  "a@evil.test",
  "[![x](",
  ")](",
  " =100x100",
  "\\[",
  "\\`",
  "`[a](https://evil.test/c)`",
];
const generated = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 24 })
  .map((chosen) => chosen.join(""));

function listHidden(written: string) {
  return Object.entries(renderers).flatMap(([name, render]) =>
    findHidden(render(written)).map((finding) => ({ name, ...finding, written })),
  );
}

describe("Markdown that is handed on", () => {
  it("shows no picture, hidden link or raw HTML of generated texts in any of six readers", () => {
    fc.assert(
      fc.property(generated, (text) => {
        expect(listHidden(handOnMarkdown(text))).toEqual([]);
        expect(listHidden(handOnPlain(text))).toEqual([]);
        expect(listHidden(handOnGrowing(text))).toEqual([]);
      }),
      { numRuns: generatedTexts },
    );
  });

  it.each([
    `${evil}?<img\`[a](https://evil.test/c)\`[`,
    `${evil}?,**bank.test**`,
    `**${evil}**\`bank.test\``,
    `**x ${evil}?a**\`bank.test\`[`,
    `${evil}?\`bank.test\`x`,
  ])("shows no style within an address: %s", (text) => {
    expect(listHidden(handOnMarkdown(text))).toEqual([]);
  });

  it("a growing text is always a beginning of the whole text", () => {
    fc.assert(
      fc.property(generated, (text) => {
        const whole = handOnMarkdown(text);
        for (let end = 1; end < text.length; end += 7)
          expect(whole.startsWith(handOnGrowing(text.slice(0, end)))).toBe(true);
      }),
      { numRuns: generatedTexts },
    );
  });

  it.each([
    ["[here](https://evil.test/?q=1)", "here (https://evil.test/?q=1)"],
    ["![x](https://evil.test/a.png)", "x (https://evil.test/a.png)"],
    ["**bold** *em* ~~no~~ `a[i](x)`", "**bold** *em* ~~no~~ `a[i]\u200B(x)`"],
    ["snake_case and 10~20", String.raw`snake_case and 10\~20`],
    ["# Title\n\n- a\n- b\n\n1. c", "# Title\n\n- a\n- b\n\n1. c"],
    ["```ts\nconst a = b[i](x);\n```", "```ts\nconst a = b[i](x);\n```"],
    ["<b>x</b> a < b", "&lt;b>x&lt;/b> a < b"],
    ["[r]\n\n[r]: https://evil.test", String.raw`\[r\]` + "\n\n" + String.raw`\[r\]: https://evil.test`],
    ["https://e.test/a_b?c=*d*e", "https://e.test/a_b?c=%2Ad%2Ae"],
  ])("%s", (markdown, written) => {
    expect(handOnMarkdown(markdown)).toBe(written);
  });

  it.each([
    ["*a* [b](c)\nnext\n\n  indented", String.raw`\*a\* \[b\](c)` + "  \nnext\n\n\u00A0\u00A0indented"],
    ["# no title", String.raw`\# no title`],
  ])("plain text stays plain: %j", (text, written) => {
    expect(handOnPlain(text)).toBe(written);
  });

  it("sentences of a paragraph are shown as they come, and styles when they are whole", () => {
    expect(handOnGrowing("我看看。")).toBe("我看看。");
    expect(handOnGrowing("One. Two. Thr")).toBe("One. Two.");
    expect(handOnGrowing("One. See **bo")).toBe("One.");
    expect(handOnGrowing("- a\n- b\n\nOne. Tw")).toBe("- a\n- b\n\nOne.");
    expect(handOnGrowing("One **bold**.\n\nTwo.")).toBe("One **bold**.\n\nTwo.");
  });
});
