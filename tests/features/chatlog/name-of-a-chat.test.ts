import { expect, test } from "vitest";
import { createChatLog } from "../../../src/features/chatlog/chat-log.ts";
import { makeMessage } from "../../support/fake-channel.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { addSession, createTestStore } from "../../support/test-store.ts";

test("a group's title is in the log although the transaction that wrote it first came to nothing", async () => {
  const store = await createTestStore();
  const session = await addSession(store, "fake:bot:tea");
  const clock = new HandClock();
  const log = createChatLog({ isOn: () => true, clock });
  const hear = (failure?: Error) =>
    store.main.transaction().execute(async (tx) => {
      await log.hear(tx, {
        item: { session, createdAt: clock.now() },
        message: makeMessage("早", { title: "茶馆" }),
        person: { id: "fake:alice", name: "alice", role: "member" },
        words: "早",
        taint: "user",
      });
      if (failure) throw failure;
    });
  await expect(hear(new Error("the disk is full"))).rejects.toThrow("the disk is full");
  await hear();
  expect(await store.main.selectFrom("log_chats").select("name").execute()).toEqual([{ name: "茶馆" }]);
});
