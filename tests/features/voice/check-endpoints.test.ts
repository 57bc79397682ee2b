import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { checkEndpoints } from "../../../src/features/voice/check-endpoints.ts";

async function startServer(status: number): Promise<{ readonly baseUrl: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

test("servers for voice are asked for their models once, and nothing else", async () => {
  const [good, refusing] = [await startServer(200), await startServer(401)];
  const [heard, spoken] = await checkEndpoints({
    transcription: { baseUrl: good.baseUrl, apiKey: "key" },
    speech: { baseUrl: refusing.baseUrl, model: "tts-1", voice: "nova" },
  });
  expect(heard).toMatchObject({ state: "ok", detail: expect.stringContaining("answers") });
  expect(spoken).toMatchObject({ state: "broken", detail: expect.stringContaining("SPEECH_BASE_URL") });
  expect(good.asked).toEqual(["GET /v1/models Bearer key"]);
  expect(refusing.asked).toEqual(["GET /v1/models undefined"]);
});

test("a server for voice that is not there is broken, and none at all is off", async () => {
  const [heard, spoken] = await checkEndpoints({ transcription: { baseUrl: "http://127.0.0.1:1/v1" } });
  expect(heard).toMatchObject({ state: "broken", detail: expect.stringContaining("TRANSCRIBE_BASE_URL") });
  expect(spoken).toMatchObject({ state: "ok", detail: expect.stringContaining("off. Set SPEECH_BASE_URL") });
});
