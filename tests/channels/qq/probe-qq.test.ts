import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { qq } from "../../../src/channels/qq/qq.ts";
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
    ["a wrong AppID", () => undefined, { appId: "999" }, /does not know this AppID.*100007.*QQ_APP_ID/],
    ["no token address", () => undefined, { tokenUrl: "http://127.0.0.1:1/x" }, /QQ_TOKEN_URL/],
    ["no API", (fake) => fake.failNext(/@me/, { kind: "refuse", status: 500, code: 0 }), {}, /QQ_API_ROOT/],
  ])("says what to do about %s", async (_, prepare, changes, detail) => {
    const found = await probe(prepare, changes);
    expect(found).toMatchObject({ state: "broken", detail: expect.stringMatching(detail) as string });
    expect(found.detail).not.toContain("wrong-secret");
  });

  test("warns of an address that QQ does not call, or that does not lead here", async () => {
    await using fake = await startFakeQqBot();
    const values = {
      QQ_APP_ID: fake.settings.appId,
      QQ_APP_SECRET: fake.settings.secret,
      QQ_API_ROOT: fake.url,
      QQ_TOKEN_URL: fake.tokenUrl,
    };
    const settings = qq.configure(qq.options.parse({}), { ...values, QQ_WEBHOOK_URL: "https://bot.example:9000/qq" });
    if (settings === undefined) throw new Error("the official bot is off");
    expect(await qq.doctor(settings, pino({ level: "silent" }))).toEqual({
      state: "warning",
      detail: expect.stringMatching(/its port is 9000, .*443, 80, 8080, 8443; its path is not \/webhook\/qq/) as string,
    });
  });

  test("warns when events cannot come", async () => {
    const found = await probe((fake) => fake.failNext(/gateway/, { kind: "refuse", status: 400, code: 11253 }));
    expect(found).toMatchObject({ state: "warning", detail: expect.stringContaining("QQ_WEBHOOK_URL") as string });
  });
});
