import { mcpWords } from "../../../../src/features/mcp/words.ts";
import { describe, expect, it } from "vitest";
import { fillByYes, readFields } from "../../../../src/features/mcp/elicitations/read-fields.ts";
import type { McpField } from "../../../../src/features/mcp/connection/types.ts";

function field(name: string, more: Partial<McpField> = {}): McpField {
  return { name, title: name, type: "string", required: true, values: [], ...more };
}

const [city, age] = [field("city"), field("age", { type: "integer" })];
const size = field("size", { type: "choice", values: ["S", "M"], required: false });
const many = field("tags", { type: "choices", values: ["a", "b"] });
const agree = field("agree", { type: "boolean" });

describe("the fields that a person fills in", () => {
  it.each([
    ["秋叶原", [city], { city: "秋叶原" }],
    ["city: 秋叶原", [city], { city: "秋叶原" }],
    ["city: 秋叶原\nage：１８", [city, age], { city: "秋叶原", age: 18 }],
    ["age: 18\ncity: a: b", [city, age], { city: "a: b", age: 18 }],
    ["city: x\nage: 1\nsize: M", [city, age, size], { city: "x", age: 1, size: "M" }],
    ["a，b", [many], { tags: ["a", "b"] }],
    ["不", [agree], { agree: false }],
    ["はい", [agree], { agree: true }],
  ])("%j", (text, fields, content) => {
    expect(readFields(text, fields, "zh")).toEqual({ kind: "filled", content });
  });

  it.each([
    ["eighteen", [age]],
    ["1.5", [age]],
    ["", [city]],
    ["city: 秋叶原", [city, age]],
    ["L", [{ ...size, required: true }]],
    ["a,c", [many]],
    ["maybe", [agree]],
    ["x".repeat(5_000), [city]],
  ])("%j is told, not guessed", (text, fields) => {
    expect(readFields(text, fields, "zh").kind).toBe("faulty");
  });
});

describe("a bare yes", () => {
  it("a bare yes answers a single yes-or-no field, and fills in the default", () => {
    expect(fillByYes([agree], "zh")).toEqual({ kind: "filled", content: { agree: true } });
    expect(fillByYes([], "zh")).toEqual({ kind: "filled", content: {} });
    expect(fillByYes([{ ...city, usual: "Tokyo" }, size], "zh")).toEqual({
      kind: "filled",
      content: { city: "Tokyo" },
    });
  });

  it("says nothing where something has to be written, nor to two questions at once", () => {
    expect(fillByYes([city], "zh")).toEqual({ kind: "faulty", text: mcpWords.zh.mustFill(["city"]) });
    expect(fillByYes([agree, { ...agree, name: "also" }], "zh").kind).toBe("faulty");
  });
});
