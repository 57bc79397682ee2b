import { describe, expect, it } from "vitest";
import { startFakeBotApi, type FakeBotApi } from "../../support/telegram/fake-bot-api.ts";
import { usualLimits } from "../../support/telegram/fake-limits.ts";

/** Answers the seconds to wait, 0 = it was taken. */
async function call(fake: FakeBotApi, method: string, payload: object): Promise<number> {
  const response = await fetch(`${fake.url}/bot${fake.token}/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(payload),
  });
  const { parameters } = (await response.json()) as { parameters?: { retry_after: number } };
  return parameters?.retry_after ?? 0;
}

const send = (fake: FakeBotApi, chat: number, text = "a") => call(fake, "sendMessage", { chat_id: chat, text });

async function open(limits: Partial<typeof usualLimits>): Promise<FakeBotApi> {
  const fake = await startFakeBotApi({ limits: { ...usualLimits, ...limits } });
  for (const chat of [-1, 1, 2, 3]) fake.openChat(chat);
  return fake;
}

describe("the limits of the fake", () => {
  it("the fake limits each chat: a burst, then one message a second; other chats are not affected", async () => {
    await using fake = await open({ chatBurst: 2 });
    expect([await send(fake, 1), await send(fake, 1), await send(fake, 1), await send(fake, 2)]).toEqual([0, 0, 1, 0]);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect([await send(fake, 1), await send(fake, 1)]).toEqual([0, 1]);
    expect(fake.refusedByLimits()).toBe(2);
  });

  it("the fake counts edits against a group's limit", async () => {
    await using fake = await open({ chatBurst: 100, groupPerMinute: 3 });
    expect([await send(fake, -1), await send(fake, -1)]).toEqual([0, 0]);
    const edit = { chat_id: -1, message_id: 1, text: "b" };
    expect(await call(fake, "editMessageText", edit)).toBe(0);
    expect(await call(fake, "editMessageText", { ...edit, text: "c" })).toBe(60);
    expect(fake.botMessages(-1)[0]?.text).toBe("b");
  });

  it("the fake limits all chats together, and then every request waits", async () => {
    await using fake = await open({ perSecond: 2 });
    expect([await send(fake, 1), await send(fake, 2), await send(fake, 3)]).toEqual([0, 0, 1]);
    expect(await send(fake, 1)).toBeGreaterThan(0);
    expect(fake.impatient).toEqual([{ method: "sendMessage", chat: "1" }]);
  });

  it("a client that does not wait then waits longer, and is noted", async () => {
    await using fake = await open({ chatBurst: 1 });
    expect([await send(fake, 1), await send(fake, 1), await send(fake, 1), await send(fake, 1)]).toEqual([0, 1, 2, 3]);
    expect(fake.impatient).toHaveLength(2);
    expect(await call(fake, "getChatMember", { chat_id: 1, user_id: 1 })).toBe(0);
  });
});
