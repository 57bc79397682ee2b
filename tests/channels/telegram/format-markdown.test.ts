import { describe, expect, it } from "vitest";
import { formatMarkdown } from "../../../src/channels/markdown/format-markdown.ts";

function show(markdown: string): string {
  const { text, entities } = formatMarkdown(markdown);
  const spans = entities.map((entity) => `${entity.type}<${text.slice(entity.offset, entity.offset + entity.length)}>`);
  return [text, ...spans].join(" | ");
}

describe("formatMarkdown", () => {
  it.each([
    [
      "**bold** *italic* ~~gone~~ `code`",
      "bold italic gone code | bold<bold> | italic<italic> | strikethrough<gone> | code<code>",
    ],
    ["**注意：**请看", "注意：请看 | bold<注意：>"],
    ["前**“引”**后", "前“引”后 | bold<“引”>"],
    ["**a *b* c**", "a b c | bold<a b c> | italic<b>"],
    ["***x***", "x | italic<x> | bold<x>"],
    ["10~20岁，30~40岁", "10~20岁，30~40岁"],
    ["2 ** 3 ** 4", "2 ** 3 ** 4"],
    ["- [ ] a\n- [x] b", "- [ ] a\n- [x] b"],
    ["- a\n  - b\n    - c\n- d", "- a\n  - b\n    - c\n- d"],
    ["1. run\n   ```sh\n   ls\n   ```\n2. ok", "1. run\nls\n2. ok | pre<ls>"],
    ["| a | b |\n|--|--|\n| 1 | 2 |", "a  b\n-  -\n1  2 | pre<a  b\n-  -\n1  2>"],
    [
      "| 城市 | 人口 |\n|--|--:|\n| 东京 | 1400 |\n| 大阪市 | **270** |",
      "城市    人口\n------  ----\n东京    1400\n大阪市   270 | pre<城市    人口\n------  ----\n东京    1400\n大阪市   270>",
    ],
    ["| a |\n|--|", "a\n- | pre<a\n->"],
    [
      "| 名字 | note |\n|--|--|\n| `x` 很好 | 三十二列放不下这么长的一个格子里的话，所以写成记录 |\n| y | |",
      "名字：x 很好\nnote: 三十二列放不下这么长的一个格子里的话，所以写成记录\n\n名字：y | bold<名字：> | code<x> | bold< 很好> | bold<名字：y>",
    ],
    ["| a | 链接 |\n|--|--|\n| 1 | [t](http://x.com) |", "a: 1\n链接：t | bold<a: 1> | text_link<t>"],
    ["# 标题 `x` y\ntext", "标题 x y\ntext | bold<标题 > | code<x> | bold< y>"],
    ["> q\n> > r", "q\nr | blockquote<q\nr>"],
    ["[t](http://x.com) www.x.com a@b.co [r](../r)", "t www.x.com a@b.co r | text_link<t>"],
    ["[a][1]\n\n[1]: http://y.com", "a | text_link<a>"],
    ["a\n\n\n\nb\n---", "a\n\nb | bold<b>"],
    ["a\n\n---\n\nb", "a\n\n———\n\nb"],
    ["a &amp; b <b>x</b>", "a &amp; b <b>x</b>"],
    ["```js\nlet a", "let a | pre<let a>"],
    ["  😀 **粗😀**  ", "😀 粗😀 | bold<粗😀>"],
    ["\\*no\\* \\# x", "*no* # x"],
    ["", ""],
  ])("%j", (markdown, expected) => {
    expect(show(markdown)).toBe(expected);
  });

  it("keeps the language of a fence and the target of a link", () => {
    expect(formatMarkdown("```python title=x\n1\n```").entities).toEqual([
      { type: "pre", offset: 0, length: 1, language: "python" },
    ]);
    expect(formatMarkdown("[t](https://x.com/a_b)").entities).toEqual([
      { type: "text_link", offset: 0, length: 1, url: "https://x.com/a_b" },
    ]);
  });

  it("replaces half a character, which the server would refuse", () => {
    expect(formatMarkdown("a\uD83Db").text).toBe("a\uFFFDb");
  });
});
