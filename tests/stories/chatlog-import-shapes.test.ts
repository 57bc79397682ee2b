/*
 * Exports in the shapes that programs write them in: whatever the order of their keys and the size of what stands before, in chunks
 * with a manifest, as lists. What cannot be read is no success.
 */
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createKurisuFolder, type KurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { runHere } from "../support/kurisu-process/run-here.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";

const environment = { KURISU_MODEL: "offline" };
let folder: KurisuFolder;
let place: string;

beforeEach(() => {
  folder = createKurisuFolder();
  place = mkdtempSync(join(tmpdir(), "kurisu-exports-"));
});
afterEach(() => rmSync(place, { recursive: true }));

/** By the command as main.ts runs it. */
function importInto(...given: readonly string[]) {
  return runHere(["chatlog", "import", ...given], { folder, environment });
}

function write(name: string, content: unknown): string {
  const file = join(place, name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, undefined, 1));
  return file;
}

const readChats = () => lookIntoStore(folder, "select name from log_chats order by id");
const readSaid = () =>
  lookIntoStore(
    folder,
    "select s.name, s.person, m.text from log_messages m join log_senders s on s.id = m.sender order by m.said_at, m.text",
  );

const said = (id: number, text: string) => ({
  id,
  type: "message",
  date: "2025-07-11T15:36:11",
  date_unixtime: String(1_752_219_371 + id),
  from: "甲",
  from_id: "user11",
  text,
});

test("a large Telegram export is read though its name, type and id stand behind all of its messages", async () => {
  const file = join(place, "result.json");
  const output = openSync(file, "w");
  writeSync(output, '{"messages":[\n');
  // Notices with long texts come first, and make most of it.
  const notice = JSON.stringify({ id: 0, type: "service", date: "2025-07-11T15:36:11", text: "长".repeat(40_000) });
  for (let n = 0; n < 300; n += 1) writeSync(output, `${notice},\n`);
  writeSync(output, `${[said(1, "你好"), said(2, "在吗")].map((one) => JSON.stringify(one)).join(",\n")}\n],`);
  writeSync(output, '"id":9,"type":"private_supergroup","name":"大群"}');
  closeSync(output);
  expect(await importInto(file)).toMatchObject({
    code: 0,
    out: `${file} (telegram): 2 read, 2 new\n  into the chat "大群", for owners in private\n`,
  });
});

test("all chats of Telegram are read behind hundreds of contacts, each in a chat of its own, whatever they are called", async () => {
  const list = Array.from({ length: 600 }, (_, n) => ({ user_id: n, first_name: `contact ${n}`, phone_number: "00" }));
  const chat = (id: number, name: string, text: string) => ({
    messages: [said(id, text)],
    name,
    type: "personal_chat",
    id,
  });
  const everything = (title: string) => ({
    about: "x",
    personal_information: { user_id: 9 },
    contacts: { about: "y", list },
    chats: { about: "z", list: [chat(1, "小安", "一"), chat(2, "小安", "二"), chat(3, title, "三")] },
  });
  const first = await importInto(write("result.json", everything("旧名")), "--json");
  expect(JSON.parse(first.out)).toMatchObject({ format: "telegram", read: 3, new: 3, chats: [1, 2, 3] });
  expect(await readChats()).toEqual([{ name: "小安" }, { name: "小安" }, { name: "旧名" }]);
  // A new title is no new chat.
  const again = await importInto(write("later.json", everything("新名")), "--json");
  expect(JSON.parse(again.out)).toMatchObject({ read: 3, new: 0, duplicates: 3, chats: [1, 2, 3] });
  expect(await readChats()).toEqual([{ name: "小安" }, { name: "小安" }, { name: "新名" }]);
});

