import { describe, expect, it } from "vitest";
import { startFakeBotApi } from "../../support/telegram/fake-bot-api.ts";
import { startTelegram } from "../../support/telegram/start-telegram.ts";

describe("supervision", () => {
  it("starts without a network and comes up when there is one", async () => {
    await using fake = await startFakeBotApi();
    fake.failNext("getMe", { kind: "drop", taken: false }, 3);
    fake.failNext("deleteWebhook", { kind: "answer", status: 502, description: "Bad Gateway" });
    await using telegram = await startTelegram(fake);
    await fake.waitFor(() => telegram.channel.health().state === "degraded", "bad health");
    expect(telegram.channel.health().detail).toContain("cannot be reached");
    fake.sendText({ chat: 42, text: "a" });
    await fake.waitFor(() => telegram.events().length === 1, "the message");
    expect(telegram.channel.health().state).toBe("ready");
  });

  it("keeps trying after 409, shows it, and loses nothing", async () => {
    await using fake = await startFakeBotApi();
    fake.failNext(
      "getUpdates",
      { kind: "answer", status: 409, description: "Conflict: terminated by other getUpdates request" },
      2,
    );
    await using telegram = await startTelegram(fake);
    fake.sendText({ chat: 42, text: "a" });
    await fake.waitFor(() => telegram.channel.health().state === "degraded", "bad health");
    expect(telegram.channel.health().detail).toMatch(/409.*trying again in 0\.0[36] s.*its own token/);
    await fake.waitFor(() => telegram.events().length === 1, "the message");
    expect(fake.callsOf("deleteWebhook").length).toBeGreaterThan(1);
    fake.sendText({ chat: 42, text: "b" });
    await fake.waitFor(() => telegram.events().length === 2, "the next message");
    await fake.waitFor(() => telegram.channel.health().state === "ready", "good health");
  });

  it("two receivers end each other's request, and every update is stored by one of them at least", async () => {
    await using fake = await startFakeBotApi();
    await using one = await startTelegram(fake);
    await fake.waitFor(() => one.channel.health().state === "ready", "the first receiver");
    await using two = await startTelegram(fake);
    await fake.waitForCall(({ status }) => status === 409);
    for (let number = 0; number < 5; number += 1) fake.sendText({ chat: 42, text: String(number) });
    const keys = () => new Set([...one.events(), ...two.events()].map(({ key }) => key));
    await fake.waitFor(() => keys().size === 5, "all updates");
    expect(fake.callsOf("getUpdates").some(({ status }) => status === 409)).toBe(true);
  });

  it.each([
    ["a refused token", "123456789:AnotherToken", "401"],
    ["no token at all", "nonsense", "no bot token"],
  ])("stops with a remedy: %s", async (_, token, words) => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake, { token });
    await fake.waitFor(() => telegram.channel.health().state === "failed", "the failure");
    expect(telegram.channel.health().detail).toContain(words);
    expect(telegram.channel.health().detail).toContain("@BotFather");
    expect(fake.calls.length).toBeLessThanOrEqual(1);
  });

  it("stops when the token is revoked while it runs", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake, { pollTimeoutSeconds: 1 });
    await fake.waitFor(() => telegram.channel.health().state === "ready", "good health");
    fake.failNext("getUpdates", { kind: "answer", status: 401, description: "Unauthorized" });
    fake.sendText({ chat: 42, text: "a" });
    await fake.waitFor(() => telegram.channel.health().state === "failed", "the failure");
    expect(telegram.channel.health().detail).toContain("401");
  });

  it("waits as long as a 429 says", async () => {
    await using fake = await startFakeBotApi();
    fake.failNext("getUpdates", {
      kind: "answer",
      status: 429,
      description: "Too Many Requests: retry after 1",
      parameters: { retry_after: 1 },
    });
    const started = performance.now();
    await using telegram = await startTelegram(fake);
    fake.sendText({ chat: 42, text: "a" });
    await fake.waitFor(() => telegram.events().length === 1, "the message");
    expect(performance.now() - started).toBeGreaterThan(900);
  });

  it("gives up a half-dead connection", async () => {
    await using fake = await startFakeBotApi();
    fake.failNext("getUpdates", { kind: "hang" });
    await using telegram = await startTelegram(fake, { watchdogMs: 150 });
    fake.sendText({ chat: 42, text: "a" });
    await fake.waitFor(() => telegram.channel.health().state === "degraded", "bad health");
    expect(telegram.channel.health().detail).toContain("no answer to getUpdates");
    await fake.waitFor(() => telegram.events().length === 1, "the message");
  });

  it("survives answers that are not the Bot API's", async () => {
    await using fake = await startFakeBotApi();
    fake.failNext("getMe", { kind: "answer", status: 503 }, 2);
    fake.failNext("getUpdates", { kind: "drop", taken: true });
    await using telegram = await startTelegram(fake);
    fake.sendText({ chat: 42, text: "a" });
    await fake.waitFor(() => telegram.events().length === 1, "the message");
    expect(telegram.channel.health().state).toBe("ready");
  });

  it("never writes the token into a log line or the health", async () => {
    await using fake = await startFakeBotApi();
    for (const method of ["getMe", "getUpdates", "sendMessage"]) {
      fake.failNext(method, { kind: "drop", taken: false });
      fake.failNext(method, { kind: "answer", status: 502 });
    }
    await using telegram = await startTelegram(fake, { apiRoot: fake.url });
    const details: string[] = [];
    await fake.waitFor(() => {
      details.push(telegram.channel.health().detail);
      return telegram.channel.health().state === "ready";
    }, "good health");
    const [, secret = ""] = fake.token.split(":");
    expect(telegram.logLines.length).toBeGreaterThan(3);
    expect([...telegram.logLines, ...details].join("\n")).not.toContain(secret);
  });

  it("refuses to be started twice", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    await expect(
      telegram.channel.start(
        async () => {},
        () => {},
      ),
    ).rejects.toThrow("started twice");
  });
});
