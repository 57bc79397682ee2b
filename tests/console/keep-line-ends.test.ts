import { describe, expect, it } from "vitest";
import { fromField, toField } from "../../src/console/page/keep-line-ends.ts";

describe("a text that goes through a field", () => {
  it.each([
    ["line feeds", "a\nb\n", "a\nc\nb\n", "a\nc\nb\n"],
    ["carriage returns and the mark", "\uFEFFa\r\nb\r\n", "a\nc\nb\n", "\uFEFFa\r\nc\r\nb\r\n"],
    ["ends of both kinds", "a\r\nb\nc\r\nd\n", "a\nb\nx\nd\n", "a\r\nb\nx\r\nd\n"],
    ["no end at all", "a\r\nb", "a\nb\n", "a\r\nb\r\n"],
    ["an end taken away", "a\r\nb\r\n", "a\nb", "a\r\nb"],
    ["nothing before", "", "a\n", "a\n"],
    ["the same line twice", "a\r\na\na\r\n", "a\na\n", "a\r\na\n"],
    ["all of it new", "a\r\n", "x\ny\n", "x\r\ny\r\n"],
  ])("keeps the ends of its lines: %s", (_, stored, field, expected) => {
    expect(fromField(field, stored)).toBe(expected);
    expect(fromField(toField(stored), stored)).toBe(stored);
  });
});
