import { expect, it } from "vitest";
import { readEvent } from "../../../src/channels/onebot/read-event.ts";
import { findSharedData } from "../../support/shared-data.ts";

const recorded = findSharedData("onebot-events.jsonl");
const readRecorded = () =>
  recorded.readRows().map((row) => (row as { event: { self_id: number } & Record<string, unknown> }).event);

const message = (facts: object) => ({ kind: "message", ...facts });
const recall = (facts: object) => ({ kind: "recall", ...facts });
const left = { kind: "left" };
const request = (facts: object) => ({ kind: "request", ...facts });
const ignored = (...rules: string[]) => rules.map((rule) => ({ kind: "ignored", rule }));
const friend = { chatKind: "private", addressed: true };
const group = { chatKind: "group", addressed: false };

/** What each line of the file must become, in order. */
const expected: readonly object[] = [
  ...ignored("lifecycle", "heartbeat"),
  message({ ...group, text: "怎么每次出节奏玩的都是最后一个知道的", sender: { name: "TestCard" } }),
  ...ignored("poke"),
  recall({ messageId: "1318467160", address: { chat: "100000006" } }),
  message({ ...friend, text: "/like 3051561876" }),
  ...ignored("group_card", "group_increase", "group_upload"),
  left,
  ...ignored("group_ban", "group_ban", "poke", "group_upload", "group_admin", "group_admin"),
  left,
  ...ignored("group_increase"),
  ...ignored("group_increase", "group_ban", "group_ban"),
  recall({ messageId: "1222513460", address: { chat: "200000002" }, sender: { id: "100000005" } }),
  recall({ messageId: "701198750", address: { chat: "private:100000002" }, sender: { id: "100000002" } }),
  ...ignored("friend_add"),
  ...ignored("lifecycle", "heartbeat"),
  message({ ...friend, text: "你好", address: { account: "10001", chat: "private:20001" } }),
  message({ ...friend, text: "aa", quote: { messageId: "1136053690" } }),
  message({ ...friend, text: "哈哈啊啊", attachments: [{ kind: "image" }], caption: true }),
  message({ ...friend, text: "", attachments: [{ kind: "sticker", name: "[动画表情]" }] }),
  message({ ...friend, text: "", attachments: [{ kind: "video" }] }),
  message({ ...friend, attachments: [{ kind: "file", name: "到底是谁发明的外包？！ [BV147G1zQEri_p1].mp4" }] }),
  message({
    ...friend,
    attachments: [{ kind: "card", name: "[QQ小程序]【PARA2.0】笔记以行动成果组织 哔哩哔哩 https://b23.tv/REDACTED" }],
  }),
  message({ ...group, text: "test" }),
  message({
    ...group,
    text: "@全体成员 test message@20002",
    quote: { messageId: "265662236" },
    attachments: [{ kind: "image" }, { kind: "sticker", name: "[动画表情]" }],
  }),
  message({ ...group, attachments: [{ kind: "forward" }], forwarded: true }),
  message({ ...group, text: "?" }),
  message({ ...group, addressed: true, text: "/bot", attachments: [{ kind: "image" }] }),
  message({ ...group, text: "", attachments: [{ kind: "voice" }] }),
  message({ ...group, text: "啊啊啊啊", quote: { messageId: "1381063063" } }),
  request({ request: "join", comment: "加入时回复的内容", flag: "1742714780404951", address: { chat: "30001" } }),
  ...ignored("group_increase"),
  left,
  message({ ...friend, text: "33", sender: { name: "20001" } }),
  message({ ...group, text: "3" }),
  message({ ...group, text: "@20001 你好世界", attachments: [{ kind: "sticker", name: "玫瑰" }] }),
  ...ignored("offline_file"),
  { kind: "reaction", sender: { id: "1231312" }, messageId: "-2147476175", emoji: ["[赞]"] },
  { kind: "reaction", messageId: "-822208709", emoji: ["㊗"] },
  message({ ...friend, text: "你好～" }),
  message({ ...friend, text: "你好" }),
  ...ignored("temporary_session"),
  message({ ...group, text: "大家好！", addressed: true }),
  ...ignored("group_increase", "group_ban"),
  request({ request: "friend", comment: "我是机器人粉丝", address: { chat: "private:456789012" } }),
  request({ request: "join", comment: "想加入群聊", sender: { id: "456789013" } }),
];

it.skipIf(!recorded.isThere)("reads recorded events", () => {
  const events = readRecorded().map((event) => readEvent(event, String(event.self_id)));
  expect(events).toHaveLength(expected.length);
  expect(events).toMatchObject(expected);
  expect(events.filter((event) => event.kind === "ignored" && /unknown|malformed/.test(event.rule))).toEqual([]);
});

/** NapCat leaves addresses out of CQ codes. */
function withoutSources(event: object): unknown {
  return JSON.parse(JSON.stringify(event, (key, value: unknown) => (key === "source" ? undefined : value)));
}

it.skipIf(!recorded.isThere)("reads the CQ codes of recorded messages as it reads their segments", () => {
  const written = readRecorded().filter(
    (event) => event["post_type"] === "message" && event["raw_message"] !== undefined,
  );
  expect(written.length).toBeGreaterThan(20);
  for (const event of written) {
    const account = String(event["self_id"]);
    const parsed = readEvent({ ...event, message: event["raw_message"] }, account);
    expect(withoutSources(parsed)).toEqual(withoutSources(readEvent(event, account)));
  }
});
