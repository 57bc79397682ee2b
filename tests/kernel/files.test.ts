import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Attachment, FetchedFile } from "../../src/channels/attachment.ts";
import type { Delivery } from "../../src/channels/types.ts";
import { TestGateway, codeOf } from "../support/gateway.ts";

const text = (words: string): FetchedFile => ({ kind: "fetched", content: Buffer.from(words) });
const file = (id: string, name?: string, bytes?: number): Attachment => ({
  kind: "file",
  ...(name !== undefined && { name }),
  ...(bytes !== undefined && { bytes }),
  source: { id },
});

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway();
  kurisu.model.script = () => ({ text: "收到。" });
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

const told = () => kurisu.model.asked.at(-1)?.text ?? "";
const session = "fake:bot:owner";
const folder = (of = session) => kurisu.workspace.folderFor(of);
const inbox = async (of?: string) => readdirSync(join(await folder(of), "inbox")).toSorted();
const send = (attachments: readonly Attachment[], words = "看看", more: object = {}) =>
  kurisu.say(words, { attachments, ...more });

describe("a file in a message", () => {
  it("a file is in the workspace before the model is asked, and is named in the words of the chat", async () => {
    kurisu.channel.files.set("a", { ...text("一二三"), mimeType: "text/plain; charset=utf-8" } as FetchedFile);
    await send([file("a", "笔记.txt"), { kind: "sticker", name: "😀" }]);
    expect(told()).toBe("看看\n\n[文件 笔记.txt: 已存到工作区 inbox/笔记.txt（text/plain，9 B）]\n[表情: 😀]");
    expect(readFileSync(join(await folder(), "inbox/笔记.txt"), "utf8")).toBe("一二三");
    await send([file("a", "notes.txt")], "Please have a look at this file for me", { user: "alice" });
    expect(told()).toContain("[file notes.txt: saved in the workspace as inbox/notes.txt (text/plain, 9 B)]");
    await send([file("a", "notes.txt")], "このファイルを読んでください", { user: "bob" });
    expect(told()).toContain("[ファイル notes.txt: ワークスペースの inbox/notes.txt に保存済み（text/plain、9 B）]");
  });

  it("begins a turn also without a word, and so does a sticker", async () => {
    kurisu.channel.files.set("a", text("x"));
    await send([file("a", "a.txt")], "");
    expect(told()).toBe("[文件 a.txt: 已存到工作区 inbox/a.txt（text/plain，1 B）]");
    for (const [name, words] of [
      ["😀 HotCherry", "[表情: 😀 HotCherry]"],
      ["[表情]", "[表情]"],
      ["[嗯]", "[表情: 嗯]"],
    ] as const) {
      await send([{ kind: "sticker", name }], "");
      expect(told()).toBe(words);
    }
    await send([{ kind: "location", name: "秋叶原" }], "");
    expect(kurisu.model.asked).toHaveLength(4);
    expect(kurisu.lastText()).toContain("收到了（位置 秋叶原）");
  });

  it("never takes the place of another file; the same one is there once", async () => {
    kurisu.channel.files.set("a", text("one")).set("b", text("two"));
    await send([file("a", "n.txt"), file("b", "n.txt"), file("a", "n.txt")]);
    expect(await inbox()).toEqual(["n (2).txt", "n.txt"]);
    expect(told().match(/inbox\/n\.txt/g)).toHaveLength(2);
    writeFileSync(join(await folder(), "inbox/n.txt"), "changed since");
    await send([file("a", "n.txt")]);
    expect(await inbox()).toEqual(["n (2).txt", "n (3).txt", "n.txt"]);
    expect(readFileSync(join(await folder(), "inbox/n.txt"), "utf8")).toBe("changed since");
  });

  it("a missing file is told in words, and the turn goes on", async () => {
    kurisu.channel.files.set("big", { kind: "fetched", content: Buffer.alloc(100_001) });
    await send([file("gone", "a.txt"), file("big", "b.bin"), file("x", "c.bin", 200_000), file("gone", "d.txt")]);
    expect(told().split("\n").slice(2)).toEqual([
      "[文件 a.txt: 没能取到：HTTP 404]",
      "[文件 b.bin: 没能取到：超过 97.7 KB 的上限]",
      "[文件 c.bin: 没能取到：超过 97.7 KB 的上限]",
      "[文件 d.txt: 没能取到：一条消息最多收 3 个文件]",
    ]);
    expect(kurisu.channel.fetched.map(({ id }) => id)).toEqual(["gone", "big"]);
    await send([{ kind: "voice", seconds: 5 }]);
    expect(told()).toContain("[语音 5 秒: 没能取到：平台没有给出取它的办法]");
    expect(kurisu.lastText("reply")).toBe("收到。");
  });

  it("a file does not lead out of the inbox, not even by an existing link", async () => {
    kurisu.channel.files.set("a", text("x"));
    const outside = join(kurisu.place.home, "outside");
    await mkdir(outside);
    await symlink(outside, join(await folder(), "inbox"));
    await send([file("a", "a.txt")]);
    expect(told()).toMatch(/没能取到：.*links are not followed/);
    expect(readdirSync(outside)).toEqual([]);
    await mkdir(join(await folder("fake:bot:alice"), "inbox"));
    await symlink(join(outside, "target"), join(await folder("fake:bot:alice"), "inbox/a.txt"));
    await send([file("a", "a.txt")], "看看", { user: "alice" });
    expect(told()).toContain("inbox/a (2).txt");
    expect(existsSync(join(outside, "target"))).toBe(false);
  });

  it("finds no room in a full workspace", async () => {
    await writeFile(join(await folder(), "large"), Buffer.alloc(990_000, 1));
    kurisu.channel.files.set("a", { kind: "fetched", content: Buffer.alloc(50_000, 1) });
    await send([file("a", "a.bin")]);
    expect(told()).toContain("没能取到：工作区满了");
  });

  it("downloads nothing for who is not let in, and nothing that begins no turn", async () => {
    kurisu.channel.files.set("a", text("x"));
    await send([file("a", "a.txt")], "看看", { user: "stranger" });
    await send([file("a", "a.txt")], "看看", { edited: true });
    await send([file("a", "a.txt")], "/status");
    expect(kurisu.channel.fetched).toEqual([]);
    expect(kurisu.model.asked).toEqual([]);
  });

  it("stops with /stop, and the turn with it", async () => {
    const never = Promise.withResolvers<void>();
    kurisu.channel.onFetch = () => never.promise;
    kurisu.channel.files.set("a", text("x"));
    const said = send([file("a", "a.txt")]);
    await kurisu.until(() => kurisu.channel.fetched.length === 1);
    await kurisu.channel.deliver();
    const stopped = kurisu.say("/stop");
    await kurisu.until(() => kurisu.channel.sent.length > 0);
    never.resolve();
    await Promise.all([said, stopped]);
    expect(kurisu.model.asked).toEqual([]);
    expect(kurisu.lastText()).toContain("停下了");
  });

  it("the record of a file names its sender and counts the content as untrusted", async () => {
    kurisu.channel.files.set("a", text("x"));
    await send([file("a", "a.txt")]);
    await send([file("a", "b.txt")], "看看", { forwarded: true });
    const rows = await kurisu.store.main.selectFrom("messages").selectAll().where("role", "=", "user").execute();
    const records = rows.map((row) => JSON.parse(row.content) as { senderId: string; files?: { taint: string }[] });
    expect(records).toMatchObject([
      { senderId: "fake:owner", files: [{ path: "inbox/a.txt", bytes: 1, taint: "untrusted" }] },
      { senderId: "fake:owner", files: [{ path: "inbox/b.txt", taint: "untrusted" }] },
    ]);
    expect(rows.map(({ taint }) => taint)).toEqual(["exposed", "untrusted"]);
  });
});

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

