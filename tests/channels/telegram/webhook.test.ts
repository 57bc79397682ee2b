import { describe, expect, it, onTestFinished } from "vitest";
import { HandClock } from "../../support/hand-clock.ts";
import { startFakeBotApi } from "../../support/telegram/fake-bot-api.ts";
import { startTelegram, webhookSecret } from "../../support/telegram/start-telegram.ts";

type Options = Parameters<typeof startTelegram>[1] & { readonly clock?: HandClock };

async function start(options: Options = {}) {
  const { clock } = options;
  const fake = await startFakeBotApi(clock && { now: () => clock.now() });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const telegram = await startTelegram(fake, { side: "webhook", ...options });
  onTestFinished(() => telegram[Symbol.asyncDispose]());
  await fake.waitFor(() => telegram.channel.health().state === "ready", "good health");
  return { fake, ...telegram };
}

const update = (id: number) => ({
  update_id: id,
  message: { message_id: 1, date: 1, chat: { id: 42, type: "private" }, from: { id: 42, first_name: "A" }, text: "a" },
});

/** A request as anybody could make it. */
async function post(url: string, body: string | object, secret: string | null = webhookSecret): Promise<number> {
  const headers = secret === null ? {} : { "x-telegram-bot-api-secret-token": secret };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(url, { method: "POST", body: text, headers });
  await answer.arrayBuffer();
  return answer.status;
}

describe("a posted update", () => {
  it.each([
    ["no secret", null],
    ["an empty one", ""],
    ["another one", "hook_secret-9876543210"],
    ["half of it", webhookSecret.slice(0, 8)],
    ["more than it", `${webhookSecret}1`],
  ])("the webhook refuses an update with %s, and stores nothing", async (_, secret) => {
    const { webhookUrl, batches } = await start();
    expect(await post(webhookUrl, update(1), secret)).toBe(403);
    expect(batches).toEqual([]);
    expect(await post(webhookUrl, update(1))).toBe(200);
    expect(batches).toHaveLength(1);
  });

  it("comes in with any query string", async () => {
    const { webhookUrl, events } = await start();
    expect(await post(`${webhookUrl}?token=x&y`, update(1))).toBe(200);
    expect(events()[0]).toMatchObject({ kind: "message", key: "update:1", text: "a" });
  });

  it.each([
    ["too many bytes", `{"update_id":1,"a":"${"x".repeat(1024 * 1024)}"}`, 413],
    ["no JSON", "nonsense", 400],
    ["a list", "[]", 400],
    ["no number", { message: {} }, 400],
    ["a kind nobody knows", { update_id: 1, new_thing: {} }, 200],
    ["nothing in it", { update_id: 1, message: null }, 200],
  ])("the webhook checks an update before it stores it: %s", async (_, body, status) => {
    const { webhookUrl, events } = await start();
    expect(await post(webhookUrl, body)).toBe(status);
    expect(events().filter(({ kind }) => kind !== "ignored")).toEqual([]);
  });

  it("gets its 200 when it is stored, not before", async () => {
    const stored = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    const { webhookUrl } = await start({
      store: () => {
        taken.resolve();
        return stored.promise;
      },
    });
    let status = 0;
    const posting = post(webhookUrl, update(1)).then((answer) => (status = answer));
    await taken.promise;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(status).toBe(0);
    stored.resolve();
    expect(await posting).toBe(200);
  });

  it("comes again when it could not be stored, and the state says so", async () => {
    let full = true;
    const { fake, channel, events } = await start({
      store: async () => {
        if (full) throw new Error("no space left on device");
      },
    });
    const { updateId } = fake.sendText({ chat: 42, text: "a" });
    await fake.waitFor(() => fake.webhook.posts.length >= 2, "the second try");
    expect(fake.webhook.posts[0]).toEqual({ updateId, status: 503 });
    expect(channel.health()).toMatchObject({ state: "degraded" });
    expect(channel.health().detail).toContain("no space left");
    full = false;
    await fake.waitFor(() => fake.pendingUpdates().length === 0, "the delivery");
    expect(events().map(({ key }) => key)).toEqual([`update:${updateId}`]);
    await fake.waitFor(() => channel.health().state === "ready", "good health");
  });

  it("waits at Telegram while the channel does not run", async () => {
    const { fake, channel, webhookUrl, events } = await start();
    await channel.stopReceiving();
    expect(await post(webhookUrl, update(1))).toBe(503);
    fake.sendText({ chat: 42, text: "a" });
    await fake.waitFor(() => fake.webhook.posts.length > 0, "a post");
    expect(fake.pendingUpdates()).toHaveLength(1);
    expect(events()).toEqual([]);
  });
});

