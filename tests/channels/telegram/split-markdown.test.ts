import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatMarkdown } from "../../../src/channels/markdown/format-markdown.ts";
import { splitMarkdown } from "../../../src/channels/markdown/split-markdown.ts";
import { checkText } from "../../support/telegram/check-message.ts";
import { splitText } from "../../../src/channels/markdown/split-text.ts";

const shown = (markdown: string) => formatMarkdown(markdown).text;
const withoutSpace = (text: string) => text.replaceAll(/\s+/g, "");

const word = fc.constantFrom(
  "a",
  "脑科学",
  "😀👍🏽",
  "x_y",
  "2*3",
  "**粗体**",
  "*斜*",
  "`c`d`",
  "[t](http://x.com)",
  "~~s~~",
  "1.",
  "#",
  ">",
  "<b>",
);
const mark = fc.constantFrom("。", "，", ". ", "! ", "\n", " ", "");
const sentence = fc.array(fc.tuple(word, mark), { maxLength: 30 }).map((pairs) => pairs.flat().join(""));
const block = fc.oneof(
  sentence,
  sentence.map((text) => `# ${text}`),
  sentence.map((text) => `\`\`\`js\n${text}\n\`\`\``),
  fc
    .array(sentence, { maxLength: 6 })
    .map((items) => items.map((item) => `- ${item.replaceAll("\n", " ")}`).join("\n")),
  fc
    .array(sentence, { maxLength: 6 })
    .map((items) => items.map((item) => `1. ${item.replaceAll("\n", " ")}`).join("\n")),
  sentence.map((text) => `> ${text.replaceAll("\n", "\n> ")}`),
  fc.constant("| a | b |\n|---|---|\n| 1 | 2 |"),
  fc
    .array(sentence, { maxLength: 6 })
    .map((cells) => cells.map((cell) => `| ${cell.replaceAll(/[\n|]/g, " ")} | 2 | [t](http://x.com) |`).join("\n"))
    .map((rows) => `| a | b | c |\n|---|---|---|\n${rows}`),
  fc.constant("[1]: http://y.com"),
);
const markdownText = fc.array(block, { maxLength: 12 }).map((blocks) => blocks.join("\n\n"));
const anyText = fc.string({ unit: "binary", maxLength: 400 });

describe("splitMarkdown", () => {
  it("keeps every word, no part over the limit, no half character", () => {
    fc.assert(
      fc.property(fc.oneof(markdownText, anyText), fc.integer({ min: 20, max: 300 }), (markdown, limit) => {
        const parts = splitMarkdown(markdown, limit);
        expect(parts.length).toBeGreaterThan(0);
        for (const part of parts) {
          // By the rules of the server: no entity overlaps another, leaves the text, or cuts a character.
          const { text, entities } = formatMarkdown(part);
          expect(checkText({ text, entities }, "too long", true).text).toBe(text);
          expect(shown(part).length).toBeLessThanOrEqual(limit);
          expect(part.isWellFormed()).toBe(true);
        }
        expect(withoutSpace(parts.map(shown).join(""))).toBe(withoutSpace(shown(markdown)));
      }),
      { numRuns: 400 },
    );
  });

  it("leaves a text that fits as it is", () => {
    const markdown = "# a\n\n**b** `c`";
    expect(splitMarkdown(markdown, 4096)).toEqual([markdown]);
  });

  it("prefers paragraphs", () => {
    expect(splitMarkdown("第一段。第一段。\n\n第二段。\n\n第三段。", 14)).toEqual(
      ["第一段。第一段。\n\n第二段。", "第三段。"].map((part) => part),
    );
  });

  it("keeps code a fence with its language in every part", () => {
    const code = Array.from({ length: 40 }, (_, line) => `console.log(${line}) // \`\`\``).join("\n");
    const parts = splitMarkdown(`前面\n\n\`\`\`\`ts\n${code}\n\`\`\`\`\n\n后面`, 300);
    const fenced = parts.map((part) => formatMarkdown(part).entities.filter((entity) => entity.type === "pre"));
    expect(parts.length).toBeGreaterThan(3);
    expect(
      fenced.every((entities) => entities.length === 1 && entities[0]?.type === "pre" && entities[0].language === "ts"),
    ).toBe(true);
  });

  it("keeps styled spans whole, and the number of a list item", () => {
    const items = Array.from(
      { length: 30 },
      (_, index) => `1. 这是**第${index + 1}项重点**，还有 \`code ${index + 1}\``,
    );
    const parts = splitMarkdown(items.join("\n"), 200).map((part) => formatMarkdown(part));
    const bold = parts.flatMap(({ text, entities }) =>
      entities.filter(({ type }) => type === "bold").map(({ offset, length }) => text.slice(offset, offset + length)),
    );
    expect(bold).toEqual(items.map((_, index) => `第${index + 1}项重点`));
    expect(parts.map(({ text }) => text).join("\n")).toContain("\n30. 这是");
  });

  it("keeps link definitions in every part", () => {
    const parts = splitMarkdown(`${"[看这里][1] 一段话。\n\n".repeat(20)}[1]: http://y.com`, 60);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.every((part) => formatMarkdown(part).entities.some(({ type }) => type === "text_link"))).toBe(true);
  });

  it("breaks a long table between its records, or between lines of its columns", () => {
    const rows = Array.from({ length: 30 }, (_, index) => `| 城市 ${index} | 说明${"很长".repeat(12)} |`);
    const records = splitMarkdown(`| 名 | 话 |\n|--|--|\n${rows.join("\n")}`, 300).map(shown);
    expect(records.length).toBeGreaterThan(3);
    expect(records.every((part) => /^名：城市 \d+\n话：说明/.test(part))).toBe(true);
    const narrow = Array.from({ length: 60 }, (_, index) => `| ${index} | x |`);
    const columns = splitMarkdown(`| n | v |\n|--|--|\n${narrow.join("\n")}`, 100).map((part) => formatMarkdown(part));
    expect(columns.length).toBeGreaterThan(2);
    expect(columns.every(({ entities }) => entities.length === 1 && entities[0]?.type === "pre")).toBe(true);
  });

  it("cuts a long line of text at sentences", () => {
    const parts = splitMarkdown("一二三四五。".repeat(20), 32);
    expect(parts.map((part) => shown(part)).every((text) => text.endsWith("。"))).toBe(true);
  });
});

describe("splitText", () => {
  it("keeps every word, no part over the limit, no half character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 500 }), fc.integer({ min: 2, max: 100 }), (text, limit) => {
        const parts = splitText(text, limit);
        expect(parts.every((part) => part.length <= limit && part.isWellFormed())).toBe(true);
        expect(withoutSpace(parts.join(""))).toBe(withoutSpace(text));
      }),
    );
  });
});
