import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InboundMessage, OutboundMessage } from "../../src/channels/types.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait-until.ts";
import { openApi } from "./places/api-place.ts";
import { openCommandLine } from "./places/command-line-place.ts";
import { openOneBot } from "./places/onebot-place.ts";
import { openFile } from "./places/file-place.ts";
import type { Hearing, Place, Platform } from "./places/place.ts";
import { openQq } from "./places/qq-place.ts";
import { openTelegram } from "./places/telegram-place.ts";
import { openTestChannel } from "./places/test-channel-place.ts";

const platforms: readonly Platform[] = [
  { name: "command line", open: openCommandLine, remote: false },
  { name: "telegram, polling", open: () => openTelegram("polling"), remote: true },
  { name: "telegram, webhook", open: () => openTelegram("webhook"), remote: true },
  { name: "onebot, forward", open: () => openOneBot("forward"), remote: true },
  { name: "onebot, posted events", open: () => openOneBot("posted"), remote: true },
  { name: "onebot, reverse", open: () => openOneBot("reverse"), remote: true },
  { name: "official QQ, gateway", open: () => openQq("gateway"), remote: true },
  { name: "official QQ, webhook", open: () => openQq("webhook"), remote: true },
  { name: "OpenAI's API", open: openApi, remote: false },
  { name: "the example of a folder", open: openFile, remote: false },
  { name: "the one of our tests", open: openTestChannel, remote: false },
];

let place: Place;
let made = 0;

/** Each has an id of its own: the same id is the same message. */
function makeMessage(changes: Partial<OutboundMessage>): OutboundMessage {
  made += 1;
  return { id: `out-${made}`, kind: "reply", address: place.address, text: "好", plain: false, ...changes };
}

/** The id of each part, or how its delivery ended instead. */
async function sendWhole(changes: Partial<OutboundMessage>): Promise<readonly string[]> {
  const sent = makeMessage(changes);
  const texts = place.channel.split(sent);
  const ids: string[] = [];
  for (const [index, text] of texts.entries()) {
    const delivery = await place.channel.send(sent, { text, index, last: index === texts.length - 1 });
    ids.push(delivery.kind === "sent" ? delivery.messageId : delivery.kind);
  }
  return ids;
}

/** Says something and answers what the gateway was handed for it. */
async function hear(text: string, how?: Hearing): Promise<InboundMessage> {
  const id = await place.hear(text, how);
  // By its id: the platform may tell what was said before once more, as a history after a connection.
  const find = () => place.events().find((event) => event.kind === "message" && event.messageId === id);
  await expect.poll(find).toBeDefined();
  const event = find();
  if (event?.kind !== "message") throw new Error("no message was handed in");
  return event;
}

const squeeze = (text: string) => text.replaceAll(/[\s\p{C}]/gu, "");

/** Each word comes after the one before it; -1 nowhere. */
function findInOrder(text: string, words: readonly string[]): number {
  let at = 0;
  for (const word of words) {
    const found = squeeze(text).indexOf(squeeze(word), at);
    if (found < 0) return -1;
    at = found + squeeze(word).length;
  }
  return at;
}

const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), randomBytes(64)]);

