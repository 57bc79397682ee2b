import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createBotApi, createTokenScrubber } from "../../../src/channels/telegram/bot-api.ts";
import { startFakeBotApi } from "../../support/telegram/fake-bot-api.ts";

const log = pino({ level: "silent" });
const limits = { timeoutMs: 20_000 };

describe("the one way to the Bot API", () => {
  it.each([
    [{ url: "http://127.0.0.1:1/" }],
    [{ source: "/etc/passwd" }],
    [{ media: { source: "/etc/passwd" } }],
    [[{ media: { url: "http://127.0.0.1:1/" } }]],
  ])("never lets %j out: telegraf would fetch or read it", async (value) => {
    await using fake = await startFakeBotApi();
    const api = createBotApi({ token: fake.token, apiRoot: fake.url, log });
    const payload = { chat_id: 42, text: "x", extra: value };
    await expect(api.call("sendMessage", payload, limits)).rejects.toThrow("must not carry files");
    expect(fake.calls).toEqual([]);
  });

  it("sends nested options as JSON", async () => {
    await using fake = await startFakeBotApi();
    fake.openChat(42);
    const api = createBotApi({ token: fake.token, apiRoot: fake.url, log });
    const payload = {
      chat_id: 42,
      text: "a b",
      entities: [{ type: "text_link" as const, offset: 0, length: 1, url: "https://x.y" }],
      link_preview_options: { is_disabled: true, url: "https://x.y" },
      reply_parameters: { message_id: 1, allow_sending_without_reply: true },
    };
    expect(await api.call("sendMessage", payload, limits)).toMatchObject({ kind: "ok" });
    expect(fake.calls[0]?.payload).toEqual(payload);
  });

  it("keeps the path of the server's address", async () => {
    await using fake = await startFakeBotApi();
    const api = createBotApi({ token: fake.token, apiRoot: `${fake.url}/telegram`, log });
    expect(await api.call("getMe", {}, limits)).toMatchObject({ kind: "unauthorized", status: 404 });
    const plain = createBotApi({ token: fake.token, apiRoot: fake.url, log });
    expect(await plain.call("getMe", {}, limits)).toMatchObject({ kind: "ok" });
  });

  it("gives up in time, and when asked to", async () => {
    await using fake = await startFakeBotApi();
    const api = createBotApi({ token: fake.token, apiRoot: fake.url, log });
    fake.failNext("getMe", { kind: "hang" }, 2);
    expect(await api.call("getMe", {}, { timeoutMs: 50 })).toEqual({
      kind: "unreachable",
      reason: "no answer to getMe within 0.05 s",
    });
    const stop = new AbortController();
    const running = api.call("getMe", {}, { timeoutMs: 5_000, signal: stop.signal });
    stop.abort();
    expect(await running).toEqual({ kind: "stopped" });
    expect(await api.call("getMe", {}, { timeoutMs: 5_000, signal: stop.signal })).toEqual({ kind: "stopped" });
  });

  it("names failures without the token", async () => {
    await using fake = await startFakeBotApi();
    const api = createBotApi({ token: fake.token, apiRoot: "http://127.0.0.1:1", log });
    const answer = await api.call("getMe", {}, limits);
    expect(answer).toMatchObject({ kind: "unreachable" });
    expect(JSON.stringify(answer)).not.toContain(fake.token.split(":")[1]);
  });
});

describe("createTokenScrubber", () => {
  it("takes every spelling out", () => {
    const scrub = createTokenScrubber("123:abc_DEF");
    expect(scrub("invalid json at https://x/bot123:abc_DEF/getMe and /bot123%3Aabc_DEF/ and abc_DEF")).toBe(
      "invalid json at https://x/bot[token]/getMe and /bot[token]/ and [token]",
    );
    expect(scrub(`another bot987654:${"x".repeat(35)} too`)).toBe("another bot[token] too");
  });
});
