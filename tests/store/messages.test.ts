import { beforeEach, describe, expect, it } from "vitest";
import type { ConversationMessage } from "../../src/core/conversation.ts";
import type { Store } from "../../src/store/open-store.ts";
import { appendMessages, readWindow } from "../../src/store/queries/messages.ts";
import { startNewConversation } from "../../src/store/queries/sessions.ts";
import { listEngines } from "../support/store-engines.ts";
import { addSession, createTestStore } from "../support/test-store.ts";

const user = (text: string): ConversationMessage => ({ role: "user", text, senderId: "a", senderName: "a" });
const reply = (text: string): ConversationMessage => ({ role: "assistant", text, calls: [] });
const result: ConversationMessage = { role: "tool", callId: "1.1", tool: "time", ok: true, text: "12:00" };

const texts = (messages: readonly ConversationMessage[]) => messages.map((message) => message.text);

describe.each(listEngines())("on %s:", (engine) => {
  let store: Store;
  beforeEach(async () => {
    store = await createTestStore(engine);
    await addSession(store, "s");
    await addSession(store, "other");
  });

  const append = (session: string, messages: readonly ConversationMessage[]) =>
    appendMessages(store.main, { session, turn: "t", taint: "owner", messages, now: 0 });

  describe("appendMessages", () => {
    it("counts positions per session and links each message to the one before", async () => {
      expect(await append("s", [user("1"), reply("2")])).toBe(2);
      expect(await append("other", [user("x")])).toBe(1);
      expect(await append("s", [user("3")])).toBe(3);
      const rows = await store.main
        .selectFrom("messages")
        .select(["id", "parent", "position"])
        .where("session", "=", "s")
        .orderBy("position")
        .execute();
      expect(rows.map((row) => row.position)).toEqual([1, 2, 3]);
      expect(rows.map((row) => row.parent)).toEqual([null, rows[0]?.id, rows[1]?.id]);
    });

    it("writes all of them or none", async () => {
      const broken = store.main.transaction().execute(async (tx) => {
        await appendMessages(tx, { session: "s", turn: "t", taint: "owner", messages: [user("1")], now: 0 });
        throw new Error("the turn was lost");
      });
      await expect(broken).rejects.toThrow("lost");
      expect(await append("s", [user("again")])).toBe(1);
    });

    it("needs a session that is there", async () => {
      await expect(append("nowhere", [user("1")])).rejects.toMatchObject({ code: "INTERNAL" });
    });
  });

  describe("readWindow", () => {
    it("begins with a person's message or a record, never with half a call", async () => {
      await append("s", [
        user("1"),
        { role: "assistant", text: "", calls: [{ id: "1.1", name: "time", arguments: {} }] },
        result,
        reply("4"),
        user("5"),
      ]);
      expect(texts(await readWindow(store.main, "s", { from: 0, upTo: 5 }))).toEqual(["1", "", "12:00", "4", "5"]);
      expect(texts(await readWindow(store.main, "s", { from: 1, upTo: 5 }))).toEqual(["5"]);
      expect(texts(await readWindow(store.main, "s", { from: 2, upTo: 4 }))).toEqual([]);
    });

    it("sees nothing that came after the turn began, nothing of other sessions, and nothing of before /new", async () => {
      await append("s", [user("1"), reply("2")]);
      await append("other", [user("secret")]);
      await startNewConversation(store.main, "s");
      const upTo = await append("s", [user("3")]);
      await append("s", [user("4")]);
      const session = await store.main
        .selectFrom("sessions")
        .select("start_position")
        .where("id", "=", "s")
        .executeTakeFirst();
      const window = { from: session?.start_position ?? -1, upTo };
      expect(texts(await readWindow(store.main, "s", window))).toEqual(["3"]);
    });
  });
});
