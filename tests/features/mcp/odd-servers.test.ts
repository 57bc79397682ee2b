import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { reportServer } from "../../../src/features/mcp/report-server.ts";
import { parseArguments } from "../../../src/kernel/gate/parse-arguments.ts";
import { makeOddServer } from "../../support/mcp/odd-server.ts";
import type { OddManners } from "../../support/mcp/odd-server-process.ts";
import { startBridge } from "../../support/mcp/start-bridge.ts";
import { patienceMs } from "../../support/patience.ts";

const act = "mcp__odd__act";

async function startOdd(manners: OddManners) {
  const odd = makeOddServer(manners);
  return { odd, ...(await startBridge({ odd: odd.entry })) };
}

const png = "iVBORw0KGgo=";
const rows = { rows: [1, 2, 3] };

describe("a call that has run is told with what the server sent:", () => {
  const text = (said: string) => ({ type: "text", text: said });
  test.each<[string, unknown, object]>([
    [
      "nulls for what is left out",
      {
        content: [{ ...text("saved"), annotations: null, _meta: null }],
        isError: null,
        structuredContent: null,
        _meta: null,
      },
      { ok: true, output: "saved" },
    ],
    [
      "a block of an unknown type",
      { content: [{ type: "json", json: rows }, text("saved")] },
      { ok: true, output: expect.stringMatching(/type json, as it came\]\n\{"json":\{"rows":\[1,2,3\]\}\}\n\nsaved$/) },
    ],
    ["a null among the blocks", { content: [null, text("saved")] }, { ok: true, output: "saved" }],
    ["a text that is a number", { content: [{ type: "text", text: 42 }] }, { ok: true, output: "42" }],
    ["a block without a type", { content: [{ text: "saved" }] }, { ok: true, output: "saved" }],
    ["blocks that are plain texts", { content: ["one", "two"] }, { ok: true, output: "one\n\ntwo" }],
    ["a text for its content", { content: "saved" }, { ok: true, output: "saved" }],
    ["one block for its content", { content: text("saved") }, { ok: true, output: "saved" }],
    ["the data for its content", { content: rows }, { ok: true, output: rows }],
    ["structured content alone", { structuredContent: rows }, { ok: true, output: rows }],
    ["structured content that is a list", { content: [], structuredContent: [1, 2] }, { ok: true, output: [1, 2] }],
    [
      "data with a text for its content",
      { content: { text: "a", score: 3 } },
      { ok: true, output: { text: "a", score: 3 } },
    ],
    [
      "a block without a type and with more than a text",
      { content: [{ text: "a", score: 3 }] },
      { ok: true, output: expect.stringContaining('{"text":"a","score":3}') },
    ],
    [
      "structured content that is empty",
      { content: [text("saved")], structuredContent: {} },
      { ok: true, output: "saved" },
    ],
    ["the data without any envelope", { success: true, ...rows }, { ok: true, output: { success: true, ...rows } }],
    ["data beside an empty content", { content: [], ...rows }, { ok: true, output: rows }],
    ["the form of the first protocol", { toolResult: rows }, { ok: true, output: rows }],
    ["a bare text", "saved", { ok: true, output: "saved" }],
    ["a bare list", [1, 2, 3], { ok: true, output: [1, 2, 3] }],
    ["a bare list of blocks", [text("saved")], { ok: true, output: "saved" }],
    ["nothing at all", null, { ok: true, output: "" }],
    [
      "a picture without its type",
      { content: [{ type: "image", data: png, mimeType: null }] },
      { ok: true, parts: [{ type: "image", mimeType: "image/png", data: png }] },
    ],
    [
      "a picture as an address of data",
      { content: [{ type: "image", data: `data:image/gif;base64,${png}` }] },
      { ok: true, parts: [{ type: "image", mimeType: "image/gif", data: png }] },
    ],
    [
      "a resource without its content",
      { content: [{ type: "resource", resource: null }, text("saved")] },
      { ok: true, output: expect.stringContaining("saved") },
    ],
    [
      "a link without a name",
      { content: [{ type: "resource_link", uri: "a://b", name: null, description: null }] },
      { ok: true, output: "[resource a://b: a://b]" },
    ],
    ["an error without its envelope", { isError: true, reason: "full" }, { ok: false, output: { reason: "full" } }],
  ])("%s", async (_, result, expected) => {
    const { call, odd } = await startOdd({ result });
    expect(await call(act, {})).toMatchObject(expected);
    expect(odd.calls()).toHaveLength(1);
  });

  test("nested without end: the model hears that it ran, and the readable part", async () => {
    const deep = Array.from({ length: 500 }).reduce<object>((inner) => ({ inner }), {});
    const { call } = await startOdd({ result: { content: [text("saved")], structuredContent: deep } });
    expect(await call(act, {})).toMatchObject({ ok: true, output: expect.stringMatching(/^It ran;.*\n\nsaved$/) });
  });

  test("a bare text, a null and a stream over HTTP are read the same way", async () => {
    const bodies = [
      ["application/json", (id: unknown) => JSON.stringify({ jsonrpc: "2.0", id, error: null, result: "saved" })],
      [
        "text/event-stream",
        (id: unknown) =>
          `event: message\r\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result: ["saved", null] })}\r\n\r\n`,
      ],
      ["text/plain", (id: unknown) => JSON.stringify({ jsonrpc: "2.0", id, result: { content: "saved" } })],
      ["application/json", () => "not JSON"],
    ] as const;
    let calls = 0;
    const server = createServer((request, response) => {
      void (async () => {
        const pieces: Buffer[] = [];
        for await (const piece of request) pieces.push(piece as Buffer);
        if (request.method !== "POST") return response.writeHead(405).end();
        const { id, method, params } = JSON.parse(Buffer.concat(pieces).toString()) as {
          readonly id?: number;
          readonly method: string;
          readonly params?: { readonly protocolVersion?: string };
        };
        if (id === undefined) return response.writeHead(202).end();
        if (method === "tools/call") {
          const [type, write] = bodies[calls] ?? bodies[0];
          calls += 1;
          return response.writeHead(200, { "content-type": type }).end(write(id));
        }
        const result =
          method === "initialize"
            ? {
                protocolVersion: params?.protocolVersion,
                capabilities: { tools: { listChanged: null } },
                serverInfo: null,
              }
            : { tools: [{ name: "act" }], nextCursor: null };
        return response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      })();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const { call } = await startBridge({ odd: { url, type: "http" } });
    expect(await call(act, {})).toMatchObject({ ok: true, output: "saved" });
    expect(await call(act, {})).toMatchObject({ ok: true, output: ["saved", null] });
    expect(await call(act, {})).toMatchObject({ ok: true, output: "saved" });
    expect(await call(act, {})).toMatchObject({
      ok: false,
      error: expect.stringMatching(/it may have run, and the result could not be read.*do not call it again/),
    });
    server.closeAllConnections();
  });
});

describe("an error in place of a result", () => {
  test("an error of the server's own tells that something may have happened", async () => {
    const { call } = await startOdd({ error: { code: -32_603, message: "disk is full", data: null } });
    const answer = await call(act, {});
    expect(answer).toMatchObject({ ok: false, error: expect.stringMatching(/an error: disk is full.*may or may not/) });
  });

  test("an error about the request says that the server refused it", async () => {
    const { call } = await startOdd({ error: { code: -32_602, message: "no such room" } });
    expect(await call(act, {})).toMatchObject({ ok: false, error: "The server odd refused: no such room" });
  });

  test("an error about the server's own result says that something may have happened", async () => {
    const { call } = await startOdd({ error: { code: -32_602, message: "Output validation error: no rows" } });
    expect(await call(act, {})).toMatchObject({ ok: false, error: expect.stringContaining("may or may not") });
  });

  test("an error that is only a text counts as an error, too", async () => {
    const { call } = await startOdd({ error: "disk is full" });
    expect(await call(act, {})).toMatchObject({ ok: false, error: expect.stringContaining("disk is full") });
  });
});

describe("the same data as text and as structured content reaches the model once:", () => {
  const both = (structuredContent: unknown, ...texts: string[]) => ({
    content: texts.map((text) => ({ type: "text", text })),
    structuredContent,
  });
  test.each<[string, unknown, unknown]>([
    ["in another order and layout", both({ a: 1, b: [2] }, '{\n  "b": [ 2 ],\n  "a": 1.0\n}'), { a: 1, b: [2] }],
    ["with nulls left out of one", both({ a: 1, b: null }, '{"a":1}'), { a: 1, b: null }],
    ["a text in a wrapper", both({ result: "saved" }, "saved"), "saved"],
    ["a number in a wrapper", both({ result: 42 }, "42"), { result: 42 }],
    ["a list, one text for each item", both({ result: ["a", { b: 1 }] }, "a", '{"b":1}'), { result: ["a", { b: 1 }] }],
    ["in a fence", both(rows, '```json\n{"rows":[1,2,3]}\n```'), rows],
    [
      "with a sentence before it",
      both(rows, 'Three rows:\n{"rows":[1,2,3]}'),
      { text: "Three rows:", structured: rows },
    ],
    [
      "beside a text of its own",
      both(rows, "Three rows.", '{"rows":[1,2,3]}'),
      { text: "Three rows.", structured: rows },
    ],
    ["but other data stays", both(rows, '{"rows":[1]}'), { text: '{"rows":[1]}', structured: rows }],
  ])("%s", async (_, result, output) => {
    const { call } = await startOdd({ result });
    expect(await call(act, {})).toMatchObject({ ok: true, output });
  });
});

describe("a list of tools", () => {
  test("ends with a cursor that is null, empty or the same again", async () => {
    const tool = (name: string) => [{ name, inputSchema: { type: "object" } }];
    const { offered } = await startOdd({
      lists: {
        "": { tools: tool("one"), nextCursor: "2" },
        "2": { tools: tool("two"), nextCursor: "3" },
        "3": { tools: tool("three"), nextCursor: null, _meta: null },
      },
    });
    expect(offered()).toEqual(["mcp__odd__one", "mcp__odd__two", "mcp__odd__three"]);
  });

  test("keeps each tool that can be read, whatever the others leave out or get wrong", async () => {
    const { offered, bridge } = await startOdd({
      lists: {
        "": {
          tools: [
            { name: "bare" },
            { name: "nulls", description: null, inputSchema: null, annotations: null, outputSchema: null, title: null },
            { name: "untyped", inputSchema: { properties: { a: { type: "string" } }, required: null } },
            { name: "text", inputSchema: { type: "string" } },
            null,
            "a text",
            { description: "has no name" },
            { name: "good", inputSchema: { type: "object" } },
          ],
        },
      },
    });
    expect(offered()).toEqual(["bare", "nulls", "untyped", "good"].map((name) => `mcp__odd__${name}`));
    expect(bridge.views()[0]?.refused).toHaveLength(4);
  });

  test("a bare list as the result is accepted", async () => {
    const { offered } = await startOdd({ lists: { "": [{ name: "act" }] } });
    expect(offered()).toEqual([act]);
  });
});

test("resources, prompts and their contents are read with what they leave out", async () => {
  const { bridge } = await startOdd({
    answers: {
      "resources/list": { resources: [{ uri: "a://b", name: null, mimeType: null }, null], nextCursor: null },
      "resources/templates/list": { resourceTemplates: null },
      "resources/read": { contents: [{ uri: "a://b", text: "hello", mimeType: null, _meta: null }] },
      "prompts/list": {
        prompts: [{ name: "p", description: null, arguments: [{ name: "x", required: null }] }, { name: null }],
      },
      "prompts/get": { description: null, messages: [{ role: "user", content: "hello" }] },
    },
  });
  const signal = AbortSignal.timeout(patienceMs);
  const connection = await bridge.connect("odd", "cli:main", signal);
  expect(await connection?.listResources({ signal })).toEqual([
    { uri: "a://b", name: "a://b", description: "", mimeType: "" },
  ]);
  expect(await connection?.listResourceTemplates({ signal })).toEqual([]);
  expect(await connection?.readResource("a://b", { signal })).toEqual([
    { kind: "embedded", uri: "a://b", text: "hello" },
  ]);
  expect(await connection?.listPrompts({ signal })).toEqual([
    { name: "p", description: "", arguments: [{ name: "x", required: false }] },
  ]);
  expect(await connection?.getPrompt("p", {}, { signal })).toEqual([
    { role: "user", block: { kind: "text", text: "hello" } },
  ]);
});

describe("a greeting", () => {
  test.each(["refuses", "dies"] as const)(
    "a greeting with capabilities: the server %s, and the bridge greets again without",
    async (strict) => {
      const { call, offered } = await startOdd({ strict, result: { content: "done" } });
      expect(offered()).toEqual([act]);
      expect(await call(act, {})).toMatchObject({ ok: true, output: "done" });
    },
  );

  test("a greeting that declares nothing does not hide tools", async () => {
    const { offered } = await startOdd({ greeting: { capabilities: {}, serverInfo: { name: "odd", version: "1" } } });
    expect(offered()).toEqual([act]);
  });

  test("a greeting with nulls and flags and without a name is read", async () => {
    const greeting = {
      capabilities: { tools: true, logging: null, prompts: { listChanged: null } },
      instructions: null,
    };
    const { offered } = await startOdd({ greeting });
    expect(offered()).toEqual([act]);
  });
});

describe("a schema that model servers refuse", () => {
  const inputSchema = {
    type: "object",
    properties: {
      "uids[]": { type: "array", items: { type: "integer" } },
      name: { type: ["string", "null"], pattern: String.raw`^[\p{L}]+$` },
      limit: { type: "integer", default: 10, minimum: 0, exclusiveMinimum: true },
    },
    required: ["uids[]"],
  };
  const long = `Finds people. ${"Very well. ".repeat(1_000)}`;
  const manners = { lists: { "": { tools: [{ name: "act", description: long, inputSchema }] } }, result: "found" };

  test("the model sees a mended schema, and people approve what is sent: real names, with the defaults", async () => {
    const { call, find, odd } = await startOdd(manners);
    const tool = find(act);
    expect(tool.parameters).toMatchObject({
      properties: {
        uids: { type: "array" },
        name: { type: "string" },
        limit: { minimum: 0, description: "More than 0." },
      },
      required: ["uids"],
    });
    const sent = { "uids[]": [1, 2], limit: 10 };
    const parsed = parseArguments(tool, { uids: [1, 2] });
    expect(parsed).toEqual({ ok: true, input: sent });
    expect(tool.summarize(sent)).toBe(JSON.stringify(sent));
    expect(await call(act, { uids: [1, 2] })).toMatchObject({ ok: true, output: "found" });
    expect(await call(act, { uids: [1], limit: 0 })).toMatchObject({ ok: false });
    expect(odd.calls()).toEqual([sent]);
  });

  test("the owner sees what was mended, and a description that is too long is visibly cut", async () => {
    const { bridge, find } = await startOdd(manners);
    expect(bridge.views().map((view) => reportServer(view).tools)).toEqual([
      [expect.objectContaining({ mended: ["exclusiveMinimum", "minimum", "pattern", "properties", "type"] })],
    ]);
    expect(find(act).description.en).toMatch(/ … \[7014 more characters cut\]$/);
  });
});
