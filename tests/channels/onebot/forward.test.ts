import { describe, expect, it } from "vitest";
import { startFakeOneBot } from "../../support/onebot/fake-onebot.ts";
import { onlyPart, outbound, startOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";

describe("forward WebSocket", () => {
  it("receives and answers, in a private chat and in a group", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token });
    await fake.waitForConnection();
    const { messageId } = fake.say({ chat: "private:20001", from: { id: 20001, name: "冈部" }, text: "你好" });
    await fake.waitFor(() => onebot.messages().length === 1, "the message");
    expect(onebot.messages()[0]).toMatchObject({
      key: `message:private:20001:${messageId}`,
      address: { platform: "qq", account: String(fake.selfId), chat: "private:20001", thread: null },
      sender: { id: "20001", name: "冈部", kind: "person" },
      text: "你好",
    });
    const from = { id: 20002, name: "真由理" };
    const asked = fake.say({ chat: "group:30001", from, at: [fake.selfId], text: "嘟嘟噜" });
    await fake.waitFor(() => onebot.messages().length === 2, "the group message");
    expect(onebot.messages()[1]).toMatchObject({ address: { chat: "30001" }, text: "嘟嘟噜", addressed: true });

    const { channel } = onebot;
    const sent = await channel.send(outbound(fake.selfId, "private:20001", "**你好**"), onlyPart("**你好**"));
    expect(sent).toMatchObject({ kind: "sent" });
    expect(fake.botMessages("private:20001").map(({ text }) => text)).toEqual(["你好"]);
    const reply = outbound(fake.selfId, "30001", "嗯", { replyTo: String(asked.messageId) });
    expect(await channel.send(reply, onlyPart("嗯"))).toMatchObject({ kind: "sent" });
    expect(fake.botMessages("group:30001")).toMatchObject([{ text: "嗯", replyTo: asked.messageId }]);
    expect(fake.handshakes[0]).toMatchObject({ headers: { authorization: `Bearer ${fake.token}` } });
    expect(fake.violations).toEqual([]);
  });

  it("asks who is there and shows it", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token });
    for (const action of ["get_login_info", "get_status", "get_version_info"]) {
      await fake.waitForCall((call) => call.action === action);
    }
    await expect.poll(() => onebot.channel.health().detail).toMatch(/\(10001\) through NapCat\S* \S+/);
    expect(onebot.channel.health().state).toBe("ready");
  });

  it("knows its account from an event where get_login_info is missing, and the other way round", async () => {
    await using fake = await startFakeOneBot();
    fake.disabled.add("get_login_info");
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token });
    await expect.poll(() => onebot.channel.health().state).toBe("ready");
  });

  it("comes back after the connection broke, again and again", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token });
    for (const round of [1, 2, 3]) {
      await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
      fake.say({ chat: "private:20001", text: `第${round}次` });
      await fake.waitFor(() => onebot.messages().length === round, "the message");
      if (round === 2) fake.close(1001);
      else fake.cut();
      await fake.waitFor(() => fake.handshakes.length === round + 1, "a new connection");
    }
    expect(onebot.logged.filter((line) => line.includes("connection of a QQ account ended"))).toHaveLength(3);
  });

  it("starts while nothing listens, says so, and comes up", async () => {
    await using fake = await startFakeOneBot();
    fake.down();
    await using onebot = await startOneBotChannel({ url: `${fake.url}/?access_token=${fake.token}` });
    await fake.waitFor(() => onebot.channel.health().state === "degraded", "bad health");
    const { detail } = onebot.channel.health();
    expect(detail).toContain("cannot be reached");
    expect(detail.split("Start NapCat")).toHaveLength(2);
    expect(detail).not.toContain(fake.token);
    fake.up();
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    expect(onebot.logged.join("")).not.toContain(fake.token);
  });

  it.each(["napcat", "401"] as const)("a refused token is told and not hammered at (%s)", async (badToken) => {
    await using fake = await startFakeOneBot({ badToken });
    const token = "another-canary-token";
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: token,
      reconnect: { firstMs: 1, maxMs: 2, refusedMs: 60_000 },
    });
    await fake.waitFor(() => onebot.channel.health().state === "failed", "the failure");
    expect(onebot.channel.health().detail).toContain("ONEBOT_ACCESS_TOKEN");
    expect(onebot.channel.health().detail).toMatch(badToken === "401" ? /401/ : /1403/);
    const ends = onebot.logged.filter((line) => line.includes("pauseMs"));
    expect(ends).toHaveLength(1);
    expect((JSON.parse(ends[0] ?? "") as { pauseMs: number }).pauseMs).toBeGreaterThanOrEqual(45_000);
    expect(fake.handshakes).toHaveLength(1);
    expect([...onebot.logged, onebot.channel.health().detail].join("")).not.toContain(token);
  });

  it("tries a refused token again, slowly", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: "wrong-canary",
      reconnect: { refusedMs: 30 },
    });
    await fake.waitFor(() => fake.handshakes.length > 2, "more tries");
    expect(onebot.channel.health().state).toBe("failed");
  });

  it("notices a half-dead connection by missing heartbeats", async () => {
    await using fake = await startFakeOneBot({ heartbeatMs: 40 });
    const pace = { silenceMs: 60_000, pongMs: 50 };
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token, pace });
    await expect.poll(() => onebot.logged.some((line) => line.includes("heartbeat"))).toBe(true);
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    // A busy machine may have been late with a pong before.
    const before = fake.handshakes.length;
    fake.freeze();
    await fake.waitFor(() => fake.handshakes.length > before, "a new connection");
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    expect(onebot.logged.join("")).toContain("did not answer a ping");
  });

  it("pings an implementation without heartbeats", async () => {
    await using fake = await startFakeOneBot({ heartbeatMs: 0 });
    const pace = { silenceMs: 40, pongMs: 50 };
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token, pace });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    const before = fake.handshakes.length;
    fake.freeze();
    await expect.poll(() => fake.handshakes.length).toBeGreaterThan(before);
  });

  it("ignores what is no JSON object, and goes on", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token });
    await fake.waitForConnection();
    for (const frame of [
      "{garbage",
      "",
      "null",
      "[]",
      "5",
      '"x"',
      `{"echo":{},"status":5}`,
      '{"echo":"?","status":"ok"}',
    ]) {
      fake.sendFrame(frame);
    }
    fake.say({ chat: "private:20001", text: "还在吗" });
    await fake.waitFor(() => onebot.messages().length === 1, "the message");
    expect(fake.handshakes).toHaveLength(1);
    expect(onebot.logged.filter((line) => line.includes("no JSON object"))).toHaveLength(6);
  });

  it("ends a connection that sends a frame above the limit, and comes back", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token, maxPayloadBytes: 100_000 });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    fake.say({ chat: "private:20001", text: "x".repeat(3_000) });
    await fake.waitFor(() => onebot.messages().length === 1, "the message");
    fake.sendFrame(JSON.stringify({ x: "y".repeat(200_000) }));
    await fake.waitFor(() => fake.handshakes.length === 2, "a new connection");
    await expect.poll(() => onebot.channel.health().state).toBe("ready");
  });

  it("hands a repeated event on under the same key", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token });
    await fake.waitForConnection();
    const { messageId } = fake.say({ chat: "private:20001", text: "a" });
    fake.repeat(messageId);
    await fake.waitFor(() => onebot.messages().length === 2, "both");
    expect(new Set(onebot.messages().map(({ key }) => key)).size).toBe(1);
  });

  it("reads CQ codes, string ids and negative message ids alike", async () => {
    await using fake = await startFakeOneBot({ messageFormat: "string", ids: "string", negativeMessageIds: true });
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token, messageFormat: "string" });
    await fake.waitForConnection();
    const { messageId } = fake.say({ chat: "group:30001", from: { id: 20001 }, at: [fake.selfId], text: "[1, 2] & 3" });
    expect(messageId).toBeLessThan(0);
    await fake.waitFor(() => onebot.messages().length === 1, "the message");
    expect(onebot.messages()[0]).toMatchObject({ messageId: String(messageId), text: "[1, 2] & 3", addressed: true });
    const evil = "[CQ:at,qq=all] 大家好 & [x]";
    const reply = outbound(fake.selfId, "30001", evil, { plain: true, replyTo: String(messageId) });
    expect(await onebot.channel.send(reply, onlyPart(evil))).toMatchObject({ kind: "sent" });
    expect(fake.botMessages("group:30001")).toMatchObject([{ text: evil, ats: [], replyTo: messageId }]);
    expect(fake.violations).toEqual([]);
  });

  it("waits until what runs is stored when it stops, and keeps events while nothing can be stored", async () => {
    await using fake = await startFakeOneBot();
    let full = true;
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      store: async () => {
        if (full) throw new Error("no space left on device");
      },
    });
    await fake.waitForConnection();
    fake.say({ chat: "private:20001", text: "a" });
    fake.say({ chat: "private:20001", text: "b" });
    await fake.waitFor(() => onebot.channel.health().detail.includes("no space left"), "the fault");
    expect(onebot.channel.health().state).toBe("degraded");
    full = false;
    await fake.waitFor(() => onebot.messages().length === 2, "both");
    expect(onebot.messages().map(({ text }) => text)).toEqual(["a", "b"]);
    await expect.poll(() => onebot.channel.health().state).toBe("ready");
    await onebot.channel.stop();
    expect(onebot.channel.health().state).toBe("off");
    // The other side hears of the end a moment later.
    await expect.poll(() => fake.connections()).toEqual([]);
  });
});
