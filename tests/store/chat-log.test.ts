import { array, assert, asyncProperty, constantFrom, integer, nat, oneof, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { addLogChat, appendToLog, type LogEntry } from "../../src/store/queries/append-to-log.ts";
import { readLogMessages } from "../../src/store/queries/chat-log.ts";
import { countLog, type LogSearch, searchLog } from "../../src/store/queries/chat-log-search.ts";
import type { Store } from "../../src/store/open-store.ts";
import { foldText } from "../../src/store/search/fold-text.ts";
import { engines } from "../support/store-engines.ts";
import { createTestStore } from "../support/test-store.ts";

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