describe("a picture that a person sends", () => {
  const picture = (id = "p"): Attachment => ({ kind: "image", source: { id } });
  /** The content of the newest message of a person, as the model got it. */
  const given = () => kurisu.model.asked.at(-1)?.request.messages.findLast(({ type }) => type === "human")?.content;

  beforeEach(() => {
    kurisu.model.inputs = new Set(["image"]);
    kurisu.channel.files.set("p", { kind: "fetched", content: png });
  });

  it("a model that sees gets the picture byte for byte, and only in its own turn", async () => {
    await send([picture()], "这是什么？");
    expect(given()).toMatchObject([
      { type: "text", text: expect.stringContaining("这是什么？\n\n[图片: 已存到工作区 inbox/image.png") },
      { type: "image", mimeType: "image/png", data: png.toString("base64") },
    ]);
    await kurisu.say("那左边呢？");
    const all = JSON.stringify(kurisu.model.asked.at(-1)?.request.messages);
    expect(all).toContain("inbox/image.png");
    expect(all).not.toContain(png.toString("base64"));
    const tables = ["inbox", "turns", "messages", "outbox"] as const;
    for (const table of tables) {
      const rows = await kurisu.store.main.selectFrom(table).selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(png.toString("base64"));
    }
  });

  it("makes what is answered to it untrusted, as reading a stranger's file would", async () => {
    await send([picture()], "看看");
    const { taint } = (await kurisu.store.main.selectFrom("messages").selectAll().execute()).at(-1) ?? {};
    expect(taint).toBe("untrusted");
  });

  it("stays a path for a model that reads only, and taints nothing", async () => {
    kurisu.model.inputs = new Set();
    await send([picture()], "看看");
    expect(given()).toEqual(expect.stringContaining("inbox/image.png"));
    const { taint } = (await kurisu.store.main.selectFrom("messages").selectAll().execute()).at(-1) ?? {};
    expect(taint).not.toBe("untrusted");
  });

  it("counts when it is quoted, also without a word", async () => {
    const quote = { messageId: "7", fromUs: false, text: "周末", attachments: [picture()] };
    await kurisu.say("这是什么", { quote });
    expect(given()).toMatchObject([
      {
        text: expect.stringContaining("> 周末\n> [图片: 已存到工作区 inbox/image.png（image/png，16 B）]\n\n这是什么"),
      },
      { type: "image" },
    ]);
    await kurisu.say("", { quote: { ...quote, text: "" } });
    expect(given()).toMatchObject([{ type: "text" }, { type: "image" }]);
  });

  it("a file with the wrong content for a picture is not shown", async () => {
    kurisu.channel.files.set("p", { kind: "fetched", content: Buffer.from("<svg/>"), mimeType: "image/svg+xml" });
    await send([picture()], "看看");
    expect(given()).toEqual(expect.stringContaining("image/svg+xml"));
  });
});

