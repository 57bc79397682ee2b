import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startFakeQqBot } from "../../support/qq/fake-qq-bot.ts";
import { startQqChannel } from "../../support/qq/start-qq-channel.ts";
import type { FakeQqBotSettings } from "../../support/qq/qq-types.ts";

const alone = "private:OPENID";

async function start(settings: Partial<FakeQqBotSettings> = {}, options: Parameters<typeof startQqChannel>[2] = {}) {
  const fake = await startFakeQqBot({ heartbeatMs: 300, ...settings });
  onTestFinished(async () => {
    expect(fake.gateway.violations).toEqual([]);
    await fake[Symbol.asyncDispose]();
  });
  const running = await startQqChannel(fake, "gateway", options);
  onTestFinished(() => running[Symbol.asyncDispose]());
  const isReady = () => running.channel.health().state === "ready";
  const say = (text: string) => fake.say({ chat: alone, from: { id: "OPENID" }, text });
  const heard = () => running.messages().map(({ text }) => text);
  const untilHeard = (...texts: readonly string[]) =>
    fake.waitFor(() => texts.every((text) => heard().includes(text)), texts.join(", "));
  await fake.waitFor(() => isReady() || running.channel.health().state === "failed", "the channel");
  return { fake, ...running, isReady, say, heard, untilHeard };
}

test("a connection stays while heartbeats are answered", async () => {
  const { fake, say, untilHeard } = await start();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  say("在吗");
  await untilHeard("在吗");
  expect(fake.gateway.beginnings).toEqual(["identify"]);
});

describe("a connection that ends", () => {
  test.each([
    ["without a word", "cut"],
    ["because they ask", "askToReconnect"],
  ] as const)("%s is resumed: what was said meanwhile comes, once and in order", async (_, how) => {
    const { fake, say, heard, untilHeard, isReady } = await start();
    say("一");
    await untilHeard("一");
    fake.gateway[how]();
    // It may be back before anybody looked.
    const isOver = () => !isReady() || fake.gateway.connections() === 0 || fake.gateway.beginnings.length > 1;
    await fake.waitFor(isOver, "the end");
    say("二");
    say("三");
    await untilHeard("三");
    expect(heard()).toEqual(["一", "二", "三"]);
    expect(fake.gateway.beginnings).toEqual(["identify", "resume"]);
  });

  test("a connection whose session is forgotten begins a new one", async () => {
    const { fake, say, untilHeard } = await start();
    fake.gateway.forgetSessions();
    fake.gateway.cut();
    await fake.waitFor(() => fake.gateway.beginnings.length === 3, "a new session");
    await fake.waitFor(() => fake.gateway.connections() === 1, "the connection");
    say("还在吗");
    await untilHeard("还在吗");
    expect(fake.gateway.beginnings).toEqual(["identify", "resume", "identify"]);
  });

  test("the gateway notices a half-dead connection by its heartbeats", async () => {
    const { fake, say, untilHeard } = await start();
    fake.gateway.isDeaf = true;
    await fake.waitFor(() => fake.gateway.beginnings.length === 2, "another connection");
    fake.gateway.isDeaf = false;
    say("在吗");
    await untilHeard("在吗");
    expect(fake.gateway.beginnings.slice(0, 2)).toEqual(["identify", "resume"]);
  });
});

