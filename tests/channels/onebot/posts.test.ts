import { createHmac } from "node:crypto";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startOneBotChannel, type RunningOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";

const token = "the-right-canary-token";
const event = {
  time: 1_746_673_640,
  self_id: 10001,
  post_type: "message",
  message_type: "private",
  sub_type: "friend",
  message_id: 5,
  user_id: 20001,
  message: "你好",
  sender: { nickname: "冈部" },
};

function post(onebot: RunningOneBotChannel, body: string, headers: Record<string, string> = {}) {
  const signature = `sha1=${createHmac("sha1", token).update(body).digest("hex")}`;
  const usual = { "content-type": "application/json", "x-self-id": "10001", "x-signature": signature };
  return fetch(onebot.eventUrl, { method: "POST", body, headers: { ...usual, ...headers } });
}

describe("events by HTTP", () => {
  it("the endpoint answers events with an empty 204 once they are stored", async () => {
    const stored = Promise.withResolvers<void>();
    await using onebot = await startOneBotChannel({ accessToken: token, store: () => stored.promise });
    let status = 0;
    const posting = post(onebot, JSON.stringify(event)).then(async (response) => {
      status = response.status;
      return response.text();
    });
    expect(status).toBe(0);
    stored.resolve();
    expect(await posting).toBe("");
    expect(status).toBe(204);
    expect(onebot.messages()).toMatchObject([{ text: "你好", address: { account: "10001", chat: "private:20001" } }]);
  });

  it("the endpoint verifies the signature over the bytes as they came", async () => {
    await using onebot = await startOneBotChannel({ accessToken: token });
    const spaced = JSON.stringify(event, null, 4);
    expect((await post(onebot, spaced)).status).toBe(204);
    expect(onebot.messages()).toHaveLength(1);
  });

  it.each<[string, number, Record<string, string>]>([
    ["no signature", 401, { "x-signature": "" }],
    ["a wrong signature", 403, { "x-signature": `sha1=${"0".repeat(40)}` }],
    ["half a signature", 403, { "x-signature": "sha1=00" }],
    ["a signature that is none", 403, { "x-signature": "nonsense" }],
    ["no account", 400, { "x-self-id": "" }],
  ])("the endpoint refuses events: %s", async (_, status, headers) => {
    await using onebot = await startOneBotChannel({ accessToken: token });
    expect((await post(onebot, JSON.stringify(event), headers)).status).toBe(status);
    expect(onebot.events).toEqual([]);
  });

  it("the endpoint refuses an event when another body was signed", async () => {
    await using onebot = await startOneBotChannel({ accessToken: token });
    const signature = `sha1=${createHmac("sha1", token).update("{}").digest("hex")}`;
    expect((await post(onebot, JSON.stringify(event), { "x-signature": signature })).status).toBe(403);
  });

  it("the endpoint refuses events above 1 MB", async () => {
    await using onebot = await startOneBotChannel({ accessToken: token });
    expect((await post(onebot, "x".repeat(1024 * 1024 + 1))).status).toBe(413);
  });

  /** Word for word, over a connection of our own: `fetch` will not send what is wrong. */
  async function sendRaw(onebot: RunningOneBotChannel, signed: string, framing: string, parts: readonly string[]) {
    const { hostname, port, pathname } = new URL(onebot.eventUrl);
    const signature = `sha1=${createHmac("sha1", token).update(signed).digest("hex")}`;
    const head =
      `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Self-Id: 10001\r\nX-Signature: ${signature}\r\n` +
      `Connection: close\r\n${framing}\r\n\r\n`;
    const socket = connect(Number(port), hostname);
    for (const part of [head, ...parts]) {
      if (socket.writable) socket.write(part);
      await setImmediate();
    }
    const answer = await text(socket);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  }
  const chunk = (piece: string) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`;
  const body = JSON.stringify(event);

  it("the endpoint takes chunked events and verifies them over all chunks", async () => {
    await using onebot = await startOneBotChannel({ accessToken: token });
    const chunks = [body.slice(0, 50), body.slice(50)].map(chunk);
    expect(await sendRaw(onebot, body, "Transfer-Encoding: chunked", [...chunks, "0\r\n\r\n"])).toBe(204);
    expect(onebot.messages()).toHaveLength(1);
    expect(await sendRaw(onebot, "{}", "Transfer-Encoding: chunked", [...chunks, "0\r\n\r\n"])).toBe(403);
    expect(onebot.messages()).toHaveLength(1);
  });

  it("the endpoint refuses chunked events above 1 MB before the last chunk", async () => {
    await using onebot = await startOneBotChannel({ accessToken: token });
    const chunks = Array.from({ length: 5 }, () => chunk("x".repeat(256 * 1024)));
    expect(await sendRaw(onebot, body, "Transfer-Encoding: chunked", chunks)).toBe(413);
  });

  it.each([
    ["a chunk without a length", "Transfer-Encoding: chunked", ["nonsense\r\n"]],
    ["two framings", `Transfer-Encoding: chunked\r\nContent-Length: ${body.length}`, [chunk(body), "0\r\n\r\n"]],
    ["no JSON", "Content-Length: 7", ["{broken"]],
  ])("the endpoint refuses malformed events: %s", async (_, framing, parts) => {
    await using onebot = await startOneBotChannel({ accessToken: token });
    expect(await sendRaw(onebot, parts[0] === "{broken" ? "{broken" : body, framing, parts)).toBe(400);
    expect(onebot.events).toEqual([]);
  });

  it.each([["null"], [JSON.stringify({ ...event, self_id: 10002 })], [JSON.stringify({ ...event, user_id: {} })]])(
    "the endpoint answers 204 to events that need nothing and stores none: %s",
    async (body) => {
      await using onebot = await startOneBotChannel({ accessToken: token });
      expect((await post(onebot, body)).status).toBe(204);
      expect(onebot.events).toEqual([]);
    },
  );

  it("come again later when they could not be stored, or the channel does not run", async () => {
    await using onebot = await startOneBotChannel({
      accessToken: token,
      store: async () => {
        throw new Error("no space left on device");
      },
    });
    expect((await post(onebot, JSON.stringify(event))).status).toBe(503);
    await onebot.channel.stop();
    expect((await post(onebot, JSON.stringify(event))).status).toBe(503);
  });
});
