import { describe, expect, it } from "vitest";
import { startFakeOneBot, type FakeOneBot } from "../../support/onebot/fake-onebot.ts";
import type { FakeOneBotFault, FakeParams } from "../../support/onebot/onebot-types.ts";
import { startOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";

async function hear(fake: FakeOneBot, event: FakeParams & { readonly flag: string }) {
  const onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token });
  await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
  fake.request({ user_id: 20003, comment: "我是\n粉丝\u0000", ...event });
  const find = () => onebot.events.find((one) => one.kind === "request");
  await fake.waitFor(() => find() !== undefined, "the request");
  const request = find();
  if (request?.kind !== "request") throw new Error("no request");
  return { onebot, request };
}

describe("a request", () => {
  it.each([
    [{ request_type: "friend" }, "friend", "private:20003", {}],
    [{ request_type: "group", sub_type: "add", group_id: 30001 }, "join", "30001", { sub_type: "add" }],
    [{ request_type: "group", sub_type: "invite", group_id: 30001 }, "invitation", "30001", { sub_type: "invite" }],
  ] as const)("%j is read and answered by its flag", async (event, kind, chat, more) => {
    await using fake = await startFakeOneBot();
    const { onebot, request } = await hear(fake, { ...event, flag: "f1" });
    await using _ = onebot;
    expect(request).toMatchObject({ request: kind, flag: "f1", comment: "我是 粉丝", address: { chat } });
    expect(request.sender).toMatchObject({ id: "20003", kind: "person" });
    expect(await onebot.channel.answerRequest?.(request.address, request, false)).toEqual({ kind: "done" });
    expect(fake.answered).toEqual([{ flag: "f1", approve: false, ...more }]);
    expect(await onebot.channel.answerRequest?.(request.address, request, true)).toMatchObject({ kind: "refused" });
    expect(fake.answered).toHaveLength(1);
  });

  it.each<[FakeOneBotFault, kind: string]>([
    [{ kind: "refuse", retcode: 1404 }, "refused"],
    [{ kind: "close", taken: false }, "unknown"],
  ])("%j does not count as accepting the request", async (fault, kind) => {
    await using fake = await startFakeOneBot();
    const { onebot, request } = await hear(fake, { request_type: "friend", flag: "f1" });
    await using _ = onebot;
    fake.failNext("set_friend_add_request", fault);
    expect(await onebot.channel.answerRequest?.(request.address, request, true)).toMatchObject({ kind });
  });

  it("a request to an account that is not connected is left for later", async () => {
    await using fake = await startFakeOneBot();
    const { onebot, request } = await hear(fake, { request_type: "friend", flag: "f1" });
    await using _ = onebot;
    const address = { ...request.address, account: "10099" };
    expect(await onebot.channel.answerRequest?.(address, request, true)).toMatchObject({ kind: "later" });
  });
});