describe("the files she sends", () => {
  const inGroup = { group: true, chat: "club", user: "alice" };
  const club = "fake:bot:club";

  /** The model sends the file it is told to, and says what came of it. */
  beforeEach(async () => {
    kurisu.model.script = ({ text, results }) =>
      results.length > 0
        ? { text: results[0] ?? "" }
        : text.includes("发")
          ? { text: "这就发。", calls: [{ name: "send_file", arguments: { path: "a.txt", caption: "给你" } }] }
          : { text: "好。" };
    for (const of of [session, club, "fake:bot:alice"]) await writeFile(join(await folder(of), "a.txt"), "the content");
  });

  const files = () => kurisu.channel.sent.filter(({ message }) => message.kind === "file");
  const kept = () =>
    existsSync(join(kurisu.place.home, "outgoing")) ? readdirSync(join(kurisu.place.home, "outgoing")) : [];

  it("goes at once in the owner's own chat only", async () => {
    await kurisu.say("发");
    expect(files()).toMatchObject([{ text: "给你", message: { file: { name: "a.txt", bytes: 11 } } }]);
    expect(files()[0]?.content?.toString()).toBe("the content");
    expect(kurisu.lastText("reply")).toContain(files()[0]?.id);
    expect(kept()).toEqual([]);
    await kurisu.say("发", { user: "alice" });
    expect(await kurisu.questions()).toHaveLength(1);
    await kurisu.say("发", { user: "owner", group: true, chat: "club" });
    expect(await kurisu.questions(club)).toHaveLength(1);
    expect(files()).toHaveLength(1);
  });

  it("carries no link in its caption whose address is hidden", async () => {
    kurisu.model.script = ({ results }) =>
      results.length > 0
        ? { text: "好。" }
        : { calls: [{ name: "send_file", arguments: { path: "a.txt", caption: "[给你](https://a.test/?q=1)" } }] };
    await kurisu.say("发");
    expect(files().map((one) => one.text)).toEqual(["给你 (https://a.test/?q=1)"]);
  });

  it("asks there, too, when a rule says so", async () => {
    kurisu.rules.current = { ...kurisu.rules.current, rules: [{ tool: "send_file", level: "confirm" }] };
    await kurisu.say("发");
    expect(files()).toEqual([]);
    expect(await kurisu.questions(session)).toHaveLength(1);
  });

  it("no question is asked about a file that is missing, empty or too large", async () => {
    for (const content of ["", "x".repeat(1_000_001)]) {
      await writeFile(join(await folder(club), "a.txt"), content);
      await kurisu.say("发", inGroup);
    }
    expect(await kurisu.questions()).toEqual([]);
    expect(kurisu.channel.sent.map((one) => one.text).join()).toMatch(/is empty.*Files of at most 977 KB/s);
  });

  it("the approval of a file is bound to the bytes that were shown", async () => {
    await kurisu.say("发", inGroup);
    expect(kurisu.lastPrompt().text).toContain("→ 本群");
    await writeFile(join(await folder(club), "a.txt"), "another one");
    await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, inGroup);
    expect(kurisu.lastText("reply")).toContain("has changed since it was asked for");
    expect(files()).toEqual([]);
    expect(kept()).toEqual([]);
  });

  it("keeps its place among the messages of the chat, and its content while it waits", async () => {
    let busy = true;
    kurisu.channel.onSend = ({ kind }): Delivery | undefined =>
      kind === "file" && busy ? { kind: "later", afterMs: 1_000, reason: "429" } : undefined;
    const said = kurisu.say("发");
    await kurisu.until(() => kept().length === 1);
    await writeFile(join(await folder(), "a.txt"), "changed later");
    await said;
    expect(kurisu.model.asked.at(-1)?.results[0]).toContain("queued");
    expect(kurisu.channel.sent).toEqual([]);
    busy = false;
    kurisu.clock.advance(10_000);
    await kurisu.restart();
    await kurisu.until(() => kurisu.channel.sent.length === 2);
    expect(kurisu.channel.sent.map(({ message }) => message.kind)).toEqual(["file", "reply"]);
    expect(files()[0]?.content?.toString()).toBe("the content");
    expect(kept()).toEqual([]);
  });

  it.each<readonly [Delivery, RegExp]>([
    [{ kind: "refused", reason: "403 Forbidden" }, /The chat did not take it: 403 Forbidden/],
    [{ kind: "unknown", reason: "1200" }, /may have arrived or not/],
  ])("tells the model when it ends as %j", async (delivery, expected) => {
    kurisu.channel.onSend = ({ kind }) => (kind === "file" ? delivery : undefined);
    await kurisu.say("发");
    expect(kurisu.lastText("reply")).toMatch(expected);
    expect(files()).toEqual([]);
    expect(kept()).toEqual([]);
  });

  it("the next start sweeps files that are not going to be sent", async () => {
    await kurisu.say("发");
    writeFileSync(join(kurisu.place.home, "outgoing", "file_turn_x.1.1"), "orphan");
    writeFileSync(join(kurisu.place.home, "outgoing", "file_turn_y.1.1.half"), "half");
    await kurisu.restart();
    expect(kept()).toEqual([]);
  });
});
