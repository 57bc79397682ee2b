import { describe, expect, onTestFinished, test } from "vitest";
import { probeQq } from "../../../src/channels/qq/probe-qq.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { startFakeQqBot, type FakeQqBot } from "../../support/qq/fake-qq-bot.ts";

async function probe(prepare: (fake: FakeQqBot) => void = () => undefined, changes: object = {}) {
  const fake = await startFakeQqBot();
  onTestFinished(() => fake[Symbol.asyncDispose]());
  prepare(fake);
  const { appId, secret } = fake.settings;
  const settings = { appId, appSecret: secret, apiRoot: fake.url, tokenUrl: fake.tokenUrl, ...changes };
  return probeQq(settings, systemClock);
}

describe("the doctor of the official QQ bot", () => {
  test("names the bot and the way its events come", async () => {
    expect(await probe()).toEqual({ state: "ok", detail: "Kurisu; events come by the gateway" });
    const webhook = { url: "https://bot.example/webhook/qq" };
    expect(await probe(undefined, { webhook })).toEqual({
      state: "ok",
      detail: `Kurisu; events come to ${webhook.url}`,
    });
  });

  test.each<[string, (fake: FakeQqBot) => void, object, RegExp]>([
    ["a wrong secret", () => undefined, { appSecret: "wrong-secret-1234" }, /refused the secret.*QQ_APP_SECRET/],
    ["no token address", () => undefined, { tokenUrl: "http://127.0.0.1:1/x" }, /QQ_TOKEN_URL/],
    ["no API", (fake) => fake.failNext(/@me/, { kind: "refuse", status: 500, code: 0 }), {}, /QQ_API_ROOT/],
  ])("says what to do about %s", async (_, prepare, changes, detail) => {
    const found = await probe(prepare, changes);
    expect(found).toMatchObject({ state: "broken", detail: expect.stringMatching(detail) as string });
    expect(found.detail).not.toContain("wrong-secret");
  });

  test("warns when events cannot come", async () => {
    const found = await probe((fake) => fake.failNext(/gateway/, { kind: "refuse", status: 400, code: 11253 }));
    expect(found).toMatchObject({ state: "warning", detail: expect.stringContaining("QQ_WEBHOOK_URL") as string });
  });
});
