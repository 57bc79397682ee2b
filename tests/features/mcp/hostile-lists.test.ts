import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/conversation.ts";
import {
  createCompiler,
  createInputSchema,
  findSchemaFault,
  runBriefly,
} from "../../../src/features/mcp/check-input.ts";
import { listMcpServers, mcpFileSchema } from "../../../src/features/mcp/servers/mcp-file.ts";
import { readTools } from "../../../src/features/mcp/read-tools.ts";

const compiler = createCompiler();
beforeAll(() => compiler.load());

const check = (schema: JsonObject, input: JsonObject) => createInputSchema(compiler.compile, schema).safeParse(input);

/** A few lines that are followed 2 to the power of `depth` times. */
function makeBranches(depth: number): JsonObject {
  const branches = Array.from({ length: depth }, (_, at) => [
    `a${at}`,
    { anyOf: [{ $ref: `#/$defs/a${at + 1}` }, { $ref: `#/$defs/a${at + 1}` }] },
  ]);
  const $defs = Object.fromEntries([...branches, [`a${depth}`, { type: "string" }]]) as JsonObject;
  return { type: "object", properties: { x: { $ref: "#/$defs/a0" } }, $defs };
}

describe("a schema that a server sends", () => {
  test("takes no more than a moment, however its references branch", () => {
    const read = check(makeBranches(60), { x: 1 });
    expect(read.error?.issues[0]?.message).toContain("cannot be followed");
  });

  test("a machine without a free processor refuses no good schema", () => {
    const cell = new Int32Array(new SharedArrayBuffer(4));
    // It takes longer than the limit, and next to no time of a processor.
    expect(runBriefly(() => Atomics.wait(cell, 0, 0, 1_500))).toBe("timed-out");
  });

  test("a schema that refers to itself is a fault of the arguments, not of the turn", () => {
    const read = check({ type: "object", allOf: [{ $ref: "#" }] }, {});
    expect(read.error?.issues[0]?.message).toContain("cannot be followed");
  });

  test("cannot have anything fetched", () => {
    const schema: JsonObject = { type: "object", properties: { a: { $ref: "http://evil.example/x.json" } } };
    expect(findSchemaFault(compiler.compile, schema)?.reason).toContain("can't resolve reference");
  });

  test("the check follows a schema with sound references", () => {
    const tree: JsonObject = {
      type: "object",
      properties: { value: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
      required: ["value"],
    };
    expect(check(tree, { value: "a", children: [{ value: "b", children: [] }] }).success).toBe(true);
    expect(check(tree, { value: "a", children: [{ children: [] }] }).success).toBe(false);
  });
});

test("the bridge compiles only the schemas that can be offered of an endless list", () => {
  const [server] = listMcpServers(mcpFileSchema.parse({ mcpServers: { evil: { command: "x" } } }));
  if (!server) throw new Error("there is no server");
  let compiled = 0;
  const listed = Array.from({ length: 10_000 }, (_, at) => ({ name: `t${at}`, inputSchema: { type: "object" } }));
  const { definitions, refused } = readTools(server, listed, () => {
    compiled += 1;
    return () => undefined;
  });
  expect(definitions).toHaveLength(200);
  expect(compiled).toBe(200);
  // A reason for each would be thousands of lines at every change of the list.
  expect(refused.length).toBeLessThanOrEqual(51);
  expect(refused.at(-1)?.reason).toContain("more than 200 tools");
});

test("the bridge gives a list up after a number of faulty or slow schemas", () => {
  const [server] = listMcpServers(mcpFileSchema.parse({ mcpServers: { evil: { command: "x" } } }));
  if (!server) throw new Error("there is no server");
  const listed = Array.from({ length: 1_000 }, (_, at) => ({ name: `t${at}`, inputSchema: { type: "object" } }));
  const look = (error: Error) => {
    let looked = 0;
    const { definitions, refused } = readTools(server, listed, () => {
      looked += 1;
      throw error;
    });
    expect(definitions).toEqual([]);
    return { looked, last: refused.at(-1)?.reason };
  };
  expect(look(new Error("is no schema"))).toEqual({
    looked: 200,
    last: expect.stringContaining("more than 200 tools"),
  });
  const late = Object.assign(new Error("timed out"), { code: "ERR_SCRIPT_EXECUTION_TIMEOUT" });
  expect(look(late)).toEqual({ looked: 3, last: expect.stringContaining("took too long") });
});