/** As qq-chat-exporter writes it; the name of a chunk stands under `key`. */
function writeChunked(key: "file" | "relativePath" | "fileName", chunks: number): string {
  const names = Array.from({ length: chunks }, (_, n) => `c00000${n + 1}.jsonl`);
  mkdirSync(join(place, "chunks"), { recursive: true });
  for (const [n, name] of names.entries()) {
    const sender = { uid: `u_${n}`, uin: `3000${n + 1}`, name: n === 0 ? "【群主】小安" : "小波" };
    const message = { id: `${n}`, timestamp: 1_752_219_371_000 + n, sender, content: { text: `第${n + 1}块` } };
    write(join("chunks", name), `${JSON.stringify(message)}\n`);
  }
  return write("manifest.json", {
    metadata: { version: "5.0.0", format: "chunked-jsonl" },
    chatInfo: { name: "大群", type: "group", peerUin: "501", selfUin: "1" },
    statistics: { totalMessages: chunks, chunkCount: chunks },
    chunked: {
      format: "jsonl",
      chunksDir: "chunks",
      chunks: names.map((name) => ({ [key]: key === "fileName" ? name : `chunks/${name}` })),
    },
  });
}

test("a manifest, its folder and the folder of its chunks are one export, read to the last chunk", async () => {
  for (const key of ["file", "relativePath", "fileName"] as const) {
    const manifest = writeChunked(key, 3);
    for (const path of [manifest, place, join(place, "chunks")])
      expect(JSON.parse((await importInto(path, "--json")).out)).toMatchObject({ read: 3, faulty: 0, chats: [1] });
  }
  expect(await readChats()).toEqual([{ name: "大群" }]);
  expect(await readSaid()).toEqual([
    { name: "小安", person: "qq:30001", text: "第1块" },
    { name: "小波", person: "qq:30002", text: "第2块" },
    { name: "小波", person: "qq:30003", text: "第3块" },
  ]);
});

test("a chunk that is missing is named, the others are read, and it is no success", async () => {
  const manifest = writeChunked("relativePath", 3);
  rmSync(join(place, "chunks", "c000002.jsonl"));
  const done = await importInto(manifest);
  expect(done).toMatchObject({ code: 1, out: expect.stringContaining("the chunk chunks/c000002.jsonl is missing") });
  expect(done.out).toContain("2 read, 2 new, 1 faulty");
});

test("a manifest cannot have files from outside of its folder read", async () => {
  write("secret.jsonl", '{"at":1752219371,"sender":"a","text":"秘密"}\n');
  mkdirSync(join(place, "export"));
  const manifest = write("export/manifest.json", { metadata: {}, chunked: { chunks: [{ file: "../secret.jsonl" }] } });
  expect(await importInto(manifest)).toMatchObject({
    code: 1,
    out: expect.stringContaining("the chunk ../secret.jsonl is missing"),
    error: expect.stringContaining("holds no message that could be read"),
  });
});

test("lists of messages are read, of groups and of private chats, and of messages with elements", async () => {
  const group = [
    { time: "2025-01-01 10:25:15", sender: "昵称", sender_qq: 30_001, contents: [["[文本]", "hello"]] },
    {
      time: "2025-01-01 10:25:16",
      sender: "昵称",
      sender_qq: 30_001,
      contents: [
        ["[图片]", "a\nb"],
        ["[文本]", "看"],
      ],
    },
    { time: "2025-01-01 10:25:17", sender: "昵称", sender_qq: 30_001, contents: [["[提示]", "入群"]] },
  ];
  const own = [
    { time: "2025-01-02 10:00:00", direction: "收", contents: [["[文本]", "来的"]] },
    { time: "2025-01-02 10:00:01", direction: "发", contents: [["[文本]", "去的"]] },
  ];
  const elements = [
    {
      msgId: "7",
      msgTime: "1735873200",
      senderUin: "30002",
      sendNickName: "小波",
      elements: [
        { elementType: 1, textElement: { content: "元素" } },
        { elementType: 2, picElement: {} },
      ],
    },
    {
      time: 1_735_873_201,
      sender: { uin: "30003", name: "小丙" },
      elements: [{ type: "text", data: { text: "又一" } }],
    },
  ];
  for (const [name, list] of Object.entries({ group, own, elements }))
    expect(await importInto(write(`${name}.json`, list))).toMatchObject({
      code: 0,
      out: expect.stringContaining("(qq-json): 2 read, 2 new"),
    });
  expect(await readSaid()).toEqual([
    { name: "昵称", person: "qq:30001", text: "hello" },
    { name: "昵称", person: "qq:30001", text: "[图片]看" },
    { name: "对方", person: "", text: "来的" },
    { name: "我", person: "cli:owner", text: "去的" },
    { name: "小波", person: "qq:30002", text: "元素[图片]" },
    { name: "小丙", person: "qq:30003", text: "又一" },
  ]);
});

