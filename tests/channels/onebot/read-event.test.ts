import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEvent } from "../../../src/channels/onebot/read-event.ts";

const account = "10001";
const segment = (type: string, data: object = {}) => ({ type, data });
const text = (words: string) => segment("text", { text: words });

/** A group message as NapCat sends it. */
const inGroup = (message: unknown, more: object = {}) => ({
  time: 1_746_673_640,
  self_id: 10001,
  post_type: "message",
  message_type: "group",
  sub_type: "normal",
  message_id: 1136053690,
  group_id: 30001,
  user_id: 20001,
  sender: { user_id: 20001, nickname: "用户甲", card: "凶真", role: "owner" },
  message,
  raw_message: "",
  font: 14,
  ...more,
});
const inPrivate = (message: unknown, more: object = {}) =>
  inGroup(message, { message_type: "private", sub_type: "friend", group_id: undefined, ...more });

const read = (event: unknown) => readEvent(event, account);

describe("a message", () => {
  it("a group message carries the group's number, a private one the person's number with a prefix", () => {
    expect(read(inGroup([text("你好")]))).toEqual({
      kind: "message",
      key: "message:30001:1136053690",
      address: { platform: "qq", account, chat: "30001", thread: null },
      sender: { id: "20001", name: "凶真", kind: "person", administrator: true },
      sentAt: 1_746_673_640_000,
      chatKind: "group",
      messageId: "1136053690",
      text: "你好",
      attachments: [],
      addressed: false,
      edited: false,
      forwarded: false,
      caption: false,
      viaBot: false,
    });
    expect(read(inPrivate([text("你好")]))).toMatchObject({
      key: "message:private:20001:1136053690",
      address: { chat: "private:20001" },
      chatKind: "private",
      addressed: true,
    });
  });

  it("keeps apart a person and a group with the same number, and the same message id in both", () => {
    const group = read(inGroup([text("a")], { group_id: 20001 }));
    const person = read(inPrivate([text("a")]));
    expect(group).not.toMatchObject({ key: person.key });
  });

  it.each([
    ["numbers", { self_id: 10001, user_id: 20001, group_id: 30001, message_id: -2147476175 }],
    ["strings", { self_id: "10001", user_id: "20001", group_id: "30001", message_id: "-2147476175" }],
    ["other spellings", { self_id: "010001", user_id: "0020001", group_id: "30001", message_id: "-2147476175" }],
  ])("a message has its ids as strings, whatever form arrives: %s", (_, ids) => {
    expect(read(inGroup([text("a")], ids))).toMatchObject({
      address: { account, chat: "30001" },
      sender: { id: "20001" },
      messageId: "-2147476175",
    });
  });

  it.each([
    { user_id: true },
    { user_id: { id: 1 } },
    { user_id: [20001] },
    { user_id: null },
    { user_id: 1.5 },
    { user_id: "0x10" },
    { user_id: " 20001" },
    { user_id: 0 },
    { user_id: -20001 },
    { user_id: 2 ** 60 },
    { message_id: undefined },
    { message_id: {} },
    { group_id: "group" },
    { group_id: undefined },
    { message: 5, raw_message: 5 },
  ])("the reader ignores a malformed message: %j", (change) => {
    expect(read(inGroup([text("a")], change))).toMatchObject({ kind: "ignored", rule: "malformed" });
  });

  it.each(["guild", "channel", undefined, 5, ["group"]])(
    "the reader refuses a message of the place %j and never takes it for a group's",
    (change) => {
      const event = read(inGroup([text("a")], { message_type: change }));
      expect(event).toMatchObject({ kind: "ignored", rule: "unknown_chat" });
    },
  );

  it.each<[rule: string, event: object]>([
    ["own_message", inGroup([text("a")], { user_id: 10001 })],
    ["message_sent", inGroup([text("a")], { post_type: "message_sent", user_id: 10001 })],
    ["temporary_session", inPrivate([text("a")], { sub_type: "group" })],
    ["temporary_session", inPrivate([text("a")], { sub_type: "other" })],
    ["temporary_session", inPrivate([text("a")], { sub_type: "" })],
    ["group_notice", inGroup([text("a")], { sub_type: "notice" })],
    ["other_account", inGroup([text("a")], { self_id: 10002 })],
    ["empty", inGroup([])],
    ["empty", inGroup("")],
    ["empty", inGroup([{ nonsense: 1 }, 5, null])],
  ])("the reader refuses a message by rule: %s", (rule, event) => {
    expect(read(event)).toMatchObject({ kind: "ignored", rule });
  });
});

