import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readUpdate } from "../../../src/channels/telegram/read-update.ts";

const me = { id: "500", username: "Kurisu_Bot" };
const group = { id: -100, type: "supergroup", title: "g" };
const person = { id: 7, is_bot: false, first_name: "小", last_name: "明" };

function read(message: object, field = "message") {
  const base = { message_id: 10, date: 1_700_000_000, chat: group, from: person };
  return readUpdate({ update_id: 1, [field]: { ...base, ...message } }, me, 0);
}

describe("the sender", () => {
  it.each([
    ["a person", {}, { id: "7", name: "小 明", kind: "person" }],
    ["a person without a name", { from: { id: 7, username: "x" } }, { id: "7", name: "x", kind: "person" }],
    ["a bot", { from: { ...person, is_bot: true } }, { kind: "bot" }],
    ["ourselves", { from: { id: 500, is_bot: true, first_name: "K" } }, { id: "500", kind: "bot" }],
    [
      "an anonymous admin",
      { from: { id: 1_087_968_824, is_bot: true, first_name: "Group" }, sender_chat: group },
      { id: "-100", name: "g", kind: "anonymous" },
    ],
    [
      "an anonymous admin without sender_chat",
      { from: { id: 1_087_968_824, is_bot: true, first_name: "Group" } },
      { kind: "anonymous" },
    ],
    [
      "a linked channel",
      { from: { id: 777_000, first_name: "Telegram" }, is_automatic_forward: true },
      { kind: "anonymous" },
    ],
    [
      "a person who writes as a channel",
      { sender_chat: { id: -200, type: "channel", title: "c" } },
      { id: "-200", kind: "anonymous" },
    ],
    ["nobody", { from: undefined }, { id: "-100", kind: "anonymous" }],
  ])("%s", (_, message, sender) => {
    expect(read({ text: "确认", ...message })).toMatchObject({ kind: "message", sender });
  });

  it("a channel post, also an edited one", () => {
    const post = {
      chat: { id: -300, type: "channel", title: "c" },
      from: undefined,
      sender_chat: { id: -300, title: "c" },
      text: "x",
    };
    expect(read(post, "channel_post")).toMatchObject({
      sender: { id: "-300", kind: "anonymous" },
      chatKind: "group",
      chatTitle: "c",
      edited: false,
    });
    expect(read(post, "edited_channel_post")).toMatchObject({ sender: { kind: "anonymous" }, edited: true });
  });

  it("keeps a name on one line", () => {
    expect(
      read({ text: "x", from: { id: 7, first_name: "a\n\u2028b\u0000", last_name: "x".repeat(300) } }),
    ).toMatchObject({
      sender: { name: `a b ${"x".repeat(96)}` },
    });
  });
});

describe("whom it addresses", () => {
  const mention = (offset: number, length: number) => ({ entities: [{ type: "mention", offset, length }] });
  it.each([
    ["nobody", { text: "你好" }, false, "你好"],
    ["us by name", { text: "@kurisu_bot 确认", ...mention(0, 11) }, true, "确认"],
    ["us by name, full-width comma", { text: "@KURISU_BOT，确认", ...mention(0, 11) }, true, "确认"],
    ["us after an emoji of two units", { text: "😀 @Kurisu_Bot hi", ...mention(3, 11) }, true, "😀 @Kurisu_Bot hi"],
    ["somebody with a longer name", { text: "@kurisu_bot2 x", ...mention(0, 12) }, false, "@kurisu_bot2 x"],
    ["a name without an entity", { text: "@kurisu_bot x" }, false, "@kurisu_bot x"],
    [
      "us by id",
      { text: "助手 在吗", entities: [{ type: "text_mention", offset: 0, length: 2, user: { id: 500 } }] },
      true,
      "在吗",
    ],
    [
      "somebody by id",
      { text: "助手 在吗", entities: [{ type: "text_mention", offset: 0, length: 2, user: { id: 501 } }] },
      false,
      "助手 在吗",
    ],
    [
      "us by command",
      { text: "/pair@kurisu_bot 8QJ4", entities: [{ type: "bot_command", offset: 0, length: 16 }] },
      true,
      "/pair 8QJ4",
    ],
    [
      "another bot by command",
      { text: "/pair@other_bot x", entities: [{ type: "bot_command", offset: 0, length: 15 }] },
      false,
      "/pair@other_bot x",
    ],
    [
      "a bare command",
      { text: "/pair x", entities: [{ type: "bot_command", offset: 0, length: 5 }] },
      false,
      "/pair x",
    ],
    [
      "us in a reply",
      { text: "确认", reply_to_message: { message_id: 5, from: { id: 500 }, chat: group, text: "?" } },
      true,
      "确认",
    ],
    [
      "somebody in a reply",
      { text: "确认", reply_to_message: { message_id: 5, from: { id: 8 }, chat: group } },
      false,
      "确认",
    ],
    ["us in private", { text: "x", chat: { id: 7, type: "private" } }, true, "x"],
    [
      "us in a caption",
      { caption: "@kurisu_bot 看", caption_entities: mention(0, 11).entities, photo: [{}] },
      true,
      "看",
    ],
    [
      "entities that are nonsense",
      { text: "x", entities: [{ type: "mention", offset: -1, length: 99 }, 3, null, { type: 1 }] },
      false,
      "x",
    ],
  ])("%s", (_, message, addressed, text) => {
    expect(read(message)).toMatchObject({ kind: "message", addressed, text });
  });
});

