import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { serveHttp } from "../../../../src/features/mcp/cli/serve-http.ts";
import type { ServedBackend } from "../../../../src/features/mcp/serving/protocol-server.ts";

const token = "canary-conformance-0123456789";
const picture = {
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
};
const sound = { mimeType: "audio/wav", data: Buffer.from("RIFF$\0\0\0WAVEfmt ").toString("base64") };

/** The tools that the suite calls, behind the product's own serving. */
const tools: Readonly<Record<string, Awaited<ReturnType<ServedBackend["call"]>>>> = {
  test_simple_text: { ok: true, data: "This is a simple text response for testing.", meta: {}, media: [] },
  test_image_content: { ok: true, meta: {}, media: [picture] },
  test_audio_content: { ok: true, meta: {}, media: [sound] },
  test_error_handling: {
    ok: false,
    error: "This tool intentionally returns an error for testing",
    meta: {},
    media: [],
  },
  json_schema_2020_12_tool: { ok: true, meta: {}, media: [] },
};
const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
  additionalProperties: false,
} as const;

const backend: ServedBackend = {
  list: async () =>
    Object.keys(tools).map((name) => {
      const inputSchema = name === "json_schema_2020_12_tool" ? schema : { type: "object" };
      return {
        name,
        description: `For the suite: ${name}`,
        inputSchema,
        readOnly: true,
        idempotent: true,
        open: false,
      };
    }),
  async call(name) {
    const answer = tools[name];
    if (answer === undefined) throw new Error(`no tool ${name}`);
    return answer;
  },
};

/** Our serving over HTTP. The suite cannot send a token, so it comes through a door that adds it and changes nothing else. */
export async function serveSubject(): Promise<string> {
  const door = createServer((incoming, outgoing) => {
    const { host = "", ...headers } = incoming.headers;
    const asked = request({ host: "127.0.0.1", port, path: incoming.url, method: incoming.method }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    for (const [name, value = ""] of Object.entries(headers)) asked.setHeader(name, value);
    asked.setHeader("host", host.replace(`:${doorPort}`, `:${port}`));
    asked.setHeader("authorization", `Bearer ${token}`);
    asked.on("error", () => outgoing.destroy());
    outgoing.on("close", () => asked.destroy());
    incoming.pipe(asked);
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const { port: doorPort } = door.address() as AddressInfo;
  const origins = ["127.0.0.1", "localhost"].map((name) => `http://${name}:${doorPort}`);
  const wish = { host: "127.0.0.1", port: 0, token, hosts: [], origins };
  const served = await serveHttp(backend, { name: "kurisu-test", version: "1" }, wish, pino({ level: "silent" }));
  const { port } = new URL(served.url);
  onTestFinished(async () => {
    door.closeAllConnections();
    door.close();
    await served.stop();
  });
  return `http://127.0.0.1:${doorPort}/mcp`;
}