describe("a strange message", () => {
  it.each(["4", 4, [[4]], { id: [4] }, {}, null, undefined])("keeps its quote, whatever is in it: %j", (data) => {
    const message = [{ type: "reply", data }, text("确认")];
    expect(read(inPrivate(message))).toMatchObject({ text: "确认", quote: { messageId: "unknown", fromUs: false } });
  });

  it("a private message without a sub_type counts as one from a friend", () => {
    for (const kind of [undefined, null]) {
      expect(read(inPrivate([text("a")], { sub_type: kind }))).toMatchObject({ kind: "message" });
    }
  });

  it.each([
    ["pieces", [text("确认"), ...Array.from({ length: 999 }, () => null), segment("reply", { id: "4" })]],
    ["codes", `确认${"[CQ:face,id=1]".repeat(999)}[CQ:reply,id=4]`],
  ])("a message with more %s than the reader reads counts as forwarded, so that it answers nothing", (_, message) => {
    expect(read(inPrivate(message))).toMatchObject({ forwarded: true });
    expect(read(inPrivate(message.slice(0, typeof message === "string" ? -15 : -1)))).toMatchObject({
      forwarded: false,
    });
  });
});

describe("the sender", () => {
  it.each([
    ["anonymous", { anonymous: { id: 1, name: "匿名", flag: "f" } }],
    ["anonymous", { sub_type: "anonymous" }],
    ["anonymous", { user_id: 80000000 }],
    ["person", { anonymous: null }],
    ["bot", { user_id: 2854196310 }],
    ["bot", { user_id: 3889000001 }],
  ])("the sender is %s: %j", (kind, change) => {
    expect(read(inGroup([text("a")], change))).toMatchObject({ sender: { kind } });
  });

  it("the sender is named by card, else nickname, else number, on one line", () => {
    expect(read(inGroup([text("a")], { sender: { card: "", nickname: "冈\n部" } }))).toMatchObject({
      sender: { name: "冈 部" },
    });
    expect(read(inGroup([text("a")], { sender: "nobody" }))).toMatchObject({ sender: { name: "20001" } });
  });
});

describe("a mention", () => {
  const us = segment("at", { qq: "10001" });

  it.each<[string, unknown, object]>([
    ["at the start", [us, text(" 确认")], { text: "确认", addressed: true }],
    ["as a number", [segment("at", { qq: 10001 }), text(" 确认")], { text: "确认", addressed: true }],
    ["behind a quote", [segment("reply", { id: "5" }), us, text(" 确认")], { text: "确认", addressed: true }],
    ["at the end", [text("确认 "), us], { text: "确认", addressed: true }],
    ["within", [text("让 "), us, text(" 看看")], { text: "让 看看", addressed: true }],
    ["between words without spaces", [text("让"), us, text(" 看看")], { text: "让 看看", addressed: true }],
    ["alone", [us], { text: "", addressed: true }],
    ["of all", [segment("at", { qq: "all" }), text(" 开会")], { text: "@全体成员 开会", addressed: false }],
    [
      "of another",
      [segment("at", { qq: "20002", name: "@小红" }), text(" 在吗")],
      { text: "@小红 在吗", addressed: false },
    ],
    [
      "of another without a name",
      [segment("at", { qq: 20002 }), text(" 在吗")],
      { text: "@20002 在吗", addressed: false },
    ],
    ["in CQ codes", "[CQ:at,qq=10001] 确认", { text: "确认", addressed: true }],
    ["as text in an array", [text("[CQ:at,qq=10001] 确认")], { text: "[CQ:at,qq=10001] 确认", addressed: false }],
    ["as escaped text", "&#91;CQ:at,qq=10001&#93; 确认", { text: "[CQ:at,qq=10001] 确认", addressed: false }],
  ])("%s", (_, message, expected) => {
    expect(read(inGroup(message))).toMatchObject(expected);
  });
});