describe("the quote", () => {
  it("our message, another's, a quoted piece", () => {
    const reply = { message_id: 5, from: { id: 500 }, chat: group, text: "要执行吗？" };
    expect(read({ text: "确认", reply_to_message: reply })).toMatchObject({
      quote: { messageId: "5", fromUs: true, text: "要执行吗？" },
    });
    expect(read({ text: "确认", reply_to_message: { ...reply, from: person } })).toMatchObject({
      quote: { fromUs: false },
    });
    expect(read({ text: "x", reply_to_message: reply, quote: { text: "执行", position: 1 } })).toMatchObject({
      quote: { text: "执行" },
    });
  });

  it("the service message that opened the topic is no quote, even when it is ours", () => {
    const root = { message_id: 3, from: { id: 500 }, chat: group, forum_topic_created: { name: "t" } };
    const inTopic = read({ text: "确认", is_topic_message: true, message_thread_id: 3, reply_to_message: root });
    expect(inTopic).toMatchObject({ addressed: false, address: { thread: "3" } });
    expect(inTopic).not.toHaveProperty("quote");
    expect(
      read({
        text: "x",
        is_topic_message: true,
        message_thread_id: 3,
        reply_to_message: { ...root, forum_topic_created: undefined },
      }),
    ).not.toHaveProperty("quote");
  });

  it("a message elsewhere, which is no message of this chat", () => {
    const external = read({ text: "确认", external_reply: { chat: { id: -9 }, message_id: 5 }, quote: { text: "q" } });
    expect(external).toMatchObject({
      quote: { messageId: "elsewhere:-9:5", fromUs: false, text: "q" },
      addressed: false,
    });
    expect(read({ text: "x", reply_to_story: { id: 4, chat: { id: 7 } } })).toMatchObject({
      quote: { messageId: "story:4" },
    });
  });
});

