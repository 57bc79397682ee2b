import { afterEach, beforeEach, expect, it } from "vitest";
import { makePress } from "../support/fake-channel.ts";
import { TestGateway } from "../support/gateway.ts";

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway();
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

const press = async (data: string, said: Omit<Parameters<typeof makePress>[1], "messageId">) => {
  await kurisu.channel.deliver(makePress(data, { ...said, messageId: "made-up" }));
  await kurisu.settle();
};
const asked = () => kurisu.model.asked.map(({ text }) => text);

it("a made-up press in an unknown chat says nothing, and unknown data does nothing", async () => {
  await press("e:zh:command", { user: "alice", chat: "a-group" });
  await press("e:zh:command", { user: "stranger" });
  expect([asked(), kurisu.channel.sent]).toEqual([[], []]);
  // The chat is what its first message says, whatever was pressed there before.
  await kurisu.say("在吗", { user: "alice", chat: "a-group", group: true });
  const kinds = await kurisu.store.main.selectFrom("sessions").select("chat_kind").execute();
  expect(kinds).toEqual([{ chat_kind: "group" }]);
  kurisu.model.asked.length = 0;
  await kurisu.say("/start", { user: "alice" });
  for (const data of ["e:zh:nothing", "e:fr:command", "e:zh:command:rm -rf ~", "e:zh:toString", "x e:zh:command"])
    await press(data, { user: "alice" });
  expect(asked()).toEqual([]);
});

it("a press is one message of the person who pressed, also when it repeats and after a restart", async () => {
  await kurisu.say("/start", { user: "alice" });
  await press("e:zh:command", { user: "alice", key: "p1" });
  await press("e:zh:command", { user: "alice", key: "p1" });
  await kurisu.restart();
  await press("e:zh:command", { user: "alice", key: "p1" });
  expect(asked()).toEqual([expect.stringContaining("运行 uname -a")]);
});