describe.each(platforms)("a channel: $name", ({ open }) => {
  beforeEach(async () => {
    place = await open();
  });
  afterEach(() => place.close());

  it("hands in what is said, with the ids of its own platform", async () => {
    await place.hear("你好");
    await place.hear("在吗");
    await expect.poll(() => place.events().length).toBe(2);
    const [first, second] = place.events();
    expect(first).toMatchObject({
      kind: "message",
      address: place.address,
      text: "你好",
      chatKind: "private",
      addressed: true,
    });
    expect(first).toMatchObject({
      sender: { kind: "person" },
      edited: false,
      forwarded: false,
      caption: false,
      viaBot: false,
    });
    expect(first?.key).not.toBe(second?.key);
    expect(place.address.platform).toBe(place.channel.platform);
  });

  it("splits every text into parts that are there, in order, and loses nothing that can be read", () => {
    for (const text of [
      "好",
      "很长。".repeat(4_000),
      "一段\n\n".repeat(2_000),
      "```\nls\n```",
      "a".repeat(9_000),
      "😀".repeat(3_000),
    ]) {
      const parts = place.channel.split(makeMessage({ text, plain: true }));
      expect(parts.length).toBeGreaterThan(0);
      expect(parts.filter((part) => part.trim() === "")).toEqual([]);
      const shown = parts.map((part) => place.shows?.(part) ?? part).join("");
      expect(shown.replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
    }
  });

  it("sends each part and answers its id, which is another one for each", async () => {
    const ids = [...(await sendWhole({ text: "一段话。\n\n".repeat(1_500) })), ...(await sendWhole({ text: "完" }))];
    expect(ids.filter((id) => ["refused", "later", "unknown", "absent", ""].includes(id))).toEqual([]);
    expect(place.seen().length).toBe(ids.length);
  });

  it("takes a question with its choices, and its code reaches the person", async () => {
    const question = { id: "q", code: "K7", calls: [{ tool: "shell", summary: "ls" }], expiresAt: 0 };
    const choices = [{ label: "确认", data: "a:q:y", style: "approve" }] as const;
    const text = "要运行 `ls`，编号 K7。回复「确认 K7」。";
    const [id] = await sendWhole({ kind: "question", text, question, choices });
    expect(id).toMatch(/\S/);
    expect(place.seen().at(-1)?.text).toContain("编号 K7");
    expect(place.seen().at(-1)?.text).toContain("确认 K7");
    const closed = await place.channel.close?.(place.address, id ?? "", "✓ 已确认");
    expect(closed?.kind ?? "sent").toBe("sent");
  });

  it.each<readonly [string, string, readonly string[]]>([
    ["control characters", "a\u0000b\u0007c\u001B[31md\u202Ee\u200Bf", ["a", "b", "c", "31m", "d", "e", "f"]],
    ["ten thousand characters", "很长的一段话。".repeat(1_430), ["很长的一段话。".repeat(1_430)]],
    ["a code of QQ", "[CQ:at,qq=all] 大家好 [CQ:reply,id=1]", ["[CQ:at,qq=all]", "大家好", "[CQ:reply,id=1]"]],
    ["emoji", "👩‍🔬🇯🇵😀 ".repeat(300), ["👩‍🔬🇯🇵😀".repeat(300)]],
    ["half a character", "a\uD800b", ["a", "b"]],
    ["broken Markdown", "**粗 `a < b && c\n> [x](", ["粗", "a < b && c", "x"]],
    [
      "Markdown",
      "# 标题\n\n| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n\n```js\nif (a) {}\n```",
      ["标题", "甲", "乙", "1", "2", "if (a) {}"],
    ],
  ])("brings hostile text readable and complete: %s", async (_, text, words) => {
    for (const plain of [true, false]) {
      const before = place.seen().length;
      await sendWhole({ text, plain });
      const shown = place.seen().slice(before);
      expect(shown.some(({ rings }) => rings)).toBe(false);
      expect(findInOrder(shown.map((message) => message.text).join(""), words), `plain: ${plain}`).toBeGreaterThan(0);
    }
  });

  it.each([
    ["a text", "notes.txt", Buffer.from("十二点见\n"), ""],
    ["a picture", "shown.png", png, "a.example"],
    ["a picture that the platform cannot show as one", "no.png", Buffer.from("no picture"), ""],
    ["bytes of any kind, with a caption", "图 (2).bin", randomBytes(300_000), "看这个"],
    ["a long Chinese name", `${"很长的名字".repeat(12)}.pdf`, Buffer.from([0, 255, 10]), "a\nb"],
  ])("sends a file exactly as it is: %s", async (_, name, content, caption) => {
    const folder = await createTemporaryFolder();
    const path = join(folder, "kept");
    await writeFile(path, content);
    const sha256 = createHash("sha256").update(content).digest("hex");
    const file = { name, bytes: content.length, sha256, ...(name.endsWith(".png") && { picture: true }) };
    const message = { ...makeMessage({ kind: "file", text: caption, plain: true, cause: "c" }), file };
    const delivery = await place.channel.sendFile(message, path);
    expect(delivery).toMatchObject({ kind: "sent", messageId: expect.stringMatching(/\S/) as string });
    expect(place.seenFiles()).toEqual([{ name, content, caption }]);
    expect(content.length).toBeLessThan(place.channel.capabilities.fileLimit);
  });

  it("a channel has exactly the methods that its capabilities promise", () => {
    const { channel } = place;
    const { buttons, edit, reactions, removal, streaming } = channel.capabilities;
    expect({
      answerPress: channel.answerPress !== undefined,
      close: channel.close !== undefined,
      react: channel.react !== undefined,
      remove: channel.remove !== undefined,
      show: channel.show !== undefined,
    }).toEqual({ answerPress: buttons, close: edit, react: reactions, remove: removal, show: streaming !== "none" });
  });

  it("holds a text of its limit in one message, and one more in two", async () => {
    const { textLimit } = place.channel.capabilities;
    const isEndless = textLimit === Infinity;
    const most = isEndless ? 99_999 : textLimit;
    for (const plain of [true, false]) {
      expect(place.channel.split(makeMessage({ text: "字".repeat(most + 1), plain }))).toHaveLength(isEndless ? 1 : 2);
      const [, ...more] = await sendWhole({ text: "字".repeat(most), plain });
      expect(more).toEqual([]);
      expect(place.seen().at(-1)?.text).toHaveLength(most);
    }
  });

  it("shows typing without failing, however often", async () => {
    for (let times = 0; times < 3; times += 1) await place.channel.showTyping?.(place.address);
    expect(place.seen()).toEqual([]);
  });

  it("a channel shows a running turn without failing", async () => {
    const tools = [{ id: "1.1", name: "time", summary: "now", phrase: "看一眼钟", status: "started" }] as const;
    const view = { turn: "t", cause: "c", address: place.address, text: "我看看。", tools };
    const preview = await place.channel.show?.(view);
    expect(["string", "undefined"]).toContain(typeof preview);
  });

  it("says how it is, and can be stopped twice", async () => {
    await expect.poll(() => place.channel.health().state).toBe("ready");
    await place.channel.stop();
    await place.channel.stop();
  });
});

describe.each(platforms.filter(({ remote }) => remote))("a channel to a platform elsewhere: $name", ({ open }) => {
  beforeEach(async () => {
    place = await open();
    await waitUntil("good health", () => place.channel.health().state === "ready");
  });
  afterEach(() => place.close());

  it("tells when the platform gave its last sign of life", async () => {
    await hear("在吗");
    const before = place.channel.health().aliveAt ?? 0;
    expect(before).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await hear("在吗");
    await expect.poll(() => place.channel.health().aliveAt ?? 0).toBeGreaterThan(before);
  });

  it("gives one event one key, however often it is told", async () => {
    await place.hearTwice?.("在吗");
    await expect.poll(() => place.events().length).toBe(2);
    expect(new Set(place.events().map(({ key }) => key)).size).toBe(1);
    expect((await hear("在吗")).key).not.toBe(place.events()[0]?.key);
  });

  it("knows in a group whom a message is for", async () => {
    const address = place.group;
    expect(await hear("今天真热", { inGroup: true })).toMatchObject({ address, chatKind: "group", addressed: false });
    expect(await hear("几点了", { inGroup: true, toUs: true })).toMatchObject({
      address,
      chatKind: "group",
      addressed: true,
      text: "几点了",
    });
    // A word that answers a question must be the whole message once the mention is gone.
    expect(await hear("确认", { inGroup: true, toUs: true })).toMatchObject({ text: "确认" });
  });

  it("the channel marks a message in a group, with one emoji at a time, and removes the mark again", async () => {
    const { group = place.address, marks = () => [], channel } = place;
    const asked = await hear("几点了", { inGroup: true, toUs: true });
    const left = channel.capabilities.reactions ? 1 : 0;
    await channel.react?.(group, asked.messageId, "seen");
    await expect.poll(() => marks(asked.messageId)).toHaveLength(left);
    const seen = marks(asked.messageId);
    await channel.react?.(group, asked.messageId, "failed");
    await expect.poll(() => marks(asked.messageId).every((one) => !seen.includes(one))).toBe(true);
    await expect.poll(() => marks(asked.messageId)).toHaveLength(left);
    const later = await hear("再说一遍", { inGroup: true, toUs: true });
    await channel.react?.(group, later.messageId, "seen");
    await expect.poll(() => marks(later.messageId)).toHaveLength(left);
    await channel.react?.(group, later.messageId, "done");
    await expect.poll(() => marks(later.messageId)).toEqual([]);
  });

  it("takes a message of its own back, and one that is gone too", async () => {
    const { channel } = place;
    const isAble = channel.capabilities.removal;
    const [id = ""] = await sendWhole({ text: "写错了" });
    const first = await channel.remove?.(place.address, id);
    const again = await channel.remove?.(place.address, id);
    expect([first?.kind, again?.kind]).toEqual(isAble ? ["sent", "sent"] : [undefined, undefined]);
    expect(place.seen()).toHaveLength(isAble ? 0 : 1);
  });

  it("tells a quote of ours from a quote of others", async () => {
    const address = place.group ?? place.address;
    const [ours = ""] = await sendWhole({ address, text: "要运行吗？" });
    expect(await hear("确认", { inGroup: true, quoting: ours })).toMatchObject({
      quote: { messageId: ours, fromUs: true, text: "要运行吗？" },
      addressed: true,
      text: "确认",
    });
    const other = await hear("随便说一句", { inGroup: true });
    expect(await hear("确认", { inGroup: true, quoting: other.messageId })).toMatchObject({
      quote: { messageId: other.messageId, fromUs: false },
      addressed: false,
    });
  });

  it("quotes in a group what it answers", async () => {
    const address = place.group ?? place.address;
    const asked = await hear("几点了", { inGroup: true, toUs: true });
    await sendWhole({ address, text: "三点。", replyTo: asked.messageId });
    expect(place.seen(address)).toMatchObject([{ text: "三点。", replyTo: asked.messageId, rings: false }]);
  });

  it("loses nothing while the way is broken, and works again by itself", async () => {
    place.break?.();
    await expect.poll(() => place.channel.health().state).not.toBe("ready");
    expect(await sendWhole({ text: "还在吗" })).toEqual(["later"]);
    expect(place.seen()).toEqual([]);
    place.mend?.();
    await expect.poll(() => place.channel.health().state).toBe("ready");
    const [id] = await sendWhole({ text: "还在吗" });
    expect(place.seen()).toMatchObject([{ id, text: "还在吗" }]);
    expect(await hear("在")).toMatchObject({ text: "在", address: place.address });
  });

  it("takes nothing in after stopReceiving, and what is being done still goes out", async () => {
    await place.channel.stopReceiving();
    await place.hear("还在吗");
    expect(await sendWhole({ text: "说完这句" })).toEqual([expect.stringMatching(/\d/)]);
    expect(place.events()).toEqual([]);
  });

  it("a stopped channel keeps no connection and receives nothing", async () => {
    await place.channel.stop();
    await expect.poll(() => place.connections()).toBe(0);
    expect(place.channel.health().state).toBe("off");
    await place.hear("还在吗");
    expect(place.events()).toEqual([]);
    expect(place.connections()).toBe(0);
  });
});
