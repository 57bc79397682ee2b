import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/core/clock.ts";
import type {
  ImportedMessage,
  ImportPiece,
  SourceChat,
} from "../../../../src/features/chatlog/import/import-format.ts";
import { importMessages } from "../../../../src/features/chatlog/import/import-messages.ts";
import { createLogImport, type ImportPlace } from "../../../../src/features/chatlog/import/log-import.ts";
import { addLogChat, appendToLog } from "../../../../src/features/chatlog/queries/append-to-log.ts";
import { addLogReader } from "../../../../src/features/chatlog/queries/log-readers.ts";
import { findLogChats } from "../../../../src/features/chatlog/queries/chat-log.ts";
import { searchLog } from "../../../../src/features/chatlog/queries/chat-log-search.ts";
import { ensureSession } from "../../../../src/store/queries/sessions.ts";
import { listEngines, type EngineName } from "../../../support/store-engines.ts";
import { createTestStore } from "../../../support/test-store.ts";

const session = "telegram:99:-100123";
const at = Date.parse("2024-05-01T04:00:00Z");
const shared: SourceChat = { name: "群", source: "telegram:123", sharesIds: true };
const unshared: SourceChat = { name: "群", source: "telegram:123", sharesIds: false };
const noIds: SourceChat = { name: "群", source: "", sharesIds: false };
const own: ImportPlace = { kind: "own", name: "群", readers: ["owners"] };
const live: ImportPlace = { kind: "session", session };
const ann = { name: "Ann", person: "telegram:1" };

const say = (text: string, more: Partial<ImportedMessage> = {}): ImportedMessage => ({
  at,
  sender: ann,
  text,
  ...more,
});

/** A store in which one message was heard live: Ann's 在吗 with the platform's id 7. */
async function open(engine: EngineName) {
  const store = await createTestStore(engine);
  const place = { platform: "telegram", account: "99", chat: "-100123", thread: null, chatKind: "group" } as const;
  await ensureSession(store.main, { ...place, id: session, language: "zh", now: 0 });
  const log = createLogImport({ store, clock: systemClock });
  const { chat } = await log.open(live);
  await store.main.transaction().execute(async (tx) => {
    await addLogReader(tx, chat, ann.person);
    const common = { chat, taint: "user", message: undefined } as const;
    await appendToLog(tx, [
      { ...common, role: "person", sender: ann, text: "在吗", key: "7", saidAt: at + 1_400 },
      // From before there was a log, and as she heard it twice.
      { ...common, role: "person", sender: ann, text: "早上好", key: "message:3", saidAt: at + 2_000 },
      { ...common, role: "person", sender: ann, text: "哈", key: "10", saidAt: at + 1_000 },
      { ...common, role: "person", sender: ann, text: "哈", key: "11", saidAt: at + 4_000 },
      { ...common, role: "her", sender: { person: "", name: "红莉栖" }, text: "在", key: "8", saidAt: at + 2_000 },
    ]);
  });
  const texts = async (id: number) => {
    const found = await searchLog(store.main, { chats: [id], any: ["在", "好", "哈", "早", "x"], limit: 50 });
    return found.map(({ sender, text }) => `${sender.name}:${text}`).toSorted();
  };
  return { store, log, chat, texts };
}