describe("a quote", () => {
  it.each([
    ["5", "5"],
    [-5, "-5"],
    ["0", "unknown"],
    ["", "unknown"],
    ["abc", "unknown"],
  ])("the quote of %j has the message id %s", (id, messageId) => {
    expect(read(inGroup([segment("reply", { id }), text("确认")]))).toMatchObject({
      quote: { messageId, fromUs: false },
      text: "确认",
    });
  });

  it("needs no text of its own segment to count: one without an id is a quote, too", () => {
    expect(read(inGroup([segment("reply"), text("确认")]))).toMatchObject({ quote: { messageId: "unknown" } });
  });
});

describe("parts beside the text", () => {
  it.each([
    [
      segment("image", { file: "a.png", sub_type: 0, url: "https://x", file_size: "12" }),
      { kind: "image", bytes: 12, source: { type: "image", file: "a.png", url: "https://x" } },
    ],
    [segment("image", { file: "a.png", sub_type: 1, summary: "[动画表情]" }), { kind: "sticker", name: "[动画表情]" }],
    [segment("mface", { summary: "[嗯]" }), { kind: "sticker", name: "[嗯]" }],
    [segment("face", { id: "63" }), { kind: "sticker", name: "玫瑰" }],
    [segment("face", { id: "99999" }), { kind: "sticker", name: "[表情]" }],
    [
      segment("record", { file: "a.amr", url: "file:///D:/a.amr" }),
      { kind: "voice", source: { type: "voice", file: "a.amr", url: "file:///D:/a.amr" } },
    ],
    [segment("video", { file: "a.mp4" }), { kind: "video", source: { type: "video", file: "a.mp4" } }],
    [segment("image", { file: `base64://${"A".repeat(3_000_000)}` }), { kind: "image" }],
    [
      segment("file", { file: "报告 [1].pdf", file_id: "x" }),
      { kind: "file", name: "报告 [1].pdf", source: { type: "file", file: "报告 [1].pdf", fileId: "x" } },
    ],
    [segment("onlinefile", { file: "a" }), { kind: "file", name: "a" }],
    [segment("json", { data: '{"prompt":"[QQ小程序]笔记"}' }), { kind: "card", name: "[QQ小程序]笔记" }],
    [segment("json", { data: "{broken" }), { kind: "card" }],
    [
      segment("json", {
        data: JSON.stringify({
          app: "com.tencent.tuwen.lua",
          prompt: "[分享]一篇文章",
          meta: { news: { title: "一篇文章", desc: "讲了什么", jumpUrl: "https://example.org/a" } },
        }),
      }),
      { kind: "card", name: "[分享]一篇文章 讲了什么 https://example.org/a" },
    ],
    [
      segment("json", {
        data: '{"prompt":"[QQ小程序]视频","meta":{"detail_1":{"title":"哔哩哔哩","desc":"一个视频","qqdocurl":"b23.tv/x","url":"javascript:1"}}}',
      }),
      { kind: "card", name: "[QQ小程序]视频 哔哩哔哩 一个视频 https://b23.tv/x" },
    ],
    [
      segment("share", { url: "https://example.org/b", title: "标题", content: "内容" }),
      { kind: "share", name: "标题 内容 https://example.org/b" },
    ],
    [segment("forward", { id: "7", content: [] }), { kind: "forward" }],
    [segment("location", { title: "秋叶原" }), { kind: "location", name: "秋叶原" }],
    [segment("poke"), { kind: "other", name: "[戳一戳]" }],
    [segment("flashtransfer"), { kind: "other", name: "[flashtransfer]" }],
    [segment("constructor"), { kind: "other", name: "[constructor]" }],
    [segment("x\n\u0000y"), { kind: "other", name: "[x y]" }],
  ])("%j is %j", (piece, attachment) => {
    const event = read(inPrivate([piece]));
    expect(event).toMatchObject({ text: "", caption: false });
    expect(event.kind === "message" && event.attachments).toEqual([attachment]);
  });

  it("makes the text a caption, which decides nothing", () => {
    expect(read(inPrivate([text("确认"), segment("image", { file: "a" })]))).toMatchObject({
      text: "确认",
      caption: true,
    });
    expect(read(inPrivate([text("确认"), segment("face", { id: "1" })]))).toMatchObject({
      text: "确认",
      caption: true,
    });
  });

  it("a forward is no word of the one who forwards", () => {
    expect(read(inPrivate([segment("forward", { id: "7" })]))).toMatchObject({ forwarded: true });
  });
});

