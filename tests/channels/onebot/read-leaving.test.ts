import { describe, expect, it } from "vitest";
import { readEvent } from "../../../src/channels/onebot/read-event.ts";

describe("a member who leaves", () => {
  const decrease = (more: object) => ({
    time: 7,
    self_id: 10001,
    post_type: "notice",
    notice_type: "group_decrease",
    sub_type: "leave",
    group_id: 30001,
    user_id: 20001,
    operator_id: 20001,
    ...more,
  });

  it("the event names the person, whether they left or were removed", () => {
    for (const more of [{}, { sub_type: "kick", operator_id: 20002 }, { sub_type: "kick", user_id: "20001" }])
      expect(readEvent(decrease(more), "10001")).toEqual({
        kind: "left",
        key: "left:30001:20001:7",
        address: { platform: "qq", account: "10001", chat: "30001", thread: null },
        sender: { id: "20001", name: "20001", kind: "person" },
        sentAt: 7_000,
      });
  });

  it.each([
    ["own_leaving", { user_id: 10001 }],
    ["own_leaving", { sub_type: "kick_me" }],
    ["malformed", { user_id: 0 }],
    ["malformed", { group_id: undefined }],
  ])("%s: %j", (rule, more) => {
    expect(readEvent(decrease(more), "10001")).toMatchObject({ kind: "ignored", rule });
  });
});