describe("the content", () => {
  const notes = { kind: "file", name: "no tes.txt", mimeType: "text/plain", bytes: 3, source: { fileId: "D_1" } };

  it.each([
    [{ sticker: { emoji: "😀" } }, { kind: "sticker", name: "😀" }],
    [{ sticker: { emoji: "😀", set_name: "HotCherry" } }, { kind: "sticker", name: "😀 HotCherry" }],
    [
      {
        photo: [
          { file_id: "s", file_size: 1 },
          { file_id: "L", file_size: 9 },
        ],
        caption: "c",
      },
      { kind: "image", bytes: 9, source: { fileId: "L" } },
    ],
    [{ photo: [{}, {}] }, { kind: "image" }],
    [{ document: { file_name: "no\ntes.txt", file_id: "D_1", file_size: 3, mime_type: "text/plain" } }, notes],
    [{ document: { file_name: "a", file_id: "../../getMe" } }, { kind: "file", name: "a" }],
    [{ document: { file_name: "a", file_id: 7, file_size: "9" } }, { kind: "file", name: "a" }],
    [
      { animation: { file_name: "a.mp4" }, document: { file_name: "a.mp4" } },
      { kind: "animation", name: "a.mp4" },
    ],
    [{ voice: { file_id: "v", duration: 5 } }, { kind: "voice", seconds: 5, source: { fileId: "v" } }],
    [{ audio: { title: "曲", file_id: "a" } }, { kind: "audio", name: "曲", source: { fileId: "a" } }],
    [
      { venue: { title: "lab" }, location: { latitude: 1, longitude: 2 } },
      { kind: "location", name: "lab" },
    ],
    [{ location: { latitude: 1.5, longitude: 2 } }, { kind: "location", name: "1.5,2" }],
    [{ dice: { emoji: "🎲", value: 6 } }, { kind: "dice", name: "🎲 6" }],
    [{ poll: { question: "吃什么" } }, { kind: "poll", name: "吃什么" }],
    [{ video_note: { duration: 3 } }, { kind: "video", seconds: 3 }],
    [{ rich_message: { blocks: [] } }, { kind: "other", name: "rich message" }],
  ])("%j", (content, attachment) => {
    const event = read(content);
    expect(event.kind === "message" && event.attachments).toEqual([attachment]);
  });

  it("says where the words come from", () => {
    expect(read({ caption: "确认", photo: [{}] })).toMatchObject({ caption: true, text: "确认" });
    expect(read({ text: "确认", via_bot: { id: 9 } })).toMatchObject({ viaBot: true, caption: false });
    expect(read({ text: "确认" }, "edited_message")).toMatchObject({ edited: true });
    for (const field of ["forward_origin", "forward_from", "forward_sender_name", "forward_date"]) {
      expect(read({ text: "确认", [field]: field === "forward_date" ? 1 : {} })).toMatchObject({ forwarded: true });
    }
  });

  it("a topic is a thread, a chain of replies is none", () => {
    expect(read({ text: "x", is_topic_message: true, message_thread_id: 3 })).toMatchObject({
      address: { thread: "3" },
    });
    expect(read({ text: "x", message_thread_id: 3 })).toMatchObject({ address: { thread: null } });
  });
});

function membership(before: string, after: string, more: object = {}): object {
  const [old_chat_member, new_chat_member] = [{ status: before }, { status: after, ...more }];
  return { chat: group, from: person, date: 5, old_chat_member, new_chat_member };
}

describe("a chat that changes", () => {
  it.each([
    ["member", "kicked", {}, { kind: "gone", reason: "kicked" }],
    ["administrator", "left", {}, { kind: "gone", reason: "left" }],
    ["member", "restricted", { is_member: false }, { kind: "gone", reason: "restricted" }],
    ["left", "member", {}, { kind: "back" }],
    ["kicked", "restricted", { is_member: true }, { kind: "back" }],
    ["kicked", "creator", {}, { kind: "back" }],
  ])("%s -> %s", (before, after, more, change) => {
    const event = readUpdate({ update_id: 9, my_chat_member: membership(before, after, more) }, me, 0);
    const address = { platform: "telegram", account: me.id, chat: String(group.id), thread: null };
    expect(event).toMatchObject({ kind: "chat", key: "update:9", address, change, sentAt: 5_000 });
  });

  it("an administrator's update and a service message tell that a person left", () => {
    const gone = { id: 77, is_bot: false, first_name: "Bob" };
    const about = { date: 5, chat: group, from: person };
    const read = (status: string, more: object = {}) =>
      readUpdate({ update_id: 9, chat_member: { ...about, new_chat_member: { user: gone, status, ...more } } }, me, 0);
    const left = {
      kind: "left",
      key: "update:9",
      sentAt: 5_000,
      address: { platform: "telegram", account: me.id, chat: String(group.id), thread: null },
      sender: { id: "77", name: "Bob", kind: "person" },
    };
    for (const [status, isMember] of [["left"], ["kicked"], ["restricted", false]] as const)
      expect(read(status, { is_member: isMember })).toEqual(left);
    for (const [status, isMember] of [["member"], ["administrator"], ["restricted", true]] as const)
      expect(read(status, { is_member: isMember })).toMatchObject({ kind: "ignored", rule: "chat_member" });
    expect(read("vanished")).toMatchObject({ kind: "ignored", rule: "malformed" });
    const service = (left_chat_member: object) =>
      readUpdate({ update_id: 9, message: { message_id: 4, ...about, left_chat_member } }, me, 0);
    expect(service(gone)).toEqual(left);
    const own = { id: Number(me.id), is_bot: true, first_name: "K" };
    expect(service(own)).toMatchObject({ kind: "ignored", rule: "service:left_chat_member" });
  });

  it("a move is one event, whoever of the two tells of it", () => {
    const tell = (id: number, field: object) =>
      readUpdate({ update_id: id, message: { message_id: 1, date: 5, chat: { id, type: "group" }, ...field } }, me, 0);
    const change = { kind: "moved", to: "-1005" };
    const expected = { kind: "chat", key: "moved:-4:-1005", address: { chat: "-4" }, change };
    expect(tell(-4, { migrate_to_chat_id: -1005 })).toMatchObject(expected);
    expect(tell(-1005, { migrate_from_chat_id: -4 })).toMatchObject(expected);
  });

  it("a stop button is pressed by the one who is there", () => {
    const chat = { id: 7, type: "private", first_name: "Ada" };
    const press = { chat, draft_id: 12, message_thread_id: 3 };
    expect(readUpdate({ update_id: 1, stopped_message_generation: press }, me, 6_000)).toMatchObject({
      kind: "stop",
      address: { chat: "7", thread: "3" },
      sender: { id: "7", name: "Ada", kind: "person" },
      sentAt: 6_000,
      turn: "draft:12",
    });
  });
});

