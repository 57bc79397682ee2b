import { expect, it } from "vitest";
import { isSentMessage, recordSentParts, saveOutboxItem } from "../../src/store/queries/outbox.ts";
import { ensureSession } from "../../src/store/queries/sessions.ts";
import { createTestStore } from "../support/test-store.ts";

it("knows what a message was sent as, in its own chat only and by the whole id", async () => {
  const store = await createTestStore();
  const place = { platform: "qq", account: "10001", chat: "private:20001" };
  await ensureSession(store.main, { id: "s", ...place, thread: null, chatKind: "private", language: "zh", now: 0 });
  const row = { id: "out", session: "s", turn: null, cause: null, payload: "{}", now: 0 };
  await saveOutboxItem(store.main, { ...row, state: "pending" });
  await recordSentParts(store.main, { id: "out", sentParts: ["12345", "-678", ""] });
  const isKnown = (messageId: string, more: Partial<typeof place> = {}) =>
    isSentMessage(store.main, { ...place, ...more, messageId });
  for (const id of ["12345", "-678"]) expect(await isKnown(id)).toBe(true);
  for (const id of ["1234", "2345", "678", "9"]) expect(await isKnown(id)).toBe(false);
  for (const more of [{ chat: "20001" }, { account: "10002" }, { platform: "telegram" }]) {
    expect(await isKnown("12345", more)).toBe(false);
  }
});
