import { describe, expect, it } from "vitest";
import { startFakeOneBot } from "../../support/onebot/fake-onebot.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { onlyPart, outbound, startOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";

describe("reverse WebSocket", () => {
  it("receives and answers", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await startOneBotChannel({ accessToken: fake.token });
    expect(onebot.channel.health()).toMatchObject({ state: "starting" });
    expect(onebot.channel.health().detail).toContain(onebot.reverseUrl);
    fake.connectTo(onebot.reverseUrl);
    await fake.waitForConnection();
    fake.say({ chat: "private:20001", text: "你好" });
    await fake.waitFor(() => onebot.messages().length === 1, "the message");
    const sent = await onebot.channel.send(outbound(fake.selfId, "private:20001", "嗯"), onlyPart("嗯"));
    expect(sent).toMatchObject({ kind: "sent" });
    await expect.poll(() => onebot.channel.health().state).toBe("ready");
    expect(fake.violations).toEqual([]);
  });

  it.each<[string, number, { token?: string; headers?: Record<string, string> }]>([
    ["a wrong token", 403, { token: "wrong-canary-token" }],
    ["an empty token, as NapCat sends it when it has none", 401, { token: "" }],
    ["another scheme", 401, { headers: { Authorization: "Basic wrong-canary-token" } }],
    ["a token that only begins like ours", 403, { token: "the-right-canary-tokenX" }],
  ])("refuses %s with %i", async (_, status, options) => {
    await using fake = await startFakeOneBot({ token: "the-right-canary-token" });
    await using onebot = await startOneBotChannel({ accessToken: fake.token });
    const link = fake.connectTo(onebot.reverseUrl, options);
    await fake.waitFor(() => link.lastStatus() === status, "the refusal");
    expect(fake.connections()).toEqual([]);
    expect(onebot.channel.health().detail).toContain("ONEBOT_ACCESS_TOKEN");
    expect([...onebot.logged, onebot.channel.health().detail].join("")).not.toMatch(/canary/);
  });

  it("takes the token from the query as well, and never shows it", async () => {
    await using fake = await startFakeOneBot({ token: "the-right-canary-token" });
    await using onebot = await startOneBotChannel({ accessToken: fake.token });
    fake.connectTo(`${onebot.reverseUrl}?access_token=${fake.token}`, { headers: { Authorization: "" } });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    const wrong = fake.connectTo(`${onebot.reverseUrl}?access_token=wrong-canary`, { headers: { Authorization: "" } });
    await fake.waitFor(() => wrong.lastStatus() === 403, "the refusal");
    expect([...onebot.logged, onebot.channel.health().detail].join("")).not.toMatch(/canary/);
  });

  it.each([undefined, ""])("the reverse side does not exist without a token of ours (%j)", async (accessToken) => {
    await using fake = await startFakeOneBot({ token: "" });
    await using onebot = await startOneBotChannel({
      url: "ws://127.0.0.1:1",
      ...(accessToken === undefined ? {} : { accessToken }),
    });
    const link = fake.connectTo(onebot.reverseUrl);
    await fake.waitFor(() => link.lastStatus() === 404, "the refusal");
    const posted = await fetch(onebot.eventUrl, { method: "POST", body: "{}" });
    expect(posted.status).toBe(404);
  });

  it.each(["API", "Event", "event"])("refuses the role %s and says what to do", async (role) => {
    await using fake = await startFakeOneBot();
    await using onebot = await startOneBotChannel({ accessToken: fake.token });
    const link = fake.connectTo(onebot.reverseUrl, { headers: { "X-Client-Role": role } });
    await fake.waitFor(() => link.lastStatus() === 400, "the refusal");
    expect(onebot.channel.health().detail).toMatch(/role is \w+.*Universal/);
    expect(onebot.logged.some((line) => line.includes("Universal"))).toBe(true);
    await link.end();
    fake.connectTo(onebot.reverseUrl);
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    expect(onebot.channel.health().detail).not.toContain("refused");
  });

  it("forgets a refusal that was not repeated for two minutes", async () => {
    const clock = new HandClock();
    await using fake = await startFakeOneBot();
    await using onebot = await startOneBotChannel({ accessToken: fake.token, clock });
    const link = fake.connectTo(onebot.reverseUrl, { token: "another-one" });
    await fake.waitFor(() => link.lastStatus() === 403, "the refusal");
    expect(onebot.channel.health().detail).toContain("its token is not");
    await link.end();
    clock.advance(121_000);
    expect(onebot.channel.health().detail).not.toContain("its token is not");
  });

  it.each([{ "X-Client-Role": "" }, { "X-Self-ID": "" }, { "X-Self-ID": "nonsense", "X-Client-Role": "universal" }])(
    "the reverse side accepts clients that lack some headers: %j",
    async (headers) => {
      await using fake = await startFakeOneBot();
      await using onebot = await startOneBotChannel({ accessToken: fake.token });
      fake.connectTo(onebot.reverseUrl, { headers });
      await fake.waitForConnection();
      fake.say({ chat: "private:20001", text: "a" });
      await fake.waitFor(() => onebot.messages().length === 1, "the message");
      expect(onebot.messages()[0]).toMatchObject({ address: { account: String(fake.selfId) } });
    },
  );

  it("a newer connection of an account replaces the older, whose calls fail", async () => {
    await using old = await startFakeOneBot();
    await using young = await startFakeOneBot();
    await using onebot = await startOneBotChannel({ accessToken: old.token, pace: { doubtMs: [1] } });
    const link = old.connectTo(onebot.reverseUrl, { reconnectMs: 60_000 });
    await old.waitFor(() => onebot.channel.health().state === "ready", "good health");
    old.failNext("send_private_msg", { kind: "swallow", taken: false });
    old.befriend({ id: 20001 });
    young.befriend({ id: 20001 });
    young.say({ chat: "private:20001", text: "hi" });
    const sending = onebot.channel.send(outbound(old.selfId, "private:20001", "a"), onlyPart("a"));
    await old.waitFor(() => old.callsOf("send_private_msg").length === 1, "the call");
    young.connectTo(onebot.reverseUrl, { token: old.token });
    expect(await sending).toMatchObject({ kind: "later" });
    await old.waitFor(() => old.connections().length === 0, "the end of the older");
    expect(link.attempts()).toBe(1);
    const again = await onebot.channel.send(outbound(old.selfId, "private:20001", "b"), onlyPart("b"));
    expect(again).toMatchObject({ kind: "sent" });
    expect(young.botMessages("private:20001").map(({ text }) => text)).toEqual(["b"]);
  });

  it("speaks for several accounts at once, each through its own connection", async () => {
    await using one = await startFakeOneBot({ selfId: 10001, nickname: "一号" });
    await using two = await startFakeOneBot({ selfId: 10002, nickname: "二号" });
    await using onebot = await startOneBotChannel({ accessToken: one.token });
    one.connectTo(onebot.reverseUrl);
    two.connectTo(onebot.reverseUrl, { token: one.token });
    await one.waitFor(() => /一号[^]*二号|二号[^]*一号/.test(onebot.channel.health().detail), "both");
    one.befriend({ id: 20001 });
    two.befriend({ id: 20001 });
    await onebot.channel.send(outbound(10002, "private:20001", "von zwei"), onlyPart("von zwei"));
    expect(one.botMessages("private:20001")).toEqual([]);
    expect(two.botMessages("private:20001")).toHaveLength(1);
    two.say({ chat: "private:20001", text: "an zwei" });
    await two.waitFor(() => onebot.messages().length === 1, "the message");
    expect(onebot.messages()[0]).toMatchObject({ address: { account: "10002" } });
    expect(await onebot.channel.send(outbound(10003, "private:20001", "x"), onlyPart("x"))).toMatchObject({
      kind: "later",
    });
  });

  it("drops events that speak for another account", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await startOneBotChannel({ accessToken: fake.token });
    fake.connectTo(onebot.reverseUrl);
    // Our end knows of the connection before the fake's end does: what is pushed in between goes to nobody.
    await fake.waitForConnection();
    fake.push({
      post_type: "message",
      message_type: "private",
      self_id: 10009,
      user_id: 1,
      message_id: 1,
      message: "确认",
    });
    fake.say({ chat: "private:20001", text: "a" });
    await fake.waitFor(() => onebot.messages().length === 1, "the message");
    expect(onebot.logged.some((line) => line.includes("other_account"))).toBe(true);
  });

  it("forward gives way to reverse for the same account instead of fighting it", async () => {
    await using fake = await startFakeOneBot();
    const reconnect = { firstMs: 1, maxMs: 30 };
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token, reconnect });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    const link = fake.connectTo(onebot.reverseUrl, { reconnectMs: 60_000 });
    await fake.waitFor(() => String(fake.connections().map(({ side }) => side)) === "reverse", "the change");
    fake.say({ chat: "private:20001", text: "a" });
    await fake.waitFor(() => onebot.messages().length === 1, "the message");
    expect(link.attempts()).toBe(1);
    await link.end();
    await fake.waitForConnection(({ side }) => side === "forward");
  });
});