describe("any JSON", () => {
  const names = ["message", "message_sent", "notice", "request", "meta_event", "group", "private", "notify", "all"];
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
    fc.constantFrom<unknown>(...names, 10001, "10001", "__proto__"),
  );
  const piece = fc.record({ type: fc.oneof(fc.string(), fc.constantFrom("at", "reply", "text", "json")), data: value });
  const event = fc.record(
    {
      self_id: fc.oneof(fc.constant<unknown>(10001), value),
      post_type: fc.oneof(fc.constantFrom<unknown>(...names), value),
      message_type: fc.oneof(fc.constantFrom<unknown>("group", "private"), value),
      notice_type: value,
      request_type: value,
      meta_event_type: value,
      sub_type: value,
      user_id: fc.oneof(fc.nat() as fc.Arbitrary<unknown>, value),
      group_id: fc.oneof(fc.nat() as fc.Arbitrary<unknown>, value),
      message_id: fc.oneof(fc.integer() as fc.Arbitrary<unknown>, value),
      message: fc.oneof(fc.array(piece) as fc.Arbitrary<unknown>, value),
      sender: value,
      anonymous: value,
      time: value,
    },
    { requiredKeys: [] },
  );

  /** A message as it should be, but for a field or two. */
  const nearly = fc.tuple(event, fc.array(piece)).map(([given, message]) => {
    const changed = Object.entries(given).slice(0, 2);
    return { ...inGroup([text("a"), ...message]), ...Object.fromEntries(changed) };
  });

  it("gets an answer", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.oneof(event, nearly, value), (json) => {
        const answer = read(JSON.parse(JSON.stringify(json)));
        seen.add(answer.kind);
        expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
        expect(answer.kind === "ignored" ? answer.rule : "message").toMatch(/^[\w:]+$/);
        expect(answer.kind === "message" ? answer.text.isWellFormed() : true).toBe(true);
      }),
      { numRuns: 2_000 },
    );
    expect([...seen]).toContain("message");
  });

  it("the reader cuts texts, attachments and mentions at their limits", () => {
    const long = read(inPrivate([text("x".repeat(5_000_000))]));
    expect(long.kind === "message" && long.text.length).toBe(32_000);
    const many = read(inPrivate(Array.from({ length: 200_000 }, () => segment("image"))));
    expect(many.kind === "message" && many.attachments.length).toBe(50);
    const mentions = Array.from({ length: 200_000 }, () => segment("at", { qq: account }));
    expect(read(inGroup([text("x".repeat(1_000_000)), ...mentions]))).toMatchObject({ addressed: true });
    expect(read(inGroup("[CQ:at,qq=10001]".repeat(200_000)))).toMatchObject({ addressed: true, text: "" });
  });

  it("the reader reads deep and long JSON, too", () => {
    const deep = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`) as unknown;
    expect(read(inGroup(deep)).kind).toBe("ignored");
    expect(read(inGroup([segment("forward", { content: deep })])).kind).toBe("message");
    expect(read(inGroup([text("\ud800 \u0000")]))).toMatchObject({ text: "\ufffd " });
  });
});
