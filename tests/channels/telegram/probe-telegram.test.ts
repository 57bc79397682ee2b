import { pino } from "pino";
import { expect, it } from "vitest";
import { telegram } from "../../../src/channels/telegram/telegram.ts";
import { startFakeBotApi, type FakeBotApi, type FakeBotApiOptions } from "../../support/telegram/fake-bot-api.ts";

const log = pino({ level: "silent" });
const url = "http://127.0.0.1:1/webhook/telegram";

async function probe(fake: FakeBotApi, options: object = {}, variables: Readonly<Record<string, string>> = {}) {
  const given = telegram.options.parse(options);
  const values = { TELEGRAM_BOT_TOKEN: fake.token, TELEGRAM_API_ROOT: fake.url, ...variables };
  const settings = telegram.configure(given, values);
  if (settings === undefined) throw new Error("Telegram is off");
  return telegram.doctor(settings, log);
}

it.each<readonly [string, FakeBotApiOptions, object, RegExp]>([
  ["ok", { readsAllGroupMessages: true }, { observe: true }, /sees every message of its groups/],
  ["ok", {}, {}, /privacy mode is on.*buttons work\.$/],
  ["warning", {}, { observe: true }, /buttons work\. telegram\.observe is on, but .*\/setprivacy/],
])("says how it is: %s", async (state, made, options, words) => {
  await using fake = await startFakeBotApi(made);
  expect(await probe(fake, options)).toEqual({ state, detail: expect.stringMatching(words) as string });
});

it("tells what Telegram says against the webhook, while something waits for it", async () => {
  await using fake = await startFakeBotApi();
  const variables = { TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_SECRET: "s".repeat(16) };
  fake.webhook.set({ url });
  expect(await probe(fake, {}, variables)).toMatchObject({ state: "ok" });
  fake.sendText({ chat: 42, text: "在吗" });
  await fake.waitFor(() => fake.webhook.posts.length > 0, "a post");
  const detail = expect.stringMatching(/cannot deliver to .*Connection refused.*1 updates wait/) as string;
  expect(await probe(fake, {}, variables)).toEqual({ state: "broken", detail });
  expect(await probe(fake)).toMatchObject({ state: "ok" });
});