describe("ignored updates", () => {
  const press = { id: "1", from: person, data: "x", message: { message_id: 1, chat: group } };
  it.each([
    [
      { update_id: 1, message: { message_id: 1, chat: group, from: person, new_chat_members: [] } },
      "service:new_chat_members",
    ],
    [{ update_id: 1, message: { message_id: 1, chat: group, from: person, "a b": 1 } }, "service:other"],
    [{ update_id: 1, message: { message_id: 1, chat: group, from: person } }, "service:empty"],
    [{ update_id: 1, message: { message_id: 1, text: "x" } }, "malformed"],
    [{ update_id: 1, message: "x" }, "malformed"],
    [{ update_id: 1, callback_query: { ...press, data: undefined, game_short_name: "g" } }, "press_without_data"],
    [
      { update_id: 1, callback_query: { ...press, message: undefined, inline_message_id: "i" } },
      "press_without_message",
    ],
    [{ update_id: 1, callback_query: { ...press, from: undefined } }, "malformed"],
    [{ update_id: 1, stopped_message_generation: { chat: group, draft_id: 1 } }, "malformed"],
    [{ update_id: 1, stopped_message_generation: { chat: { id: 7, type: "private" } } }, "malformed"],
    [
      { update_id: 1, my_chat_member: { chat: group, from: person, old_chat_member: {}, new_chat_member: {} } },
      "malformed",
    ],
    [{ update_id: 1, my_chat_member: membership("member", "administrator") }, "my_chat_member"],
    [{ update_id: 1, my_chat_member: membership("left", "kicked") }, "my_chat_member"],
    [{ update_id: 1, telepathy: {} }, "unknown:telepathy"],
    [{ update_id: 1, "<script>": {} }, "unknown:unnamed"],
    [{ update_id: 1 }, "unknown:unnamed"],
    [{ update_id: "1", message: {} }, "malformed"],
    [null, "malformed"],
  ])("%j", (update, rule) => {
    expect(readUpdate(update, me, 0)).toMatchObject({ kind: "ignored", rule });
  });
});

const fieldNames =
  "update_id message edited_message channel_post callback_query message_id chat from id type text caption entities offset length user reply_to_message quote external_reply sender_chat date data message_thread_id is_topic_message sticker document photo poll via_bot forward_origin";
const field = fc.oneof(fc.constantFrom(...fieldNames.split(" ")), fc.string());
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: "medium" },
    fc.integer(),
    fc.constantFrom(0, -1, 500, true, null, "private", "mention", "bot_command", "text_mention", "@Kurisu_Bot", ""),
    fc.double(),
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(field, tie("value"), { maxKeys: 8 }),
  ),
})).value;

describe("any JSON", () => {
  it("gets an answer", () => {
    const envelope = fc.record(
      { update_id: fc.oneof(fc.nat(), json), message: json, callback_query: json },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(json, envelope), (update) => {
        const event = readUpdate(update, me, 0);
        expect(["message", "press", "ignored"]).toContain(event.kind);
        expect(event.key).toMatch(/^update:(-?\d+|none)$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it("any message keeps its types", () => {
    const content = fc.dictionary(field, json, { maxKeys: 10 });
    fc.assert(
      fc.property(content, fc.string(), (extra, text) => {
        const event = read({ text, ...extra });
        if (event.kind !== "message") return;
        expect(typeof event.text).toBe("string");
        expect(
          [event.addressed, event.edited, event.forwarded, event.caption, event.viaBot].every(
            (flag) => typeof flag === "boolean",
          ),
        ).toBe(true);
        expect(event.attachments.every(({ name = "" }) => !name.includes("\n"))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