describe("a connection that", () => {
  test("the gateway gives up a silent connection in time and resumes", async () => {
    const { fake, say, untilHeard } = await start({}, { pace: { handshakeMs: 300 } });
    fake.gateway.isMute = true;
    fake.gateway.cut();
    await fake.waitFor(() => fake.gateway.connections() === 1, "the mute connection");
    say("在吗");
    await new Promise((resolve) => setTimeout(resolve, 400));
    fake.gateway.isMute = false;
    await untilHeard("在吗");
    expect(fake.gateway.beginnings).toEqual(["identify", "resume"]);
  });

  test("the gateway keeps its session when a token is refused, and misses no message", async () => {
    const { fake, say, heard, untilHeard } = await start();
    say("一");
    await untilHeard("一");
    fake.gateway.refusedTokens = 1;
    fake.gateway.cut();
    await fake.waitFor(() => fake.gateway.refusedTokens === 0, "the refusal");
    say("二");
    await untilHeard("二");
    expect(heard()).toEqual(["一", "二"]);
    expect(fake.gateway.beginnings).toEqual(["identify", "resume"]);
  });

  test("another process of ours begins goes on where the last one was: nothing is lost, what comes again is known", async () => {
    const home = mkdtempSync(join(tmpdir(), "kurisu-qq-gateway-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const { fake, say, untilHeard, channel, store } = await start({}, { place: { home } });
    say("一");
    await untilHeard("一");
    await channel.stop();
    await store.close();
    say("二");
    const next = await startQqChannel(fake, "gateway", { place: { home } });
    onTestFinished(() => next[Symbol.asyncDispose]());
    await fake.waitFor(() => next.messages().some(({ text }) => text === "二"), "what was said meanwhile");
    expect(fake.gateway.beginnings).toEqual(["identify", "resume"]);
    const rows = await next.store.main.selectFrom("inbox").select("payload").orderBy("seq").execute();
    expect(rows.map(({ payload }) => (JSON.parse(payload) as { text: string }).text)).toEqual(["一", "二"]);
  });
});

test("an event that cannot be stored keeps its place, and later ones wait behind it", async () => {
  let full = 3;
  const { say, untilHeard, heard, channel, fake } = await start(
    {},
    {
      async beforeStoring() {
        if (full > 0) throw new Error("the disk is full");
      },
    },
  );
  say("一");
  say("二");
  await fake.waitFor(() => channel.health().detail.includes("disk is full"), "the fault to be seen");
  fake.gateway.cut();
  await fake.waitFor(() => fake.gateway.connections() === 0, "the end");
  full = 0;
  await untilHeard("一", "二");
  expect(heard().indexOf("二")).toBeGreaterThan(heard().indexOf("一"));
});

test("a bot that may hear nothing in guilds hears the rest, and says so", async () => {
  const { fake, say, untilHeard, channel, isReady } = await start({ allowsGuilds: false });
  await fake.waitFor(isReady, "the channel");
  say("在吗");
  await untilHeard("在吗");
  expect(channel.health().detail).toContain("guilds");
});

describe("tokens", () => {
  test("the channel renews a token before it expires and never uses an expired one", async () => {
    const { fake, isReady } = await start({ tokenSeconds: 100 });
    expect(fake.tokensGiven).toBe(1);
    fake.advance(60_000);
    fake.gateway.cut();
    await fake.waitFor(() => fake.gateway.beginnings.length === 2 && isReady(), "another connection");
    expect(fake.tokensGiven).toBe(2);
    expect(fake.calls.filter(({ status }) => status === 401)).toEqual([]);
  });

  test("the channel replaces a token at once when the platform refuses it early", async () => {
    const { fake, isReady } = await start();
    fake.expireTokens();
    fake.gateway.cut();
    await fake.waitFor(() => fake.gateway.beginnings.length >= 2 && isReady(), "another connection");
    expect(fake.tokensGiven).toBe(2);
  });

  test("health names the reason when the platform gives no token, without the secret", async () => {
    const { channel } = await start({}, { appSecret: "wrong-secret-0123" });
    expect(channel.health()).toMatchObject({ state: "failed" });
    expect(channel.health().detail).toContain("invalid appid or secret");
    expect(channel.health().detail).not.toContain("wrong-secret");
  });
});

test("the log names a group and the person who mentions her there, once: openids are seen nowhere else", async () => {
  const { fake, logged, messages } = await start();
  for (const text of ["在吗", "喂"])
    fake.say({ chat: "GROUP-1", from: { id: "MEMBER-1", name: "冈部" }, text, toUs: true });
  fake.say({ chat: "GROUP-2", from: { id: "MEMBER-2" }, text: "不关她的事" });
  await fake.waitFor(() => messages().length === 3, "the messages");
  const named = logged.filter((line) => line.includes("qq.groups")).map((line) => JSON.parse(line) as object);
  expect(named).toMatchObject([{ level: 30, group: "GROUP-1", person: "qqbot:MEMBER-1", name: "冈部" }]);
});
