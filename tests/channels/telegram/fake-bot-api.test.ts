import { describe, expect, it } from "vitest";
import { startFakeBotApi, type FakeBotApi } from "../../support/telegram/fake-bot-api.ts";
import { patienceMs } from "../../support/patience.ts";

/** A bare client: the fake must be as strict with anybody. */
async function call(fake: FakeBotApi, method: string, payload: object, token = fake.token): Promise<[number, unknown]> {
  const response = await fetch(`${fake.url}/bot${token}/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(payload),
    signal: AbortSignal.timeout(patienceMs),
  });
  const body = (await response.json()) as { result?: unknown; description?: string };
  return [response.status, body.result ?? body.description];
}

describe("the fake Bot API", () => {
  it("keeps updates until the offset moves past them, and honours limit and allowed_updates", async () => {
    await using fake = await startFakeBotApi();
    const ids = ["a", "b", "c"].map((text) => fake.sendText({ chat: 42, text }).updateId);
    const read = async (payload: object) =>
      ((await call(fake, "getUpdates", payload))[1] as { update_id: number }[]).map(({ update_id }) => update_id);
    expect(await read({ limit: 2 })).toEqual(ids.slice(0, 2));
    expect(await read({})).toEqual(ids);
    expect(await read({ offset: (ids[0] ?? 0) + 1, allowed_updates: ["message"] })).toEqual(ids.slice(1));
    expect(fake.push({ my_chat_member: {} } as never)).toBeUndefined();
    expect(await read({ offset: -1 })).toEqual(ids.slice(2));
    expect(fake.pendingUpdates()).toHaveLength(1);
  });

  it("answers a waiting request when something comes, and ends it when another asks", async () => {
    await using fake = await startFakeBotApi();
    const first = call(fake, "getUpdates", { timeout: 20 });
    await fake.waitFor(() => fake.calls.length === 1, "the first request");
    const second = call(fake, "getUpdates", { timeout: 20 });
    expect(await first).toEqual([409, expect.stringContaining("terminated by other getUpdates request")]);
    fake.sendText({ chat: 42, text: "a" });
    expect(await second).toMatchObject([200, [{ message: { text: "a" } }]]);
  });

  it.each([
    ["an unknown chat", { chat_id: 9, text: "x" }, 400, "chat not found"],
    ["no text", { chat_id: 42, text: " " }, 400, "message text is empty"],
    ["a long text", { chat_id: 42, text: "x".repeat(4097) }, 400, "message is too long"],
    [
      "an entity out of bounds",
      { chat_id: 42, text: "x", entities: [{ type: "bold", offset: 0, length: 2 }] },
      400,
      "ends after the end of the text",
    ],
    [
      "an entity within a character",
      { chat_id: 42, text: "😀", entities: [{ type: "bold", offset: 0, length: 1 }] },
      400,
      "middle of a UTF-16 symbol",
    ],
    [
      "entities that overlap",
      {
        chat_id: 42,
        text: "abc",
        entities: [
          { type: "bold", offset: 0, length: 2 },
          { type: "italic", offset: 1, length: 2 },
        ],
      },
      400,
      "overlap",
    ],
    [
      "a long callback_data",
      { chat_id: 42, text: "x", reply_markup: { inline_keyboard: [[{ text: "a", callback_data: "确".repeat(22) }]] } },
      400,
      "BUTTON_DATA_INVALID",
    ],
    [
      "a reply to nothing",
      { chat_id: 42, text: "x", reply_parameters: { message_id: 9 } },
      400,
      "message to be replied not found",
    ],
  ])("refuses %s", async (_, payload, status, words) => {
    await using fake = await startFakeBotApi();
    fake.openChat(42);
    expect(await call(fake, "sendMessage", payload)).toEqual([status, expect.stringContaining(words)]);
    expect(fake.messages(42)).toEqual([]);
  });

  it("refuses a wrong token, an unknown method, an edit that changes nothing, and a second answer to a press", async () => {
    await using fake = await startFakeBotApi();
    fake.openChat(42);
    expect(await call(fake, "getMe", {}, "1:wrong")).toEqual([401, "Unauthorized"]);
    expect(await call(fake, "getMe", {}, "wrong")).toEqual([404, "Not Found"]);
    expect(await call(fake, "sendTelepathy", {})).toEqual([404, "Not Found: method not found"]);
    const reply_markup = { inline_keyboard: [[{ text: "go", callback_data: "x" }]] };
    await call(fake, "sendMessage", { chat_id: 42, text: "a", reply_markup });
    const edit = { chat_id: 42, message_id: 1, text: "a" };
    expect((await call(fake, "editMessageText", { ...edit, reply_markup }))[1]).toContain("message is not modified");
    const { pressId } = fake.press({ chat: 42, messageId: 1, button: "go" });
    expect(await call(fake, "answerCallbackQuery", { callback_query_id: pressId })).toEqual([200, true]);
    expect((await call(fake, "answerCallbackQuery", { callback_query_id: pressId }))[1]).toContain("query is too old");
    expect((await call(fake, "editMessageText", edit))[0]).toBe(200);
    expect(() => fake.press({ chat: 42, messageId: 1, button: "go" })).toThrow("no button");
    expect((await call(fake, "sendMessageDraft", { chat_id: 42, draft_id: 0, text: "" }))[0]).toBe(400);
    expect(await call(fake, "sendMessageDraft", { chat_id: 42, draft_id: 5, text: "" })).toEqual([200, true]);
  });

  it("drops a connection before or after the call had its effect", async () => {
    await using fake = await startFakeBotApi();
    fake.openChat(42);
    for (const taken of [false, true]) {
      fake.failNext("sendMessage", { kind: "drop", taken });
      await expect(call(fake, "sendMessage", { chat_id: 42, text: "a" })).rejects.toThrow("fetch failed");
      expect(fake.messages(42)).toHaveLength(taken ? 1 : 0);
    }
  });
});

describe("the fake's list of commands", () => {
  const good = { command: "start_1", description: "x" };
  it.each([
    ["a capital letter", { commands: [{ command: "Start", description: "x" }] }],
    ["a slash", { commands: [{ command: "/start", description: "x" }] }],
    ["33 letters", { commands: [{ command: "a".repeat(33), description: "x" }] }],
    ["no description", { commands: [{ command: "start", description: " " }] }],
    ["257 characters", { commands: [{ command: "start", description: "x".repeat(257) }] }],
    ["a command twice", { commands: [good, good] }],
    ["a language of three letters", { commands: [good], language_code: "zho" }],
    ["a scope that is none", { commands: [good], scope: { type: "everybody" } }],
    ["no list", {}],
  ])("refuses %s", async (_what, payload) => {
    await using fake = await startFakeBotApi();
    expect((await call(fake, "setMyCommands", payload))[0]).toBe(400);
    expect(fake.commandMenus.size).toBe(0);
    expect(await call(fake, "setMyCommands", { commands: [good], language_code: "ja" })).toEqual([200, true]);
  });
});