test("whatever says that a line is one's own makes it the owner's, or that of whom --for names", async () => {
  const session = { wxid: "wxid_b", displayName: "小波" };
  const line = (own: Record<string, unknown>, n: number) => ({ ...own, localId: n, createTime: 1_752_219_371 + n });
  const words = { content: "我说的", senderDisplayName: "小安", type: "文本消息" };
  const mine = [{ isSend: true }, { isSend: 1 }, { is_sender: "1" }, { isSelf: true }].map((own, n) =>
    line({ ...own, isSend: own.isSend ?? 0, ...words }, n),
  );
  const theirs = line({ ...words, isSend: false, senderDisplayName: "小波", content: "TA说的" }, 9);
  const file = write("chat.json", { exportInfo: {}, messages: [...mine, theirs], session });
  expect((await importInto(file, "--for", "telegram:5")).code).toBe(0);
  expect((await readSaid()).map(({ person, text }) => `${String(person)} ${String(text)}`)).toEqual([
    ...mine.map(() => "telegram:5 我说的"),
    " TA说的",
  ]);
});

test("chats of WeChat as sjzar/chatlog writes them come in by their talkers, from JSON and from CSV", async () => {
  const message = (talker: string, sender: string, isSelf: boolean, content: string, seq: number) => ({
    seq,
    time: `2025-07-11T15:36:1${seq % 10}+08:00`,
    talker,
    talkerName: "家",
    isChatRoom: true,
    sender,
    senderName: isSelf ? "" : "小波",
    isSelf,
    type: 1,
    subType: 0,
    content,
  });
  const json = write("out.json", [
    message("1@chatroom", "wxid_b", false, "吃饭", 1),
    message("1@chatroom", "wxid_a", true, "来了", 2),
    message("2@chatroom", "wxid_b", false, "另一个群", 3),
  ]);
  expect(JSON.parse((await importInto(json, "--json")).out)).toMatchObject({
    format: "wechat",
    read: 3,
    chats: [1, 2],
  });
  const csv = write(
    "out.csv",
    [
      "Time,Talker,TalkerName,Sender,SenderName,IsSelf,Type,TypeDesc,Content",
      "2025-07-11 15:36:15,1@chatroom,家,wxid_b,小波,false,1,文本消息,还有吗",
      "2025-07-11 15:36:16,1@chatroom,家,wxid_a,,true,1,文本消息,有",
      "2025-07-11 15:36:17,1@chatroom,家,系统消息,,false,10000,系统消息,拍了拍",
    ].join("\n"),
  );
  expect(JSON.parse((await importInto(csv, "--json")).out)).toMatchObject({ format: "wechat", read: 2, chats: [1] });
  expect((await readSaid()).map(({ person, text }) => `${String(person)} ${String(text)}`)).toEqual([
    " 吃饭",
    "cli:owner 来了",
    " 另一个群",
    " 还有吗",
    "cli:owner 有",
  ]);
});

test("nothing read is no success, and says what the file looks like and what is known", async () => {
  // By the real program, whose exit code scripts look at.
  const started = spawnKurisu(
    ["chatlog", "import", write("empty.json", { chats: { list: [] }, personal_information: {} })],
    { folder, environment },
  );
  const { code } = await started.ended();
  const empty = { code, error: started.stderr() };
  expect(empty).toMatchObject({ code: 1, error: expect.stringContaining("a JSON document with chats") });
  const other = await importInto(write("other.json", { messages: [{ author: "a", body: "b" }] }));
  expect(other).toMatchObject({ code: 78, error: expect.stringContaining("messages with author, body") });
  for (const { error } of [empty, other])
    expect(error).toContain("Known are the formats telegram, qq-text, qq-json, wechat, onebot, jsonl");
});
