import { describe, expect, it } from "vitest";
import { readDispatch } from "../../../src/channels/qq/read-dispatch.ts";

const me = { appId: "102", userId: "9001" };
const at = Date.parse("2026-07-21T10:00:00+08:00");
const read = (t: string, d: unknown, id?: string) => readDispatch({ t, d, id }, me, 5).event;
const timestamp = "2026-07-21T10:00:00+08:00";

describe("an event of the official API", () => {
  it("a C2C event becomes a private message", () => {
    const author = { id: "A", user_openid: "A", union_openid: "" };
    expect(read("C2C_MESSAGE_CREATE", { id: "m1", content: "你好 ", timestamp, author })).toEqual({
      kind: "message",
      key: "message:m1",
      address: { platform: "qqbot", account: "102", chat: "private:A", thread: null },
      sender: { id: "A", name: "A", kind: "person" },
      sentAt: at,
      chatKind: "private",
      messageId: "m1",
      text: "你好",
      attachments: [],
      addressed: true,
      edited: false,
      forwarded: false,
      caption: false,
      viaBot: false,
    });
  });

  it.each([
    ["GROUP_AT_MESSAGE_CREATE", { content: " 确认 " }, { addressed: true, text: "确认" }],
    ["GROUP_AT_MESSAGE_CREATE", { content: "<@OUR>  确认" }, { addressed: true, text: "确认" }],
    ["GROUP_MESSAGE_CREATE", { content: "今天真热" }, { addressed: false }],
    [
      "GROUP_MESSAGE_CREATE",
      {
        content: "<@OUR> 在吗 <@B>",
        mentions: [
          { id: "OUR", is_you: true },
          { member_openid: "B", username: "小红" },
        ],
      },
      { addressed: true, text: "在吗 @小红" },
    ],
    ["GROUP_MESSAGE_CREATE", { content: "x", author: { member_openid: "M", bot: true } }, { sender: { kind: "bot" } }],
  ])("an event becomes a group message: %s %j", (name, more, expected) => {
    const author = { id: "M", member_openid: "M", username: "冈部" };
    const event = read(name, { id: "m2", group_openid: "G", timestamp, author, ...more });
    expect(event).toMatchObject({ chatKind: "group", address: { chat: "G" }, ...expected });
  });

  it("an event of a guild channel becomes a message that knows its administrators", () => {
    const d = {
      id: "m3",
      channel_id: "5",
      guild_id: "7",
      content: "<@!9001> a &lt;b&gt; &amp;amp;",
      author: { id: "8" },
    };
    const mentions = [{ id: "9001", username: "Kurisu", bot: true }];
    expect(read("AT_MESSAGE_CREATE", { ...d, mentions, member: { roles: ["4"] } })).toMatchObject({
      address: { chat: "channel:5" },
      text: "a <b> &amp;",
      sentAt: 5,
      sender: { id: "8", administrator: true },
    });
    expect(read("MESSAGE_CREATE", d)).toMatchObject({ addressed: false, sender: { administrator: false } });
    expect(read("DIRECT_MESSAGE_CREATE", d)).toMatchObject({ address: { chat: "direct:7" }, chatKind: "private" });
  });

  it("an event carries its quote and the reference for later quotes", () => {
    const ext = ["msg_idx=REFIDX_a==", "ref_msg_idx=REFIDX_b==", "auth_token=secret"];
    const d = { id: "m4", content: "确认", author: { user_openid: "A" }, message_scene: { source: "default", ext } };
    const whole = readDispatch({ t: "C2C_MESSAGE_CREATE", d: { ...d, msg_elements: [{ content: "要吗？" }] } }, me, 5);
    expect(whole.reference).toBe("REFIDX_a==");
    expect(whole.event).toMatchObject({ quote: { messageId: "REFIDX_b==", fromUs: false, text: "要吗？" } });
    expect(JSON.stringify(whole)).not.toContain("secret");
  });

  it("an event carries files, faces and cards", () => {
    const attachments = [
      { content_type: "image/png", filename: "a.png", size: 9, url: "multimedia.nt.qq.com.cn/a" },
      {
        content_type: "voice",
        filename: "v.amr",
        url: "https://x.example/v",
        voice_wav_url: "https://x.example/v.wav",
      },
      { content_type: "file", filename: "b.zip", url: "ftp://no" },
      "nothing",
    ];
    const ext = Buffer.from(JSON.stringify({ text: "呲牙]" })).toString("base64");
    const content = `看<faceType=1,faceId="13",ext="${ext}"><faceType=1,faceId="13",ext="!">`;
    expect(read("C2C_MESSAGE_CREATE", { id: "m", content, author: { user_openid: "A" }, attachments })).toMatchObject({
      text: '看[表情: 呲牙]<faceType=1,faceId="13",ext="!">',
      caption: true,
      attachments: [
        {
          kind: "image",
          name: "a.png",
          mimeType: "image/png",
          bytes: 9,
          source: { url: "https://multimedia.nt.qq.com.cn/a" },
        },
        { kind: "voice", source: { url: "https://x.example/v.wav" } },
        { kind: "file", name: "b.zip" },
        { kind: "other" },
      ],
    });
    const card = { id: "m", content: "", message_type: 3, author: { user_openid: "A" } };
    expect(read("C2C_MESSAGE_CREATE", card)).toMatchObject({ attachments: [{ kind: "card" }] });
  });

  it.each([
    ["user_openid", { user_openid: "A" }, "private:A", "A"],
    ["group", { group_openid: "G", group_member_openid: "M", user_openid: "A" }, "G", "M"],
    ["guild", { channel_id: "5", user: "8" }, "channel:5", "8"],
  ])("an interaction becomes a press: %s", (_, { user, ...where }: Record<string, string>, chat, presser) => {
    const data = { resolved: { button_data: "a:q:y", button_id: "1", user_id: user } };
    const d = { id: "i1", type: 11, timestamp, ...where, data };
    expect(read("INTERACTION_CREATE", d, "INTERACTION_CREATE:e1")).toMatchObject({
      kind: "press",
      key: "event:INTERACTION_CREATE:e1",
      address: { chat },
      sender: { id: presser, kind: "person" },
      pressId: "i1",
      data: "a:q:y",
    });
  });

  it.each([
    ["FRIEND_ADD", {}, "malformed"],
    ["FRIEND_DEL", {}, "malformed"],
    ["GROUP_MEMBER_ADD", {}, "event:GROUP_MEMBER_ADD"],
    ["__proto__", {}, "event:unnamed"],
    ["C2C_MESSAGE_CREATE", null, "malformed"],
    ["C2C_MESSAGE_CREATE", { id: "m", content: "x" }, "malformed"],
    ["C2C_MESSAGE_CREATE", { id: "m", content: " ", author: { user_openid: "A" } }, "empty"],
    ["GROUP_MESSAGE_CREATE", { id: "m", content: "x", author: { member_openid: "A" } }, "malformed"],
    ["GROUP_AT_MESSAGE_CREATE", { id: 5, group_openid: "G" }, "malformed"],
    ["INTERACTION_CREATE", { id: "i", type: 12 }, "interaction"],
    ["INTERACTION_CREATE", { id: "i", type: 11, data: { resolved: { button_data: "x" } } }, "malformed"],
  ])("the reader ignores the event: %s %j", (name, d, rule) => {
    expect(read(name, d)).toEqual({ kind: "ignored", key: rule, rule });
  });
});
