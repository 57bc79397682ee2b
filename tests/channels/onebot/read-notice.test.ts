import { describe, expect, it } from "vitest";
import { readEvent } from "../../../src/channels/onebot/read-event.ts";

const read = (event: unknown) => readEvent(event, "10001");

describe("other events", () => {
  const meta = (more: object) => ({ time: 1, self_id: 10001, post_type: "meta_event", ...more });
  const notice = (notice_type: string, more: object = {}) => ({
    time: 1,
    self_id: 10001,
    post_type: "notice",
    notice_type,
    ...more,
  });
  const request = (more: object) => ({ time: 1, self_id: 10001, post_type: "request", flag: "f", user_id: 1, ...more });

  it.each<[rule: string, event: unknown]>([
    ["heartbeat", meta({ meta_event_type: "heartbeat", interval: 30000, status: { online: true } })],
    ["lifecycle", meta({ meta_event_type: "lifecycle", sub_type: "connect" })],
    ["poke", notice("notify", { sub_type: "poke", target_id: 10001 })],
    ["input_status", notice("notify", { sub_type: "input_status" })],
    ["malformed", notice("group_recall")],
    ["malformed", notice("friend_recall", { user_id: 20001 })],
    ["own_recall", notice("friend_recall", { user_id: 10001, message_id: 5 })],
    ["group_msg_emoji_like", notice("group_msg_emoji_like", { likes: [] })],
    ["bot_offline", notice("bot_offline", { tag: "下线", message: "" })],
    ["friend_request", request({ request_type: "friend", flag: "" })],
    ["group_add_request", request({ request_type: "group", sub_type: "add" })],
    ["group_invite_request", request({ request_type: "group", sub_type: "invite", flag: {}, group_id: 1 })],
    ["unknown:new_thing", notice("new_thing")],
    ["unknown:unnamed", notice("<script>")],
    ["unknown:new_post", { self_id: 10001, post_type: "new_post" }],
    ["malformed", { self_id: 10001 }],
    ["malformed", notice("x", { sub_type: {} })],
    ["malformed", null],
    ["malformed", []],
    ["malformed", "event"],
  ])("%s", (rule, event) => {
    expect(read(event)).toMatchObject({ kind: "ignored", rule });
  });
});

describe("a recall", () => {
  const recall = (more: object) => ({ time: 1, self_id: 10001, post_type: "notice", user_id: 20001, ...more });

  it("names the message, and who took it back", () => {
    expect(read(recall({ notice_type: "friend_recall", message_id: -5 }))).toMatchObject({
      kind: "recall",
      messageId: "-5",
      address: { chat: "private:20001" },
      sender: { id: "20001" },
    });
    const inGroup = { notice_type: "group_recall", group_id: 30001, message_id: 5 };
    expect(read(recall({ ...inGroup, operator_id: 20002 }))).toMatchObject({
      address: { chat: "30001" },
      sender: { id: "20002", administrator: true },
    });
    expect(read(recall({ ...inGroup, operator_id: 20001 }))).not.toHaveProperty("sender.administrator");
  });
});
