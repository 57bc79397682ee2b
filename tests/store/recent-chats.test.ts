import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/open-store.ts";
import { insertInboxItem } from "../../src/store/queries/inbox.ts";
import { findLastMessageTime, listKnownChats } from "../../src/store/queries/recent-chats.ts";
import { ensureSession } from "../../src/store/queries/sessions.ts";
import { listEngines } from "../support/store-engines.ts";
import { createTestStore } from "../support/test-store.ts";

let store: Store;
let count: number;
const us = { platform: "qq", account: "10001" };

async function receive(chat: string, now: number, more: { account?: string; platform?: string; kind?: "resume" } = {}) {
  const { platform = "qq", account = "10001", kind = "message" } = more;
  const id = `${platform}:${account}:${chat}`;
  const eventKey = String((count += 1));
  await ensureSession(store.main, {
    id,
    platform,
    account,
    chat,
    thread: null,
    chatKind: "group",
    language: "zh",
    now,
  });
  const payload = JSON.stringify({ sentAt: now - 5 });
  const place = { id: `${id}:${eventKey}`, platform, account, eventKey, session: id };
  await insertInboxItem(store.main, { ...place, kind, state: "done", payload, now });
}

describe.each(listEngines())("on %s", (engine) => {
  beforeEach(async () => {
    store = await createTestStore(engine);
    count = 0;
  });

  describe("the chats of an account", () => {
    it("known chats are listed with the time of their last message, however old, the newest first", async () => {
      await receive("old", 10);
      await receive("a", 100);
      await receive("b", 110);
      await receive("a", 120);
      await receive("b", 300, { kind: "resume" });
      await receive("elsewhere", 130, { account: "10002" });
      await receive("telegram", 130, { platform: "telegram" });
      const [a, b, old] = [
        { chat: "a", lastSentAt: 115 },
        { chat: "b", lastSentAt: 105 },
        { chat: "old", lastSentAt: 5 },
      ];
      expect(await listKnownChats(store.main, { ...us, limit: 20 })).toEqual([a, b, old]);
      expect(await listKnownChats(store.main, { ...us, limit: 2 })).toEqual([a, b]);
    });

    it("known chats without kept messages are still listed, after the others", async () => {
      await receive("quiet", 10);
      await receive("a", 100);
      await store.main.deleteFrom("inbox").where("session", "=", "qq:10001:quiet").execute();
      expect(await listKnownChats(store.main, { ...us, limit: 20 })).toEqual([
        { chat: "a", lastSentAt: 95 },
        { chat: "quiet", lastSentAt: undefined },
      ]);
    });
  });

  describe("the last message", () => {
    it("the last message is the one stored last, by the platform's time", async () => {
      expect(await findLastMessageTime(store.main, us)).toBeUndefined();
      await receive("a", 100);
      await receive("b", 90);
      await receive("b", 300, { kind: "resume" });
      await receive("c", 400, { account: "10002" });
      expect(await findLastMessageTime(store.main, us)).toBe(85);
      expect(await findLastMessageTime(store.main, { ...us, account: "10003" })).toBeUndefined();
    });
  });
});
