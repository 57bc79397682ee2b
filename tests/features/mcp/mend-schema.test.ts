import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../../src/core/conversation.ts";
import { createCompiler, createInputSchema } from "../../../src/features/mcp/check-input.ts";
import { mendSchema } from "../../../src/features/mcp/schemas/mend-schema.ts";

const compiler = createCompiler();
beforeAll(() => compiler.load());

const read = (schema: JsonObject, input: JsonObject) =>
  createInputSchema(compiler.compile, schema, mendSchema(schema).real).safeParse(input);

/** The one property of a schema, as a model is shown it. */
function showField(field: object) {
  const { parameters, mended } = mendSchema({ type: "object", properties: { a: field as JsonObject } });
  return { field: (parameters["properties"] as JsonObject)["a"], mended };
}

describe("a model is shown a schema that every model server takes, and all else of it as it is:", () => {
  test.each<[string, object, object, readonly string[]]>([
    ["a plain one", { type: "string", pattern: "^[a-z]{1,3}$" }, { type: "string", pattern: "^[a-z]{1,3}$" }, []],
    [
      "a class that not every engine knows",
      { type: "string", description: "A name.", pattern: String.raw`^[\p{L}]+$` },
      { type: "string", description: String.raw`A name. Pattern: ^[\p{L}]+$` },
      ["pattern"],
    ],
    [
      "look-behind",
      { type: "string", pattern: "(?<!a)b" },
      { type: "string", description: "Pattern: (?<!a)b" },
      ["pattern"],
    ],
    [
      "a list of types",
      { type: ["string", "null"], enum: ["x", null], default: null },
      { type: "string", enum: ["x"], description: "May be null." },
      ["type"],
    ],
    ["several types", { type: ["string", "integer"] }, { anyOf: [{ type: "string" }, { type: "integer" }] }, ["type"]],
    [
      "nullable",
      { type: "string", nullable: true },
      { type: "string", description: "May be null." },
      ["nullable", "type"],
    ],
    [
      "flags of draft 4",
      { type: "number", minimum: 0, exclusiveMinimum: true },
      { type: "number", minimum: 0, description: "More than 0." },
      ["exclusiveMinimum", "minimum"],
    ],
    ["a flag without its limit", { type: "number", exclusiveMaximum: false }, { type: "number" }, ["exclusiveMaximum"]],
    ["an unknown format", { type: "integer", format: "int64" }, { type: "integer" }, ["format"]],
    ["a known format", { type: "string", format: "date-time" }, { type: "string", format: "date-time" }, []],
    ["a value without a type", { const: "on" }, { type: "string", enum: ["on"] }, ["const"]],
    ["a fixed number", { type: "integer", const: 3 }, { type: "integer", description: "Always 3." }, ["const"]],
    [
      "a choice of exactly one",
      { oneOf: [{ type: "string" }, { type: "null" }] },
      { anyOf: [{ type: "string" }, { type: "null" }] },
      [],
    ],
    [
      "limits that Gemini has no word for",
      { type: "array", items: { type: "integer", multipleOf: 5 }, uniqueItems: true },
      { type: "array", items: { type: "integer", description: "A multiple of 5." }, description: "Each once." },
      ["multipleOf", "uniqueItems"],
    ],
    ["numbers without a type", { enum: [1, 2] }, { type: "integer", description: "One of: 1, 2." }, ["enum"]],
    ["words without a type", { enum: ["a"] }, { type: "string", enum: ["a"] }, ["enum"]],
    [
      "a choice of words and others",
      { description: "A size.", enum: ["a", 1, null] },
      { description: 'A size. One of: "a", 1, null.' },
      ["enum"],
    ],
    [
      "a choice with an empty word",
      { type: "string", enum: ["", "a"] },
      { type: "string", description: 'One of: "", "a".' },
      ["enum"],
    ],
    ["nothing but an empty word", { const: "" }, { type: "string", description: 'Always "".' }, ["const"]],
    [
      "a choice of nothing but null",
      { type: ["string", "null"], enum: [null] },
      { type: "string", description: "May be null." },
      ["enum", "type"],
    ],
    [
      "two choices",
      { anyOf: [{ type: "string" }], oneOf: [{ minLength: 1 }, { maxLength: 9 }] },
      { anyOf: [{ type: "string" }] },
      ["oneOf"],
    ],
    [
      "keywords that not every model server knows",
      {
        type: "object",
        properties: { examples: { type: "string", examples: ["a"], readOnly: true } },
        not: { required: ["b"] },
        if: {},
        else: {},
        dependentRequired: { a: ["b"] },
        deprecated: true,
        "x-order": 1,
      },
      { type: "object", properties: { examples: { type: "string" } } },
      ["dependentRequired", "deprecated", "else", "examples", "if", "not", "readOnly", "x-order"],
    ],
    ...["[a", "(a", "a)", "*a", "a{3,1}", "a{2000}", "[b-a]"].map((pattern): [string, object, object, string[]] => [
      `a pattern that is none: ${pattern}`,
      { type: "string", pattern },
      { type: "string", description: `Pattern: ${pattern}` },
      ["pattern"],
    ]),
    ...[String.raw`^\d{4}-\d{2}$`, String.raw`^(?:a|b{1,3}?)/\w+[^\s-]{2,}$`].map(
      (pattern): [string, object, object, string[]] => [
        `a pattern that every engine takes: ${pattern}`,
        { type: "string", pattern },
        { type: "string", pattern },
        [],
      ],
    ),
    [
      "an empty schema for the rest",
      { type: "object", additionalProperties: {} },
      { type: "object" },
      ["additionalProperties"],
    ],
    ["a list of nothing", { type: "array" }, { type: "array", items: {} }, ["items"]],
    [
      "a row of schemas",
      { type: "array", items: [{ type: "string" }, { type: "number" }] },
      { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
      ["items"],
    ],
    ["nulls", { type: "string", description: null, minLength: null }, { type: "string" }, ["description", "minLength"]],
    ["a type as programmers write it", { type: "str" }, { type: "string" }, ["type"]],
    ["a flag that it is required", { type: "string", required: true }, { type: "string" }, ["required"]],
  ])("%s", (_, field, shown, mended) => {
    expect(showField(field)).toEqual({ field: shown, mended });
  });

  test("a reference is replaced by its target, also in a list, and a tree is followed once", () => {
    const { parameters, mended } = mendSchema({
      type: "object",
      properties: {
        one: { $ref: "#/$defs/Node", description: "The first." },
        more: { items: { $ref: "#/$defs/Node" } },
      },
      $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } },
    });
    const node = { type: "object", properties: { next: { type: "object" } } };
    expect(parameters).toEqual({
      type: "object",
      properties: { one: { ...node, description: "The first." }, more: { type: "array", items: node } },
    });
    expect(mended).toEqual(["$ref", "items"]);
  });

  test("references that branch without end stay", () => {
    const branches = Array.from({ length: 40 }, (_, at) => {
      const next = { $ref: `#/$defs/a${at + 1}` };
      return [`a${at}`, { anyOf: [next, next] }];
    });
    const $defs = Object.fromEntries([...branches, ["a40", { type: "string" }]]) as JsonObject;
    const schema = { type: "object", properties: { x: { $ref: "#/$defs/a0" } }, $defs };
    expect(mendSchema(schema)).toEqual({ parameters: schema, mended: [] });
  });

  test("the schema loses the server's own keywords, and only a few of them are named", () => {
    const own = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x-${at}-${"y".repeat(99)}`, 1]));
    const { parameters, mended } = mendSchema({ type: "object", properties: {}, ...own });
    expect(parameters).toEqual({ type: "object", properties: {} });
    expect(mended).toHaveLength(40);
    expect(Math.max(...mended.map((one) => one.length))).toBe(40);
  });

  test("required names that are no properties, or twice there, are left out", () => {
    const { parameters, mended } = mendSchema({ type: "object", properties: { a: {} }, required: ["a", "a", "b"] });
    expect(parameters["required"]).toEqual(["a"]);
    expect(mended).toEqual(["required"]);
  });
});

describe("a name that model servers refuse", () => {
  const schema: JsonObject = {
    type: "object",
    properties: {
      "uids[]": {
        type: "array",
        items: { type: "object", properties: { 名字: { type: "string" } }, required: ["名字"] },
      },
      uids: { type: "string" },
      "@type": { type: "string" },
    },
    required: ["uids[]"],
    additionalProperties: false,
  };

  test("the model sees another name, and the call goes out under the real one", () => {
    const { parameters, mended } = mendSchema(schema);
    expect(Object.keys(parameters["properties"] as JsonObject)).toEqual(["uids_2", "uids", "type"]);
    expect(parameters["required"]).toEqual(["uids_2"]);
    expect(mended).toEqual(["properties"]);
    expect(read(schema, { uids_2: [{ field: "a" }], type: "b" }).data).toEqual({
      "uids[]": [{ 名字: "a" }],
      "@type": "b",
    });
  });

  test("the model may use the real name as well, and a second reading changes nothing", () => {
    const given = { "uids[]": [{ 名字: "a" }], uids: "x" };
    expect(read(schema, given).data).toEqual(given);
  });

  test("counts against the real schema", () => {
    expect(read(schema, { uids_2: "no list" }).error?.issues[0]?.message).toContain("uids[]");
    expect(read(schema, { uids: "x" }).success).toBe(false);
  });
});

describe("the real schema is followed", () => {
  test.each<[string, object, unknown, unknown]>([
    ["with flags of draft 4", { type: "number", minimum: 0, exclusiveMinimum: true }, 1, 0],
    ["with nulls", { type: "string", minLength: null, maxLength: 2 }, "a", "abc"],
    ["with nullable", { type: "string", nullable: true }, null, 1],
    ["with a type as programmers write it", { type: "int" }, 1, "a"],
    ["with values and no type", { enum: ["a"] }, "a", "b"],
  ])("%s", (_, field, good, bad) => {
    const schema = { type: "object", properties: { a: field } } as JsonObject;
    expect(read(schema, { a: good } as JsonObject).success).toBe(true);
    expect(read(schema, { a: bad } as JsonObject).success).toBe(false);
  });

  test("the check prints nothing about an unknown format", () => {
    const said: unknown[] = [];
    const { warn } = console;
    console.warn = (...words: unknown[]) => void said.push(words);
    onTestFinished(() => void (console.warn = warn));
    const format = "\u001B[31mred";
    expect(read({ type: "object", properties: { a: { type: "string", format } } }, { a: "x" }).success).toBe(true);
    expect(said).toEqual([]);
  });
});

describe("defaults", () => {
  const schema: JsonObject = {
    type: "object",
    properties: {
      unit: { type: "string", enum: ["c", "f"], default: "c" },
      limit: { type: "integer", default: 10 },
      note: { type: ["string", "null"], default: null },
    },
    required: ["unit"],
  };

  test("defaults fill in what the model left out, and a second reading changes nothing", () => {
    const filled = { unit: "c", limit: 3 };
    expect(read(schema, { limit: 3 }).data).toEqual(filled);
    expect(read(schema, filled).data).toEqual(filled);
    expect(read(schema, { unit: "f", note: null }).data).toEqual({ unit: "f", note: null, limit: 10 });
  });

  test("wrong defaults, and those that conflict with the arguments, are left out", () => {
    const wrong: JsonObject = {
      type: "object",
      properties: { a: { type: "string", default: 3 }, b: { type: "string" } },
    };
    expect(read(wrong, { b: "x" }).data).toEqual({ b: "x" });
    expect(read(wrong, { a: 4 }).success).toBe(false);
  });
});
