import { expect, it } from "vitest";
import { readUpdate } from "../../../src/channels/telegram/read-update.ts";
import { startFakeBotApi } from "../../support/telegram/fake-bot-api.ts";
import { startTelegram, webhookSecret } from "../../support/telegram/start-telegram.ts";
import { findSharedData } from "../../support/shared-data.ts";

const recorded = findSharedData("telegram-updates.jsonl");
const me = { id: "2001", username: "ai999_bot" };

const message = (facts: object) => ({ kind: "message", ...facts });
const ignored = (rule: string) => ({ kind: "ignored", rule });
const start = { text: "/start", chatKind: "private", addressed: true, sender: { id: "1111111", kind: "person" } };

/** What each line of the file must become, in order. */
const expected: readonly object[] = [
  message({ ...start, forwarded: false }),
  message({ ...start, forwarded: true }),
  message({ ...start, forwarded: true }),
  message({ ...start, quote: { messageId: "elsewhere:1111112:1334", fromUs: false, text: "Original" } }),
  message({ text: "Edited text", edited: true, sentAt: 1_441_646_600_000 }),
  message({ text: "Bold and italics", edited: false, sentAt: 1_441_645_532_000 }),
  message({ text: "", attachments: [{ kind: "audio" }] }),
  message({ text: "", attachments: [{ kind: "voice", seconds: 5 }] }),
  message({ text: "", attachments: [{ kind: "file", name: "Testfile.pdf" }] }),
  ignored("inline_query"),
  ignored("chosen_inline_result"),
  ignored("press_without_message"),
  ignored("my_chat_member"),
  message({ text: "666", addressed: true, chatKind: "group", address: { chat: "-1001000000001", thread: null } }),
  message({ text: "777", addressed: true, chatKind: "private" }),
  ignored("service:pinned_message"),
  ignored("service:forum_topic_created"),
  ignored("service:forum_topic_edited"),
  ignored("service:forum_topic_closed"),
  ignored("service:general_forum_topic_hidden"),
  {
    kind: "press",
    address: { platform: "telegram", account: "2001", chat: "-1001234567890", thread: null },
    sender: { id: "1111111", name: "Ada", kind: "person" },
    messageId: "4242",
    data: "approve:run-17",
    pressId: "4382bf",
    sentAt: 1_700_000_000_000,
  },
  {
    kind: "reaction",
    address: { chat: "-100123456" },
    sender: { id: "789", name: "Test", kind: "person" },
    messageId: "42",
    emoji: ["👍"],
  },
];

it.skipIf(!recorded.isThere)("reads recorded updates", () => {
  const updates = recorded.readRows().map((row) => (row as { update: { update_id: number } }).update);
  const events = updates.map((update) => readUpdate(update, me, 1_700_000_000_000));
  expect(events.map(({ key }) => key)).toEqual(updates.map(({ update_id }) => `update:${update_id}`));
  expect(events.slice(0, expected.length)).toMatchObject(expected);
});

it.skipIf(!recorded.isThere)("takes each of them by the webhook, and stores what asks something of her", async () => {
  await using fake = await startFakeBotApi();
  await using telegram = await startTelegram(fake, { side: "webhook" });
  await fake.waitFor(() => telegram.channel.health().state === "ready", "good health");
  const headers = { "x-telegram-bot-api-secret-token": webhookSecret };
  for (const row of recorded.readRows()) {
    const body = JSON.stringify((row as { update: object }).update);
    expect((await fetch(telegram.webhookUrl, { method: "POST", body, headers })).status).toBe(200);
  }
  const kinds = telegram.events().map(({ kind }) => kind);
  expect(kinds.slice(0, expected.length)).toEqual(expected.map((event) => (event as { kind: string }).kind));
});
