import { array, assert, asyncProperty, constantFrom, integer, nat, oneof, tuple } from "fast-check";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { addLogChat, appendToLog, type LogEntry } from "../../src/store/queries/append-to-log.ts";
import { findLogChats, readLogMessages } from "../../src/store/queries/chat-log.ts";
import { countLog, type LogSearch, searchLog } from "../../src/store/queries/chat-log-search.ts";
import { backfillSlice, rebuildSlice } from "../../src/store/queries/log-upkeep.ts";
import { appendMessages } from "../../src/store/queries/messages.ts";
import type { ConversationMessage } from "../../src/core/conversation.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { foldText } from "../../src/store/search/fold-text.ts";
import { createStorePlace, engines } from "../support/store-engines.ts";
import { addSession, createTestStore, openTestStore } from "../support/test-store.ts";

const monday = Date.UTC(2026, 10, 23);

function say(chat: number, text: string, more: Partial<LogEntry> = {}): LogEntry {
  const sender = { person: "", name: "某人" };
  return {
    chat,
    sender,
    role: "person",
    text,
    taint: "untrusted",
    key: `${text} ${more.saidAt}`,
    saidAt: monday,
    ...more,
  };
}

async function addChat(store: Store, texts: readonly string[] = []): Promise<number> {
  return store.main.transaction().execute(async (tx) => {
    const chat = await addLogChat(tx, { name: "旧群", kind: "import", readers: ["owners"], now: monday });
    const entries = texts.map((text, index) => say(chat, text, { key: `${index}`, saidAt: monday + index }));
    await appendToLog(tx, entries);
    return chat;
  });
}

/** The same by reading: each run of letters of one kind stands between two marks. */
function isIn(text: string, word: string): boolean {
  const runsOf = (given: string) =>
    foldText(given).match(/[\u3041-\u30ff\u4e00-\u9fff\u{20000}-\u{2ffff}\uac00-\ud7a3]+|[a-z0-9]+|😀|🍜/gu) ?? [];
  const sought = runsOf(word);
  const isWide = (run: string | undefined) => run !== undefined && /^[^a-z0-9😀🍜]/u.test(run);
  const start = isWide(sought[0]) ? "" : "|";
  const end = isWide(sought.at(-1)) ? "" : "|";
  return sought.length > 0 && `|${runsOf(text).join("|")}|`.includes(start + sought.join("|") + end);
}

const letters = constantFrom(...Array.from("我们去年搬家了吧猫臺台湾國国ねこネコ안녕𠮷野"));
const signs = constantFrom(
  ...Array.from("，。！？\"'*()^:-+&|<>\\ \n"),
  "😀",
  "🍜",
  " OR ",
  " NEAR(",
  "NOT ",
  "words:",
);
const words = constantFrom("python", "deadline", "Docker", "ＡＢＣ", "abc", "12", "a", "or", "not");
const texts = array(
  oneof({ weight: 6, arbitrary: letters }, { weight: 1, arbitrary: signs }, { weight: 2, arbitrary: words }),
  {
    maxLength: 30,
  },
).map((parts) => parts.join(""));

