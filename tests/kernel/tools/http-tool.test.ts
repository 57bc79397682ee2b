import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHttpTool } from "../../../src/kernel/tools/create-http-tool.ts";
import { fillAddress } from "../../../src/kernel/tools/fill-template.ts";
import { httpToolOptions } from "../../../src/kernel/tools/http-tool-options.ts";
import { findLevel } from "../../../src/kernel/gate/permission.ts";
import { parseArguments } from "../../../src/kernel/gate/parse-arguments.ts";
import { describeTool } from "../../../src/kernel/tools/describe-tool.ts";
import { sendStatus, startRawServer } from "../../support/models/start-raw-server.ts";
import { createToolContext } from "../../support/tool-context.ts";

const context = createToolContext();
const rules = { permissions: {}, rules: [], exclude: [] };

const declare = (url: string, more: object = {}) =>
  httpToolOptions.parse({
    description: "Lamps",
    endpoint: `${url}/rooms/{room}/lamp`,
    method: "POST",
    headers: { authorization: "Bearer k" },
    query: { by: "kurisu" },
    body: { on: "{on}", level: "{level}", note: "for {room}" },
    arguments: {
      room: { description: "Room" },
      on: { type: "boolean", description: "On or off" },
      level: { type: "integer", description: "Brightness", default: 50 },
    },
    output: "lamp.state",
    ...more,
  });

describe("a tool declared as a request", () => {
  it("asks exactly what was declared, with the arguments in their places, and gives the part of the answer", async () => {
    await using server = await startRawServer(sendStatus(200, { lamp: { state: { on: true } } }));
    const tool = createHttpTool("lamp", declare(server.url));
    const parsed = parseArguments(tool, { room: "客厅/1?x", on: true });
    expect(parsed).toMatchObject({ ok: true, input: { level: 50 } });
    const input = tool.input.parse({ room: "客厅/1?x", on: true });
    expect(await tool.run(input, context)).toMatchObject({ ok: true, output: { on: true } });
    const path = `/rooms/${encodeURIComponent("客厅/1?x")}/lamp?by=kurisu`;
    expect(server.seen).toMatchObject([
      { path, headers: { authorization: "Bearer k" }, body: { on: true, level: 50, note: "for 客厅/1?x" } },
    ]);
    expect(tool.detail?.(input, "zh")).toBe(
      `POST ${server.url}${path}\n${JSON.stringify({ on: true, level: 50, note: "for 客厅/1?x" }, null, 2)}`,
    );
  });

  it("a GET request is safe and any other needs approval, and the results of both are untrusted", () => {
    const post = createHttpTool("lamp", declare("http://h"));
    const get = createHttpTool("lamp", declare("http://h", { method: "GET" }));
    expect([findLevel(post, rules), findLevel(get, rules)]).toEqual(["confirm", "safe"]);
    expect([post.taint, post.readOnly, get.readOnly, post.source]).toEqual(["untrusted", false, true, "http"]);
  });

  it("the model sees the tool's arguments as declared", () => {
    const offered = describeTool(createHttpTool("lamp", declare("http://h")), "zh");
    expect(offered).toMatchObject({
      description: "Lamps",
      parameters: {
        properties: { level: { type: "integer", default: 50 } },
        required: ["room", "on"],
        additionalProperties: false,
      },
    });
  });

  it.each([
    ["a refusal", sendStatus(403, { error: "no" }), { ok: false, error: expect.stringMatching(/answered 403/) }],
    [
      "no JSON",
      (response: { end: (text: string) => void }) => response.end("<p>"),
      { ok: false, error: expect.stringMatching(/but no JSON/) },
    ],
    ["another shape", sendStatus(200, { lamp: [] }), { ok: false, error: expect.stringMatching(/has no lamp\.state/) }],
    ["a redirect, which is not followed", sendStatus(302, {}, { location: "http://127.0.0.1:1/" }), { ok: false }],
  ])("%s is a sentence, no fault", async (_, answer, expected) => {
    await using server = await startRawServer(answer);
    const tool = createHttpTool("lamp", declare(server.url));
    expect(await tool.run(tool.input.parse({ room: "a", on: false }), context)).toMatchObject(expected);
    expect(server.seen).toHaveLength(1);
  });

  it("never leaves the declared host and path, whatever an argument holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (room) => {
        const url = fillAddress("http://lamps.example:81/rooms/{room}/lamp", {}, { room: room.toWellFormed() });
        const left =
          url === undefined ||
          (url.host === "lamps.example:81" &&
            /^\/rooms\/[^/]+\/lamp$/.test(url.pathname) &&
            url.search === "" &&
            url.username === "");
        expect(left).toBe(true);
      }),
      { numRuns: 2_000, examples: [[".."], ["."], [""], ["%2e%2e"], ["../.."], ["@evil"], ["\\..\\"], ["?a#b"]] },
    );
  });

  it.each([
    ["an argument in the host", { endpoint: "http://{room}/x" }],
    ["a file", { endpoint: "file:///etc/passwd" }],
    ["an argument nobody declared", { body: { x: "{other}" } }],
    [
      "a default of another type",
      { arguments: { room: { description: "r", default: 3 }, on: { description: "o" }, level: { description: "l" } } },
    ],
    ["an output that is no path", { output: "a..b" }],
  ])("refuses %s", (_, more) => {
    expect(() => declare("http://h", more)).toThrow(/"path"/);
  });
});