describe.each(listEngines())("an import on %s", (engine) => {
  it("knows a chat by its platform's id, and one without an id by its name", async () => {
    const { store, log } = await open(engine);
    const idOf = async (place: ImportPlace) => (await log.open(place)).chat;
    const first: ImportPlace = { ...own, origin: "telegram:channel:1" };
    const old = await store.main
      .transaction()
      .execute((tx) => addLogChat(tx, { kind: "import", name: "群", readers: ["owners"], now: 0 }));
    // It was imported before ids were kept.
    expect(await idOf(first)).toBe(old);
    const second = await idOf({ ...own, origin: "telegram:channel:2" });
    expect(second).not.toBe(old);
    expect(await idOf({ ...first, name: "新名" })).toBe(old);
    const nameless = await idOf(own);
    expect([old, second]).not.toContain(nameless);
    expect(await idOf(own)).toBe(nameless);
    // Who names it means the chat of that name, however it came.
    expect(await idOf({ ...own, name: "新名", isNamed: true })).toBe(old);
    expect(await idOf({ ...first, readers: ["telegram:5"] })).not.toBe(old);
  });

  it("leaves out what the log has already, by id or by who, what and when", async () => {
    const { log, chat, texts } = await open(engine);
    const target = await log.open(live);
    expect(target.chat).toBe(chat);
    const add = (source: SourceChat, ...messages: ImportedMessage[]) => log.append(target, source, messages);

    expect(await add(shared, say("在吗（改过）", { id: "7" }))).toEqual({ added: 0, duplicates: 1 });
    // Elsewhere the numbers are an account's own: 7 may be anything there.
    expect(await add(unshared, say("早", { id: "7" }), say("在吗", { id: "3" }))).toEqual({ added: 1, duplicates: 1 });
    expect(await add(noIds, say("在吗"))).toEqual({ added: 0, duplicates: 1 });
    expect(await add(noIds, say("在吗", { sender: { name: "Ann" } }))).toEqual({ added: 0, duplicates: 1 });
    expect(await add(noIds, say("在吗", { sender: { name: "Bo" } }))).toEqual({ added: 1, duplicates: 0 });
    expect(await add(noIds, say("在吗", { at: at + 20_000 }))).toEqual({ added: 1, duplicates: 0 });
    expect(await add(shared, say("早上好", { id: "5" }))).toEqual({ added: 0, duplicates: 1 });
    const twice = [say("哈"), say("哈", { at: at + 3_000 }), say("哈", { at: at + 6_000 })];
    expect(await add(noIds, ...twice)).toEqual({ added: 1, duplicates: 2 });
    expect(await add(noIds, ...twice)).toEqual({ added: 0, duplicates: 3 });
    // Two messages of one export that read alike are two; one with no id can only be told by its text.
    expect(await add(shared, say("哈哈", { id: "20" }), say("哈哈", { id: "21" }))).toEqual({
      added: 2,
      duplicates: 0,
    });
    expect(await add(shared, say("哈哈", { id: "20" }), say("哈哈", { id: "21" }))).toEqual({
      added: 0,
      duplicates: 2,
    });
    expect(await add(noIds, say("哈哈"), say("哈哈"))).toEqual({ added: 0, duplicates: 2 });
    expect(await add(noIds, say("好好"), say("好好"))).toEqual({ added: 1, duplicates: 1 });
    // The same talk once more, out of another program's export.
    expect(await add(unshared, say("好好", { id: "50" }))).toEqual({ added: 0, duplicates: 1 });
    // Her words are in the log since she was there; before, they come from the export.
    const her = { name: "Kurisu bot", person: "telegram:99" };
    expect(await add(shared, say("在", { id: "8", sender: her, at: at + 3_000 }))).toEqual({ added: 0, duplicates: 1 });
    expect(await add(shared, say("在x", { id: "2", sender: her, at: at - 19_000 }))).toEqual({
      added: 1,
      duplicates: 0,
    });
    expect(await texts(chat)).toEqual(
      [
        "Ann:哈",
        "Ann:哈",
        "Ann:哈",
        "Ann:哈哈",
        "Ann:哈哈",
        "Ann:在吗",
        "Ann:在吗",
        "Ann:好好",
        "Ann:早",
        "Ann:早上好",
        "Bo:在吗",
        "Kurisu bot:在x",
        "红莉栖:在",
      ].toSorted(),
    );
  });

  it("an import is a chat of its own for each set of readers, and a person merely named in it reads nothing", async () => {
    const { log, store, texts } = await open(engine);
    const first = await log.open(own);
    const forCarol = await log.open({ ...own, readers: ["telegram:5"] });
    expect(new Set([first.chat, forCarol.chat]).size).toBe(2);
    expect(await log.open(own)).toEqual(first);
    await log.append(first, noIds, [say("在吗")]);
    expect(await texts(forCarol.chat)).toEqual([]);
    expect(await findLogChats(store.main, { readers: [ann.person] })).toMatchObject([{ session }]);
    expect(await findLogChats(store.main, { readers: ["telegram:5"] })).toMatchObject([
      { id: forCarol.chat, name: "群" },
    ]);
    expect(await log.open({ kind: "session", session: "telegram:99:1" }).catch(String)).toContain("She is in no chat");
  });
});

it("goes in batches that follow how long the last one took, and tells what became of everything", async () => {
  const { log, store } = await open("sqlite");
  const sizes: number[] = [];
  let clock = 0;
  const messages = Array.from({ length: 1_000 }, (_, n): ImportPiece => ({
    kind: "message",
    line: n,
    message: {
      at: at + n * 1_000,
      text: `好 ${n}`,
      sender: { name: n % 2 === 0 ? "我" : "Bo", ...(n % 2 === 0 && { self: true }) },
    },
  }));
  async function* pieces(): AsyncGenerator<readonly ImportPiece[]> {
    yield [{ kind: "chat", chat: noIds }, ...messages];
    for (const odd of [Date.UTC(9999, 11, 31), Date.UTC(1989, 0, 1)])
      yield [{ kind: "message", line: 9, message: { at: odd, text: "好", sender: { name: "Bo" } } }];
    yield Array.from({ length: 25 }, (_, n): ImportPiece => ({ kind: "faulty", line: n, reason: "odd" }));
  }
  const report = await importMessages(pieces(), {
    log: {
      open: log.open,
      async append(...given) {
        sizes.push(given[2].length);
        clock += given[2].length > 300 ? 100 : 1;
        return log.append(...given);
      },
    },
    placeOf: () => own,
    self: { person: "telegram:5" },
    onProgress: () => undefined,
    holdMs: 40,
    now: () => clock,
    clock: { now: () => at + 2_000_000 },
  });
  // The last two are of the years 9999 and 1989: one such line ends no import.
  expect(report).toMatchObject({ read: 1_000, added: 1_000, duplicates: 0, faulty: 27 });
  expect(report.faultyLines).toHaveLength(20);
  expect(sizes).toEqual([100, 200, 400, 200, 100]);
  const last = await searchLog(store.main, { chats: report.chats, all: ["好"], limit: 2 });
  expect(last.map(({ sender, text }) => [sender.name, sender.person, text])).toEqual([
    ["Bo", "", "好 999"],
    ["我", "telegram:5", "好 998"],
  ]);
});
