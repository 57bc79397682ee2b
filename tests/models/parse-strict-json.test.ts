import { expect, test } from "vitest";
import { parseStrictJson } from "../../src/models/parse-strict-json.ts";

test.each([
  ["{}", {}],
  [' {"a": [1, {"b": null}], "c": "x,\\"y:{"} ', { a: [1, { b: null }], c: 'x,"y:{' }],
  ['{"a": {"x": 1}, "b": {"x": 2}}', { a: { x: 1 }, b: { x: 2 } }],
  ['{"list": ["a", "a"], "a": "list"}', { list: ["a", "a"], a: "list" }],
  ['{"half": 0.1, "big": 9007199254740991, "e": 1e3}', { half: 0.1, big: 9007199254740991, e: 1000 }],
])("reads %s", (text, value) => {
  expect(parseStrictJson(text)).toEqual({ kind: "object", value });
});

test.each([
  ["cut off", '{"path": "/tmp/bui'],
  ["cut off after a value", '{"path": "/tmp/build"'],
  ["two objects", '{"a":1}{"a":2}'],
  ["a list", "[1]"],
  ["null", "null"],
  ["a text", '"rm"'],
  ["single quotes", "{'a': 1}"],
  ["a trailing comma", '{"a": 1,}'],
  ["a comment", '{"a": 1 /* x */}'],
  ["NaN", '{"a": NaN}'],
  ["a repeated key", '{"command": "ls", "command": "rm -rf ~"}'],
  ["a repeated key in disguise", '{"command": "ls", "\\u0063ommand": "rm -rf ~"}'],
  ["a repeated key further down", '{"a": [{"x": 1, "y": 2, "x": 3}]}'],
  ["a repeated key after an object", '{"a": {"b": 1}, "a": 2}'],
  ["__proto__", '{"__proto__": {"admin": true}}'],
  ["an endless number", '{"a": 1e999}'],
  ["an integer that loses digits", '{"user": 12345678901234567890}'],
  ["half of a surrogate pair", '{"a": "\\ud83d"}'],
  ["endless nesting", `{"a":${"[".repeat(100)}${"]".repeat(100)}}`],
])("refuses %s", (_, text) => {
  expect(parseStrictJson(text)).toMatchObject({ kind: "faulty", fault: expect.stringMatching(/\.$/) });
});
