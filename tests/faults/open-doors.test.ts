/* What somebody without any right can send to each door as often as they like: deep JSON, and what is refused. */
import { createHmac, createPrivateKey, sign } from "node:crypto";
import { pino } from "pino";
import { WebSocket } from "ws";
import { expect, onTestFinished, test } from "vitest";
import { startApiChannel, testToken } from "../support/api/start-api-channel.ts";
import { startOneBotChannel } from "../support/onebot/start-onebot-channel.ts";
import { startFakeQqBot } from "../support/qq/fake-qq-bot.ts";
import { startQqChannel } from "../support/qq/start-qq-channel.ts";
import { startFakeBotApi } from "../support/telegram/fake-bot-api.ts";
import { startTelegram, webhookSecret } from "../support/telegram/start-telegram.ts";
import { waitUntil } from "../support/wait-until.ts";

const oneBotToken = "the-right-canary-token";
const qqSecret = "DG5g3B4j9X2KOErG";
const depth = 100_000;
const deepList = "[".repeat(depth) + "]".repeat(depth);
const deepObject = '{"a":'.repeat(depth) + "1" + "}".repeat(depth);

interface Door {
  /** `right` = with what the door asks for; answers the status. */
  readonly knock: (body: string, right: boolean) => Promise<number>;
  readonly logged: readonly string[];
  readonly heard: () => number;
}

async function send(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await fetch(url, { method: "POST", body, headers });
  await answer.arrayBuffer();
  return answer.status;
}

const doors: Readonly<Record<string, () => Promise<Door>>> = {
  async "the API"() {
    const logged: string[] = [];
    const api = await startApiChannel({ log: pino({ level: "info" }, { write: (line) => void logged.push(line) }) });
    onTestFinished(() => api[Symbol.asyncDispose]());
    const knock = (body: string, right: boolean) =>
      send(`${api.url}/v1/chat/completions`, body, { authorization: `Bearer ${right ? testToken : "wrong"}` });
    return { knock, logged, heard: () => api.events.length };
  },
  async "Telegram's webhook"() {
    const fake = await startFakeBotApi();
    onTestFinished(() => fake[Symbol.asyncDispose]());
    const telegram = await startTelegram(fake, { side: "webhook" });
    onTestFinished(() => telegram[Symbol.asyncDispose]());
    await fake.waitFor(() => telegram.channel.health().state === "ready", "good health");
    const knock = (body: string, right: boolean) =>
      send(telegram.webhookUrl, body, { "x-telegram-bot-api-secret-token": right ? webhookSecret : "wrong" });
    return { knock, logged: telegram.logLines, heard: () => telegram.batches.length };
  },
  async "QQ's webhook"() {
    const fake = await startFakeQqBot({ secret: qqSecret });
    onTestFinished(() => fake[Symbol.asyncDispose]());
    const qq = await startQqChannel(fake, "webhook");
    onTestFinished(() => qq[Symbol.asyncDispose]());
    const der = [Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.from(qqSecret.repeat(2).slice(0, 32))];
    const key = createPrivateKey({ key: Buffer.concat(der), format: "der", type: "pkcs8" });
    const knock = (body: string, right: boolean) => {
      const time = String(Math.floor(Date.now() / 1_000));
      const signature = right ? sign(null, Buffer.from(time + body), key).toString("hex") : "ab".repeat(64);
      return send(qq.webhookUrl, body, { "x-signature-timestamp": time, "x-signature-ed25519": signature });
    };
    return { knock, logged: qq.logged, heard: () => qq.events.length };
  },
  async "OneBot's posts"() {
    const onebot = await startOneBotChannel({ accessToken: oneBotToken });
    onTestFinished(() => onebot[Symbol.asyncDispose]());
    const knock = (body: string, right: boolean) => {
      const signature = createHmac("sha1", right ? oneBotToken : "wrong")
        .update(body)
        .digest("hex");
      return send(onebot.eventUrl, body, { "x-self-id": "10001", "x-signature": `sha1=${signature}` });
    };
    return { knock, logged: onebot.logged, heard: () => onebot.events.length };
  },
};

const each = Object.entries(doors);
const warnings = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 40);

test.each(each)("JSON that is 100,000 deep is no fault of %s: it answers 400 and hears nothing", async (_, open) => {
  const { knock, logged, heard } = await open();
  for (const body of [deepList, deepObject, `{"update_id":1,"op":0,"model":"kurisu","messages":${deepList}}`]) {
    expect(await knock(body, true)).toBe(400);
    expect(await knock(body, false)).toBeLessThan(404);
  }
  const nested = { role: "user", content: [{ type: "text", text: "在吗", extra: deepList }] };
  expect(await knock(JSON.stringify(nested).replace(`"${deepList}"`, deepList), true)).toBe(400);
  expect(heard()).toBe(0);
  expect(warnings(logged).filter((line) => line.includes("failed"))).toEqual([]);
});

test.each(each)("40 wrong credentials in a row leave one line of %s in the log", async (_, open) => {
  const { knock, logged } = await open();
  for (let count = 0; count < 40; count += 1) expect(await knock("{}", false)).toBeGreaterThanOrEqual(401);
  expect(warnings(logged)).toHaveLength(1);
  expect(warnings(logged)[0]).toContain("refused");
});

test("40 wrong tokens of a reverse WebSocket leave three lines; a deep frame does not end a right one", async () => {
  const onebot = await startOneBotChannel({ accessToken: oneBotToken });
  onTestFinished(() => onebot[Symbol.asyncDispose]());
  const connect = (token: string) => {
    const headers = { authorization: `Bearer ${token}`, "x-self-id": "10001", "x-client-role": "Universal" };
    const socket = new WebSocket(onebot.reverseUrl, { headers });
    onTestFinished(() => socket.terminate());
    return new Promise<WebSocket | undefined>((resolve) => {
      socket.once("open", () => resolve(socket));
      socket.once("error", () => resolve(undefined));
    });
  };
  for (let count = 0; count < 40; count += 1) expect(await connect("wrong")).toBeUndefined();
  expect(warnings(onebot.logged)).toHaveLength(3);
  const right = await connect(oneBotToken);
  right?.send(deepObject);
  right?.send(`{"post_type":"message","message":${deepList}}`);
  const said = { post_type: "message", message_type: "private", sub_type: "friend", message_id: 5, user_id: 20001 };
  right?.send(JSON.stringify({ ...said, time: 1_746_673_640, self_id: 10001, message: "你好", sender: {} }));
  await waitUntil("the message after it", () => onebot.messages().length === 1);
  expect(onebot.logged.filter((line) => line.includes("could not be handled"))).toEqual([]);
});
