import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ChatChange } from "../../src/channels/types.ts";
import { fakeAddress } from "../support/fake-channel.ts";
import { TestGateway } from "../support/gateway.ts";

const hourMs = 3_600_000;
let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway({ groups: ["open"] });
  await kurisu.start();
  await kurisu.say("你好");
});
afterEach(() => kurisu.dispose());

async function change(chat: string, to: ChatChange["change"]): Promise<void> {
  const sender = { id: chat, name: chat, kind: "person" } as const;
  const event = { kind: "chat", key: randomUUID(), address: fakeAddress(chat), sender, sentAt: 0, change: to } as const;
  await kurisu.channel.deliver(event);
  await kurisu.settle();
}
const lose = (chat: string) => change(chat, { kind: "gone", reason: "kicked" });
const told = () =>
  kurisu.channel.sent.filter(({ message, text }) => message.address.chat === "owner" && /说不了话/.test(text));

it("a stranger who blocks and unblocks is not told of, nor who puts her out of a group that is not open", async () => {
  await kurisu.say("hello", { user: "mallory" });
  await kurisu.say("hello", { user: "mallory", chat: "closed", group: true });
  for (const chat of ["mallory", "closed"]) {
    for (let times = 0; times < 3; times += 1) {
      await lose(chat);
      await change(chat, { kind: "back" });
    }
  }
  expect(told()).toEqual([]);
});

it("the owner hears once a day that a member's chat or an open group is lost", async () => {
  await kurisu.say("你好", { user: "alice" });
  await kurisu.say("你好", { user: "alice", chat: "open", group: true });
  for (const day of [1, 2]) {
    for (const chat of ["alice", "open"]) {
      for (let times = 0; times < 4; times += 1) {
        await lose(chat);
        await change(chat, { kind: "back" });
      }
    }
    expect(told()).toHaveLength(2 * day);
    kurisu.clock.advance(24 * hourMs);
  }
});

it("the owner hears of five lost chats, and of the others in one line", async () => {
  const people = Array.from({ length: 8 }, (_, at) => `p${at}`);
  kurisu.members = people;
  for (const user of people) await kurisu.say("你好", { user });
  for (const user of people) await lose(user);
  expect(told()).toHaveLength(6);
  expect(told().at(-1)?.text).toContain("太多");
});
