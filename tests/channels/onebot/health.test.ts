import { describe, expect, it } from "vitest";
import { startFakeOneBot } from "../../support/onebot/fake-onebot.ts";
import { startOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";

describe("health", () => {
  it('health is "starting" at first and "off" after a stop', async () => {
    await using onebot = await startOneBotChannel({ accessToken: "a-canary-token" });
    expect(onebot.channel.health()).toMatchObject({ state: "starting" });
    await onebot.channel.stop();
    expect(onebot.channel.health()).toMatchObject({ state: "off", detail: "stopped" });
  });

  it.each([true, false])("tells that QQ is logged out (announced: %s), and that it is back", async (announce) => {
    await using fake = await startFakeOneBot();
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    if (announce)
      fake.push({ post_type: "notice", notice_type: "bot_offline", user_id: 10001, tag: "下线", message: "" });
    else fake.setOnline(false);
    await fake.waitFor(() => onebot.channel.health().state === "degraded", "bad health");
    expect(onebot.channel.health().detail).toMatch(/^QQ is logged out there: log in again in NapCat \(.*10001/);
    fake.setOnline(true);
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
  });

  it("tells that QQ was logged out already when the connection came", async () => {
    await using fake = await startFakeOneBot();
    fake.setOnline(false);
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token });
    await fake.waitFor(() => onebot.channel.health().state === "degraded", "bad health");
    expect(onebot.channel.health().detail).toContain("log in again in NapCat");
  });

  it("names each account, and the one that is gone", async () => {
    await using one = await startFakeOneBot({ selfId: 10001, nickname: "一号" });
    await using two = await startFakeOneBot({ selfId: 10002, nickname: "二号" });
    await using onebot = await startOneBotChannel({ accessToken: one.token });
    one.connectTo(onebot.reverseUrl);
    const link = two.connectTo(onebot.reverseUrl, { token: one.token });
    await one.waitFor(() => onebot.channel.health().detail.includes("二号 (10002) through"), "both");
    expect(onebot.channel.health().state).toBe("ready");
    await link.end();
    await one.waitFor(() => onebot.channel.health().state === "degraded", "bad health");
    expect(onebot.channel.health().detail).toMatch(/一号.*10002 is not connected.*NapCat/);
  });

  it("health shows a refused token of our own side although another client is connected", async () => {
    await using wrong = await startFakeOneBot({ token: "one-canary-token" });
    await using fake = await startFakeOneBot({ selfId: 10002, token: "two-canary-token" });
    await using onebot = await startOneBotChannel({ url: wrong.url, accessToken: fake.token });
    await fake.waitFor(() => onebot.channel.health().state === "failed", "the failure");
    fake.connectTo(onebot.reverseUrl);
    await fake.waitFor(() => onebot.channel.health().state === "degraded", "half health");
    expect(onebot.channel.health().detail).toMatch(/10002.*refused the token/);
  });
});
