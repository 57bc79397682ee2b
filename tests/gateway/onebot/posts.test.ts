import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { startOneBotChannel, type RunningOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";

const token = "the-right-canary-token";
const event = {
  time: 1_746_673_640,
  self_id: 10001,
  post_type: "message",
  message_type: "private",
  sub_type: "friend",
  message_id: 5,
  user_id: 20001,
  message: "你好",
  sender: { nickname: "冈部" },
};

function post(onebot: RunningOneBotChannel, body: string, headers: Record<string, string> = {}) {
  const signature = `sha1=${createHmac("sha1", token).update(body).digest("hex")}`;
  const usual = { "content-type": "application/json", "x-self-id": "10001", "x-signature": signature };
  return fetch(onebot.eventUrl, { method: "POST", body, headers: { ...usual, ...headers } });
}

describe("events by HTTP", () => {
  it("are answered by 204 once they are stored, and by nothing that would act", async () => {
    const stored = Promise.withResolvers<void>();
    await using onebot = await startOneBotChannel({ accessToken: token, store: () => stored.promise });
    let status = 0;
    const posting = post(onebot, JSON.stringify(event)).then(async (response) => {
      status = response.status;
      return response.text();
    });
    expect(status).toBe(0);
    stored.resolve();
    expect(await posting).toBe("");
    expect(status).toBe(204);
    expect(onebot.messages()).toMatchObject([{ text: "你好", address: { account: "10001", chat: "private:20001" } }]);
  });

  it("are verified over the bytes as they came", async () => {
    await using onebot = await startOneBotChannel({ accessToken: token });
    const spaced = JSON.stringify(event, null, 4);
    expect((await post(onebot, spaced)).status).toBe(204);
    expect(onebot.messages()).toHaveLength(1);
  });

  it.each<[string, number, Record<string, string>]>([
    ["no signature", 401, { "x-signature": "" }],
    ["a wrong signature", 403, { "x-signature": `sha1=${"0".repeat(40)}` }],
    ["half a signature", 403, { "x-signature": "sha1=00" }],
    ["a signature that is none", 403, { "x-signature": "nonsense" }],
    ["no account", 400, { "x-self-id": "" }],
  ])("are refused: %s", async (_, status, headers) => {
    await using onebot = await startOneBotChannel({ accessToken: token });
    expect((await post(onebot, JSON.stringify(event), headers)).status).toBe(status);
    expect(onebot.events).toEqual([]);
  });

  it("are refused when another body was signed", async () => {
    await using onebot = await startOneBotChannel({ accessToken: token });
    const signature = `sha1=${createHmac("sha1", token).update("{}").digest("hex")}`;
    expect((await post(onebot, JSON.stringify(event), { "x-signature": signature })).status).toBe(403);
  });

  it("are refused above 1 MB", async () => {
    await using onebot = await startOneBotChannel({ accessToken: token });
    expect((await post(onebot, "x".repeat(1024 * 1024 + 1))).status).toBe(413);
  });

  it.each([
    ["{broken"],
    ["null"],
    [JSON.stringify({ ...event, self_id: 10002 })],
    [JSON.stringify({ ...event, user_id: {} })],
  ])("that ask nothing of us are done with: %s", async (body) => {
    await using onebot = await startOneBotChannel({ accessToken: token });
    expect((await post(onebot, body)).status).toBe(204);
    expect(onebot.events).toEqual([]);
  });

  it("come again later when they could not be stored, or the channel does not run", async () => {
    await using onebot = await startOneBotChannel({
      accessToken: token,
      store: async () => {
        throw new Error("no space left on device");
      },
    });
    expect((await post(onebot, JSON.stringify(event))).status).toBe(503);
    await onebot.channel.stop();
    expect((await post(onebot, JSON.stringify(event))).status).toBe(503);
  });
});