describe.each(engines)("the chat log on %s", (engine) => {
  it("finds exactly what a reader of every message finds, the newest first", async () => {
    const store = await createTestStore(engine);
    await assert(
      asyncProperty(
        array(texts, { minLength: 5, maxLength: 40 }),
        array(tuple(nat(), nat(), integer({ min: 1, max: 8 })), { minLength: 20, maxLength: 20 }),
        async (said, cuts) => {
          const chat = await addChat(store, said);
          const whole = said.join("").replaceAll(/\s/g, "");
          const pieces = cuts.map(([text, at, length]) => {
            const from = said[text % said.length] || whole;
            return Array.from(from)
              .slice(at % Math.max(1, from.length))
              .slice(0, length)
              .join("");
          });
          const asked: Omit<LogSearch, "chats">[] = [
            ...pieces.map((piece) => ({ all: [piece] })),
            ...pieces.slice(1).map((piece, index) => ({ all: [piece, pieces[index] ?? ""] })),
            ...pieces.slice(1).map((piece, index) => ({ any: [piece, pieces[index] ?? ""] })),
          ];
          for (const { all = [], any = [] } of asked) {
            const meant = (list: readonly string[]) => list.filter((word) => isIn(word, word));
            const [each, one] = [meant(all), meant(any)];
            const expected =
              each.length + one.length === 0
                ? []
                : said.filter(
                    (text) =>
                      each.every((word) => isIn(text, word)) &&
                      (one.length === 0 || one.some((word) => isIn(text, word))),
                  );
            const found = await searchLog(store.main, { chats: [chat], all, any, limit: 100 });
            expect({ all, any, found: found.map(({ text }) => text) }).toEqual({
              all,
              any,
              found: expected.toReversed(),
            });
            expect(await countLog(store.main, { chats: [chat], all, any })).toBe(expected.length);
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it("is searched all the same while its index is built anew, and takes old talk in once", async () => {
    const place = await createStorePlace(engine);
    const first = await openStore(place);
    const chat = await addChat(
      first,
      Array.from({ length: 25 }, (_, index) => `第${index}次搬家`),
    );
    await sql`update log_state set value = 0 where name = 'tokeniser'`.execute(first.main);
    await first.close();
    const store = await openTestStore(place);
    const check = async (expected: number) => {
      const found = await searchLog(store.main, { chats: [chat], all: ["搬家"], limit: 100 });
      const texts = Array.from({ length: expected }, (_, index) => `第${expected - index - 1}次搬家`);
      expect(found.map(({ text }) => text)).toEqual(texts);
      expect(await countLog(store.main, { chats: [chat], all: ["搬家"] })).toBe(expected);
      expect(await countLog(store.main, { chats: [chat], all: ["次搬"], from: monday + 3, to: monday + 22 })).toBe(20);
    };
    await check(25);
    expect(await rebuildSlice(store.main, 10)).toBe(true);
    await check(25);
    const added = ["第25次搬家", "第26次搬家"].map((text, at) => say(chat, text, { saidAt: monday + 90 + at }));
    const older = say(chat, "更早的一次", { saidAt: monday - 90 });
    await store.main.transaction().execute((tx) => appendToLog(tx, [...added, older]));
    await check(27);
    await store.main.deleteFrom("log_messages").where("text", "in", ["第26次搬家", "更早的一次"]).execute();
    expect(await countLog(store.main, { chats: [chat], all: ["更早"] })).toBe(0);
    await check(26);
    while (await rebuildSlice(store.main, 10)) await check(26);
    await check(26);
    expect(
      await store.main.selectFrom("log_state").select("value").where("name", "=", "indexed_from").execute(),
    ).toEqual([{ value: 0 }]);
  });

  it("takes in what was said before there was a log, once, from where it stopped", async () => {
    const store = await createTestStore(engine);
    await addSession(store, "s");
    const talk = Array.from({ length: 130 }, (_, index): ConversationMessage[] => [
      { role: "user", text: `第${index}句`, senderId: "fake:alice", senderName: "alice" },
      { role: "tool", callId: "1.1", tool: "time", ok: true, text: "第三句" },
      { role: "assistant", text: index % 2 === 0 ? "" : `嗯，第${index}句`, calls: [] },
    ]).flat();
    const given = { session: "s", turn: "t", taint: "owner" } as const;
    await store.main.transaction().execute(async (tx) => {
      await appendMessages(tx, { ...given, messages: talk.slice(0, 3), now: monday - 1 });
      await appendMessages(tx, { ...given, messages: talk.slice(3), now: monday });
      await tx.updateTable("log_state").set({ value: talk.length }).where("name", "=", "backfill_to").execute();
      await appendMessages(tx, {
        ...given,
        messages: [{ role: "user", text: "新的", senderId: "a", senderName: "a" }],
        now: monday,
      });
    });
    expect(await backfillSlice(store.main, monday)).toBe(true);
    while (await backfillSlice(store.main, monday));
    expect(await backfillSlice(store.main, monday)).toBe(false);
    const rows = await store.main
      .selectFrom("log_messages")
      .select(["text", "message", "taint"])
      .orderBy("place")
      .execute();
    const expected = talk.flatMap(({ role, text }, index) =>
      role === "tool" || text === "" || index < 3 ? [] : [{ text, message: index + 1, taint: "owner" }],
    );
    expect(rows).toEqual(expected);
    expect(await countLog(store.main, { chats: [1], all: ["第129句"] })).toBe(2);
    expect(await findLogChats(store.main, { readers: ["fake:alice"] })).toMatchObject([
      { session: "s", kind: "private" },
    ]);
  });

  it("keeps each message once, in the order of its time, with a number that stays", async () => {
    const store = await createTestStore(engine);
    const chat = await addChat(store, ["第二句", "第三句"]);
    const older = [say(chat, "第一句", { key: "old", saidAt: monday - 5 }), say(chat, "第二句", { key: "0" })];
    expect(await store.main.transaction().execute((tx) => appendToLog(tx, [...older, ...older]))).toBe(1);
    const found = await searchLog(store.main, { chats: [chat], all: ["句"], limit: 9 });
    expect(found.map(({ id, text }) => `${id} ${text}`)).toEqual(["2 第三句", "1 第二句", "3 第一句"]);
    const around = await readLogMessages(store.main, [chat], [1], { before: 1, after: 1 });
    expect(around.map(({ text }) => text)).toEqual(["第一句", "第二句", "第三句"]);
    expect(await readLogMessages(store.main, [chat + 1], [1], { before: 1 })).toEqual([]);
  });
});