describe("the webhook", () => {
  it("the channel sets the webhook with the secret and the kinds of updates, and drops no pending update", async () => {
    const { fake, webhookUrl } = await start();
    expect(fake.callsOf("setWebhook").map(({ payload }) => payload)).toEqual([
      {
        url: webhookUrl,
        secret_token: webhookSecret,
        allowed_updates: [
          "message",
          "edited_message",
          "callback_query",
          "message_reaction",
          "my_chat_member",
          "chat_member",
          "stopped_message_generation",
        ],
        max_connections: 40,
        drop_pending_updates: false,
      },
    ]);
    expect(fake.callsOf("getUpdates")).toEqual([]);
  });

  it("takes over from polling and gives back to it, and every update comes once", async () => {
    await using fake = await startFakeBotApi();
    const keys: string[] = [];
    const said: string[] = [];
    const say = () => said.push(`update:${fake.sendText({ chat: 42, text: "a" }).updateId}`);
    for (const side of ["polling", "webhook", "polling", "webhook"] as const) {
      say();
      await using telegram = await startTelegram(fake, { side });
      await fake.waitFor(() => telegram.events().length >= 1, "what was said before");
      say();
      await fake.waitFor(() => telegram.events().length >= 2, "what was said meanwhile");
      await fake.waitFor(() => fake.pendingUpdates().length === 0, "the confirmation");
      keys.push(...telegram.events().map(({ key }) => key));
    }
    expect(keys).toEqual(said);
    expect(fake.callsOf("deleteWebhook").map(({ payload }) => payload["drop_pending_updates"])).toEqual([false, false]);
  });

  it("the channel sets the webhook again when another program took it", async () => {
    const { fake, channel, events, webhookUrl } = await start();
    fake.webhook.set({ url: "https://other.example/hook" });
    await fake.waitFor(() => fake.webhook.url() === webhookUrl, "our address");
    expect(channel.health()).toMatchObject({ state: "degraded" });
    expect(channel.health().detail).toContain("another program");
    fake.sendText({ chat: 42, text: "a" });
    await fake.waitFor(() => events().length === 1, "the message");
    await fake.waitFor(() => channel.health().state === "ready", "good health");
  });

  it("says what Telegram says against the address", async () => {
    await using fake = await startFakeBotApi();
    const words = "Bad Request: bad webhook: Failed to resolve host: Name or service not known";
    fake.failNext("setWebhook", { kind: "answer", status: 400, description: words }, 2);
    await using telegram = await startTelegram(fake, { side: "webhook" });
    await fake.waitFor(() => telegram.channel.health().state === "failed", "the refusal");
    expect(telegram.channel.health().detail).toContain("TELEGRAM_WEBHOOK_URL");
    expect(telegram.channel.health().detail).toContain("Failed to resolve host");
    await fake.waitFor(() => telegram.channel.health().state === "ready", "good health");
  });
});

describe("a silent Telegram", () => {
  it("makes polling red after two minutes without a finished request", async () => {
    const clock = new HandClock();
    const { fake, channel } = await start({ side: "polling", clock, pollTimeoutSeconds: 1 });
    fake.down();
    await fake.waitFor(() => channel.health().state === "degraded", "bad health");
    const aliveAt = channel.health().aliveAt ?? 0;
    clock.advance(119_000);
    expect(channel.health()).toMatchObject({ state: "degraded", aliveAt });
    clock.advance(2_000);
    expect(channel.health()).toMatchObject({ state: "failed", since: aliveAt + 120_000, aliveAt });
    expect(channel.health().detail).toMatch(/nothing was heard for more than 120 s; Telegram cannot be reached/);
    fake.up();
    await fake.waitFor(() => channel.health().state === "ready", "good health");
    expect(channel.health().aliveAt).toBe(clock.now());
  });

  it("makes it red as well when it was never there", async () => {
    const clock = new HandClock();
    await using fake = await startFakeBotApi();
    fake.down();
    await using telegram = await startTelegram(fake, { clock });
    await fake.waitFor(() => telegram.channel.health().state === "degraded", "bad health");
    clock.advance(121_000);
    expect(telegram.channel.health().state).toBe("failed");
  });

  it("makes a webhook red when what waits there does not get less", async () => {
    const clock = new HandClock();
    const { fake, channel, events } = await start({ clock });
    fake.webhook.hold(true);
    fake.sendText({ chat: 42, text: "a" });
    await fake.waitFor(() => channel.health().state === "degraded", "bad health");
    expect(channel.health().detail).toMatch(/cannot deliver to .*; 1 updates wait there/);
    clock.advance(121_000);
    expect(channel.health().state).toBe("failed");
    fake.webhook.hold(false);
    await fake.waitFor(() => events().length === 1 && channel.health().state === "ready", "good health");
  });

  it("tells Telegram's own reason", async () => {
    const { fake, channel } = await start({ store: () => Promise.reject(new Error("full")) });
    fake.sendText({ chat: 42, text: "a" });
    await fake.waitFor(() => channel.health().state === "degraded", "bad health");
    const { result } = (await (await fetch(`${fake.url}/bot${fake.token}/getWebhookInfo`)).json()) as {
      result: object;
    };
    expect(result).toMatchObject({ last_error_message: "Wrong response from the webhook: 503 Service Unavailable" });
  });
});
