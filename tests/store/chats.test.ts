import { describe, expect, it } from "vitest";
import {
  hasSessionOfChat,
  listChatMoves,
  markChatBack,
  markChatGone,
  saveChatMove,
} from "../../src/store/queries/chat-moves.ts";
import { ensureSession, findSession } from "../../src/store/queries/sessions.ts";
import { listEngines } from "../support/store-engines.ts";
import { createTestStore } from "../support/test-store.ts";

const place = { platform: "telegram", account: "1" } as const;

describe.each(listEngines())("on %s:", (engine) => {
  async function open(...chats: readonly (readonly [id: string, chat: string, thread: string | null])[]) {
    const { main } = await createTestStore(engine);
    for (const [id, chat, thread] of chats)
      await ensureSession(main, { id, ...place, chat, thread, chatKind: "group", language: "zh", now: 0 });
    return main;
  }

  it("a move is written down once, and takes over only a chat where nothing was said yet", async () => {
    const main = await open(["b", "-1002", "7"]);
    await saveChatMove(main, { ...place, chat: "-1", movedTo: "-1001" }, 5);
    await saveChatMove(main, { ...place, chat: "-1", movedTo: "-1009" }, 6);
    await saveChatMove(main, { ...place, chat: "-2", movedTo: "-1002" }, 7);
    expect((await listChatMoves(main, "1")).toSorted((a, b) => (a.chat > b.chat ? 1 : -1))).toEqual([
      { chat: "-1", movedTo: "-1001", adopts: true },
      { chat: "-2", movedTo: "-1002", adopts: false },
    ]);
    expect(await listChatMoves(main, "2")).toEqual([]);
  });

  it("a chat with all its topics is gone once, until it is back", async () => {
    const main = await open(["a", "-1", null], ["a#7", "-1", "7"], ["b", "-2", null]);
    expect(await hasSessionOfChat(main, { ...place, chat: "-3" })).toBe(false);
    expect(await markChatGone(main, { ...place, chat: "-1" }, 5)).toEqual({ talked: false });
    expect(await markChatGone(main, { ...place, chat: "-1" }, 6)).toBeUndefined();
    const marks = async () => Promise.all(["a", "a#7", "b"].map(async (id) => (await findSession(main, id))?.gone_at));
    expect(await marks()).toEqual([5, 5, null]);
    await markChatBack(main, { ...place, chat: "-1" });
    expect(await marks()).toEqual([null, null, null]);
    expect(await markChatGone(main, { ...place, chat: "-1" }, 7)).toEqual({ talked: false });
  });
});
