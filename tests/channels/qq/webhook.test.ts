import { createPrivateKey, sign } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { createWebhookSignature } from "../../../src/channels/qq/webhook-signature.ts";
import { startFakeQqBot, type FakeQqBot } from "../../support/qq/fake-qq-bot.ts";
import { startQqChannel } from "../../support/qq/start-qq-channel.ts";

const secret = "DG5g3B4j9X2KOErG";
const message = (id: string) => ({
  op: 0,
  id: `C2C_MESSAGE_CREATE:${id}`,
  t: "C2C_MESSAGE_CREATE",
  d: { id, content: "你好", timestamp: new Date().toISOString(), author: { user_openid: "A" } },
});

async function start(options: Parameters<typeof startQqChannel>[2] = {}) {
  const fake = await startFakeQqBot({ secret });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const running = await startQqChannel(fake, "webhook", options);
  onTestFinished(() => running[Symbol.asyncDispose]());
  return { fake, ...running };
}

/** A request as somebody else would make it. */
async function post(
  url: string,
  body: string | object,
  how: { signed?: boolean; secret?: string; ageMs?: number; signature?: string; timestamp?: string } = {},
): Promise<{ status: number; body: string }> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const timestamp = how.timestamp ?? String(Math.floor((Date.now() - (how.ageMs ?? 0)) / 1_000));
  const seed = (how.secret ?? secret).repeat(3).slice(0, 32);
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.from(seed)]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const signature = how.signature ?? sign(null, Buffer.from(timestamp + text), key).toString("hex");
  const headers = { "x-signature-timestamp": timestamp, "x-signature-ed25519": signature };
  const answer = await fetch(url, { method: "POST", body: text, ...(how.signed !== false && { headers }) });
  return { status: answer.status, body: await answer.text() };
}

describe("the signature", () => {
  test("the signature equals Tencent's own example of the handshake", () => {
    const expected =
      "87befc99c42c651b3aac0278e71ada338433ae26fcb24307bdc5ad38c1adc2d01bcfcadc0842edac85e85205028a1132afe09280305f13aa6909ffc2d652c706";
    expect(createWebhookSignature(secret).sign("1725442341Arq0D5A61EgUu4OxUvOp")).toBe(expected);
  });

  test.each([
    ["none", { signed: false }],
    ["another secret's", { secret: "somebody-else-0123" }],
    ["an old one", { ageMs: 6 * 60_000 }],
    ["one of the future", { ageMs: -6 * 60_000 }],
    ["no hexadecimal", { signature: "z".repeat(128) }],
    ["an empty one", { signature: "" }],
    ["half of one", { signature: "ab".repeat(32) }],
    ["no time", { timestamp: "" }],
    ["a time that is none", { timestamp: "1e9" }],
  ])("%s lets no event in", async (_, how) => {
    const { webhookUrl, events } = await start();
    expect((await post(webhookUrl, message("m1"), how)).status).toBe(401);
    expect(events).toEqual([]);
    expect(await post(webhookUrl, message("m1"))).toEqual({ status: 200, body: '{"op":12}' });
    expect(events).toHaveLength(1);
  });

  test("covers the bytes as they came, not what they mean", async () => {
    const { webhookUrl, events } = await start();
    const body = JSON.stringify(message("m2")).replace('"op":0', ' "op" : 0');
    expect((await post(webhookUrl, body)).status).toBe(200);
    expect(events).toHaveLength(1);
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createWebhookSignature(secret).sign(timestamp + JSON.stringify(message("m3")));
    const other = JSON.stringify(message("m4"));
    expect((await post(webhookUrl, other, { timestamp, signature })).status).toBe(401);
  });
});

describe("the handshake", () => {
  const question = (plain_token: unknown, event_ts: unknown = "1725442341") => ({
    op: 13,
    d: { plain_token, event_ts },
  });

  test("the webhook answers the handshake, signed or not", async () => {
    const { webhookUrl } = await start();
    for (const how of [{}, { signed: false }]) {
      const answer = await post(webhookUrl, question("Arq0D5A61EgUu4OxUvOp"), how);
      expect(JSON.parse(answer.body)).toMatchObject({
        plain_token: "Arq0D5A61EgUu4OxUvOp",
        signature: /^87befc99/ as never,
      });
    }
  });

  test("signs nothing that could be an event", async () => {
    const { webhookUrl } = await start();
    const forged = JSON.stringify(message("forged"));
    for (const body of [question(forged), question("a", `1${forged}`), question(""), question("a b"), question(7)]) {
      const answer = await post(webhookUrl, body, { signed: false });
      expect(answer).toEqual({ status: 401, body: "" });
    }
    expect((await post(webhookUrl, question("abc"), { secret: "somebody-else-0123" })).status).toBe(401);
  });
});

test("an event that is not stored is not taken: it comes again, and counts once", async () => {
  let full = 2;
  const { fake, webhookUrl, messages, channel } = await start({
    async beforeStoring() {
      if (full-- > 0) throw new Error("the disk is full");
    },
  });
  expect((await post(webhookUrl, message("m5"))).status).toBe(503);
  expect(channel.health()).toMatchObject({
    state: "degraded",
    detail: expect.stringContaining("disk is full") as string,
  });
  fake.say({ chat: "private:A", from: { id: "A" }, text: "在吗" });
  await fake.waitFor(() => messages().length === 1, "the message");
  await fake.waitFor(() => channel.health().state === "ready", "health");
});

test("hostile bodies are refused or taken for nothing, and nothing breaks", async () => {
  const { webhookUrl, events, channel } = await start();
  for (const body of ["", "{"]) expect((await post(webhookUrl, body)).status).toBe(400);
  const bodies = ["null", "[]", '"x"', "{}", '{"op":0}', '{"op":0,"t":5}', '{"op":0,"t":"__proto__","d":{}}'];
  for (const body of bodies) expect((await post(webhookUrl, body)).status).toBe(200);
  expect((await post(webhookUrl, "x".repeat(1_100_000))).status).toBe(413);
  expect((await post(webhookUrl, { op: 0, t: "C2C_MESSAGE_CREATE", d: { id: 1 } })).status).toBe(200);
  expect(events).toEqual([]);
  await channel.stopReceiving();
  expect((await post(webhookUrl, message("m6"))).status).toBe(503);
});

test("no secret and no token is ever logged", async () => {
  const fake: FakeQqBot = await startFakeQqBot({ secret: "canary-QQ-secret-0123" });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const running = await startQqChannel(fake, "webhook");
  await fake.waitFor(() => running.channel.health().state === "ready", "the channel");
  fake.expireTokens();
  fake.failNext(/@me/, { kind: "refuse", status: 401, code: 11244 });
  await post(running.webhookUrl, message("m7"), { secret: "somebody-else-0123" });
  await running[Symbol.asyncDispose]();
  expect(running.logged.join("")).not.toMatch(/canary-QQ-secret|token-\d+-/);
});
