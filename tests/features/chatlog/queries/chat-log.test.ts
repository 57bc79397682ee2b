import { array, assert, asyncProperty, constantFrom, integer, nat, oneof, tuple } from "fast-check";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { addLogChat, appendToLog, type LogEntry } from "../../../../src/features/chatlog/queries/append-to-log.ts";
import { findLogChats, readLogMessages } from "../../../../src/features/chatlog/queries/chat-log.ts";
import { countLog, type LogSearch, searchLog } from "../../../../src/features/chatlog/queries/chat-log-search.ts";
import { logSaid } from "../../../../src/features/chatlog/queries/log-said.ts";
import { backfillSlice, pruneLogSlice, rebuildSlice } from "../../../../src/features/chatlog/queries/log-upkeep.ts";
import { appendMessages } from "../../../../src/store/queries/messages.ts";
import type { ConversationMessage } from "../../../../src/core/conversation.ts";
import type { Store } from "../../../../src/store/open-store.ts";
import { openStore } from "../../../support/open-store.ts";
import { foldText } from "../../../../src/store/search/fold-text.ts";
import { createStorePlace, listEngines } from "../../../support/store-engines.ts";
import { addSession, createTestStore, openTestStore } from "../../../support/test-store.ts";

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

describe.each(listEngines())("the chat log on %s", (engine) => {
  it("finds exactly what a reader of every message finds, the newest first", async () => {
    const store = await createTestStore(engine);
    await assert(
      asyncProperty(
        array(texts, { minLength: 5, maxLength: 40 }),
        array(tuple(nat(), nat(), integer({ min: 1, max: 8 })), { minLength: 20, maxLength: 20 }),
        async (said, cuts) => {
          const chat = await addChat(store, said);
          await sql`update log_messages set asks = 1 where chat = ${chat} and said_at % 3 = 0`.execute(store.main);
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
            const talk = { chats: [chat], all, any, withoutQuestions: true };
            const mentions = found.filter(({ saidAt }) => saidAt % 3 !== 0).map(({ text }) => text);
            expect((await searchLog(store.main, { ...talk, limit: 100 })).map(({ text }) => text)).toEqual(mentions);
            expect(await countLog(store.main, talk)).toBe(mentions.length);
            const time = { from: monday + 5, to: monday + 25 };
            const inTime = expected.filter((text) => said.indexOf(text) >= 5 && said.lastIndexOf(text) <= 25);
            const there = await searchLog(store.main, { chats: [chat], all, any, ...time, limit: 100 });
            expect(there.map(({ saidAt }) => saidAt - monday).every((at) => at >= 5 && at <= 25)).toBe(true);
            expect(there.map(({ text }) => text)).toEqual(expect.arrayContaining(inTime));
            expect(await countLog(store.main, { chats: [chat], all, any, ...time })).toBe(there.length);
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it("a search works while its index is rebuilt, and old talk enters the index once", async () => {
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

  it("keeps the order of what came, and the time, where a second has more than it has places for", async () => {
    const store = await createTestStore(engine);
    const chat = await addChat(store);
    const append = (texts: readonly string[], saidAt: number) =>
      store.main.transaction().execute((tx) =>
        appendToLog(
          tx,
          texts.map((text) => say(chat, text, { saidAt })),
        ),
      );
    const many = Array.from({ length: 40 }, (_, index) => `第${index}句话`);
    await append(many, monday);
    await append(["其次一句话", "其次两句话"], monday + 1_000);
    await append(["最后一句话"], monday + 2_000);
    await append(["补上一句话"], monday + 500);
    const rows = await store.main.selectFrom("log_messages").select("text").orderBy("place").execute();
    expect(rows.map(({ text }) => text)).toEqual([...many, "其次一句话", "其次两句话", "最后一句话", "补上一句话"]);
    const find = async (from: number, to: number) => {
      const asked = { chats: [chat], from: monday + from, to: monday + to };
      const found = await searchLog(store.main, { ...asked, all: ["句话"], limit: 99 });
      expect(await countLog(store.main, { ...asked, all: ["句话"] })).toBe(found.length);
      expect(await countLog(store.main, { ...asked, all: ["一句话"] })).toBe(
        found.filter(({ text }) => text.includes("一句话")).length,
      );
      return found.map(({ text }) => text);
    };
    expect(await find(0, 0)).toEqual(many.toReversed());
    expect(await find(1, 999)).toEqual(["补上一句话"]);
    expect(await find(1_000, 1_999)).toEqual(["其次两句话", "其次一句话"]);
    expect(await find(2_000, 9_000)).toEqual(["最后一句话"]);
    expect(await find(2_001, 9_000)).toEqual([]);
    expect(await pruneLogSlice(store.main, monday + 2_000)).toBe(false);
    const left = await store.main.selectFrom("log_messages").select("text").execute();
    expect(left.map(({ text }) => text)).toEqual(["最后一句话"]);
  });

  it("keeps a burst of talk in its order and finds it by its time, though one second has not places enough", async () => {
    const store = await createTestStore(engine);
    await addSession(store, "s");
    const hear = (text: string, saidAt: number) =>
      store.main.transaction().execute((tx) =>
        logSaid(tx, {
          session: "s",
          sender: { person: "fake:alice", name: "alice" },
          role: "person",
          text,
          taint: "user",
          key: text,
          saidAt,
        }),
      );
    const many = Array.from({ length: 200 }, (_, index) => `第${index}句话`);
    for (const text of many) await hear(text, monday);
    await hear("补上的话", monday - 60_000);
    await hear("然后的话", monday + 1_000);
    await hear("最后的话", monday + 60_000);
    const rows = await store.main.selectFrom("log_messages").select("text").orderBy("place").execute();
    expect(rows.map(({ text }) => text)).toEqual(["补上的话", ...many, "然后的话", "最后的话"]);
    const find = async (from: number, to: number) =>
      (await searchLog(store.main, { chats: [1], from: monday + from, to: monday + to, all: ["的话"], limit: 9 })).map(
        ({ text }) => text,
      );
    expect(await find(1_000, 1_999)).toEqual(["然后的话"]);
    expect(await find(2_000, 70_000)).toEqual(["最后的话"]);
    expect(await find(-70_000, -1)).toEqual(["补上的话"]);
    expect(await countLog(store.main, { chats: [1], from: monday, to: monday, all: ["句话"] })).toBe(200);
  });

  it("keeps the order of talk where a message that filled a second was taken back", async () => {
    const store = await createTestStore(engine);
    await addSession(store, "s");
    const hear = (text: string, person = "fake:alice", fails = false) =>
      store.main.transaction().execute(async (tx) => {
        const sender = { person, name: person };
        await logSaid(tx, { session: "s", sender, role: "person", text, taint: "user", key: text, saidAt: monday });
        if (fails) throw new Error("taken back");
      });
    const first = Array.from({ length: 15 }, (_, index) => `第${index}句`);
    for (const text of first) await hear(text);
    await expect(hear("收回的话", "fake:alice", true)).rejects.toThrow("taken back");
    await hear("甲");
    await hear("乙", "fake:bob");
    await hear("丙");
    const rows = await store.main.selectFrom("log_messages").select("text").orderBy("place").execute();
    expect(rows.map(({ text }) => text)).toEqual([...first, "甲", "乙", "丙"]);
  });

  it("finds the newest of many chats, however much is said in others", async () => {
    const store = await createTestStore(engine);
    const chats: number[] = [];
    for (let number = 0; number < 6; number += 1) chats.push(await addChat(store));
    const [elsewhere = 0, ...ours] = chats;
    const entries = Array.from({ length: 900 }, (_, index) =>
      say(index % 45 === 0 ? (ours[index % 5] ?? 0) : elsewhere, `第${index}次搬家了`, {
        sender: { person: "", name: `人${index % 2}` },
        saidAt: monday + index * 700,
      }),
    );
    await store.main.transaction().execute((tx) => appendToLog(tx, entries));
    const expected = entries.filter(({ chat }) => chat !== elsewhere).map(({ text }) => text);
    const find = async (search: Partial<LogSearch>, limit: number) =>
      (await searchLog(store.main, { chats: ours, all: ["搬家"], ...search, limit })).map(({ text }) => text);
    expect(await find({}, 99)).toEqual(expected.toReversed());
    expect(await find({ all: ["搬家了"] }, 9)).toEqual(expected.toReversed().slice(0, 9));
    expect(await find({ any: ["第"], to: monday + 700 * 450 }, 99)).toEqual(expected.slice(0, 11).toReversed());
    const { sender } = await store.main
      .selectFrom("log_messages")
      .select("sender")
      .where("text", "=", "第1次搬家了")
      .executeTakeFirstOrThrow();
    expect(await find({ senders: [sender] }, 99)).toEqual(expected.filter((_, index) => index % 2 === 1).toReversed());
  });

  it("looks on behind what only holds the same letters, and finds a long passage", async () => {
    const store = await createTestStore(engine);
    const passage = Array.from({ length: 300 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
    const texts = ["买了搬家具的车", `${passage}完`, ...Array.from({ length: 1_100 }, () => "搬家，家具，哈哈")];
    const chat = await addChat(store, texts);
    const find = async (word: string) => {
      const found = await searchLog(store.main, { chats: [chat], any: [word], limit: 1 });
      return [await countLog(store.main, { chats: [chat], any: [word] }), found[0]?.text];
    };
    expect(await find("搬家具")).toEqual([1, texts[0]]);
    expect(await find(passage)).toEqual([1, texts[1]]);
    expect(await find("哈哈哈")).toEqual([0, undefined]);
    expect(await find("家具")).toEqual([1_101, texts.at(-1)]);
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

it("takes less room for the index than for the texts", async () => {
  const store = await createTestStore("sqlite");
  const phrases = Array.from({ length: 60 }, (_, index) =>
    String.fromCodePoint(...[0, 1, 2, 3].map((letter) => 0x4e00 + 4 * index + letter)),
  );
  let state = 7;
  const pick = () => {
    state = (state * 48_271) % 2_147_483_647;
    return phrases[state % phrases.length] ?? "";
  };
  const chat = await addChat(store);
  const entries = Array.from({ length: 4_000 }, (_, index) =>
    say(chat, Array.from({ length: 11 }, pick).join(""), { key: `${index}`, saidAt: monday + index * 20_000 }),
  );
  await store.main.transaction().execute((tx) => appendToLog(tx, entries));
  const { rows } = await sql<{ index: number; text: number }>`
    select (select sum(length(block)) from log_search_data) as "index",
      (select sum(length(cast(text as blob))) from log_messages) as text`.execute(store.main);
  const { index = 0, text = 0 } = rows[0] ?? {};
  expect(index / text).toBeLessThan(1);
});
