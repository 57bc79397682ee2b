import { expect, it } from "vitest";
import { readEvent } from "../../../src/channels/onebot/read-event.ts";

const read = (more: object) =>
  readEvent(
    {
      time: 1_746_673_640,
      self_id: 10001,
      post_type: "message",
      message_type: "group",
      message_id: 1136053690,
      group_id: 30001,
      user_id: 20001,
      sender: { user_id: 20001, nickname: "用户甲" },
      message: [{ type: "text", data: { text: "a" } }],
      ...more,
    },
    "10001",
  );

it("a message of a group brings the group's name as one line, where the bot tells it", () => {
  expect(read({ group_name: "周末\n火锅" })).toMatchObject({ chatTitle: "周末 火锅" });
  expect(read({ group_name: 7 })).not.toHaveProperty("chatTitle");
  const inPrivate = read({ message_type: "private", group_id: undefined, group_name: "x" });
  expect(inPrivate).toMatchObject({ kind: "message" });
  expect(inPrivate).not.toHaveProperty("chatTitle");
});
