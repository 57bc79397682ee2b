/*
 * Tencent's side of an official QQ bot on 127.0.0.1 for tests, strict as its documentation of September 2026: the address for
 * tokens, the API, the gateway, and calls of a webhook. `await using fake = await startFakeQqBot()`, then point a channel at
 * `fake.url` and `fake.tokenUrl`. Drive it as people do (`say`, `press`), look at what they would see (`botMessages`), at what
 * was asked (`calls`), and let things fail (`failNext`, `down`, `expireTokens`, `advance`, `gateway.cut`).
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createWaiters } from "../waiters.ts";
import { createFakeFiles } from "./fake-files.ts";
import { startFakeGateway, type FakeGateway } from "./fake-gateway.ts";
import { createFakeMessages } from "./fake-messages.ts";
import { createFakeWebhook, type FakeWebhook } from "./fake-webhook.ts";
import {
  refuse,
  type FakeAnswer,
  type FakeBotMessage,
  type FakeCall,
  type FakeChatName,
  type FakeFault,
  type FakePerson,
  type FakeQqBotSettings,
  type FakeText,
} from "./qq-types.ts";
import { writeMessage, writePress, type WrittenEvent } from "./write-event.ts";

export interface FakeQqBot extends AsyncDisposable {
  readonly settings: FakeQqBotSettings;
  readonly url: string;
  readonly tokenUrl: string;
  readonly gateway: FakeGateway;
  /** From now on events are posted there, after it has proved itself. */
  callWebhook(url: string): Promise<FakeWebhook>;
  say(said: FakeText): { readonly messageId: string };
  /** The same event once more. */
  repeat(messageId: string): void;
  /** Somebody opens or closes a chat, or takes the bot into a group or out of it: one of Tencent's management events. */
  change(event: string, chat: FakeChatName): void;
  press(pressed: { chat: FakeChatName; messageId: string; button: string; from: FakePerson }): {
    readonly pressId: string;
  };
  /** Any event. */
  push(event: WrittenEvent): void;
  /** What the presses were answered with. */
  readonly acks: ReadonlyMap<string, number>;
  botMessages(chat: FakeChatName): readonly FakeBotMessage[];
  waitForMessage(predicate: (message: FakeBotMessage) => boolean, timeoutMs?: number): Promise<FakeBotMessage>;
  waitFor(predicate: () => boolean, what: string, timeoutMs?: number): Promise<void>;
  readonly calls: readonly FakeCall[];
  callsTo(path: RegExp): readonly FakeCall[];
  /** The next call whose path fits. */
  failNext(path: RegExp, fault: FakeFault): void;
  down(): void;
  up(): void;
  /** Tokens that were handed out are worth nothing any more. */
  expireTokens(): void;
  /** The platform's clock goes on. */
  advance(ms: number): void;
  now(): number;
  readonly tokensGiven: number;
}

const person: FakePerson = { id: "0A1B2C3D4E5F60718293A4B5C6D7E8F9", name: "冈部" };
const maxBodyBytes = 5_000_000;
const starts: Readonly<Record<string, string>> = { "v2/users": "private:", channels: "channel:", dms: "direct:" };

export async function startFakeQqBot(changes: Partial<FakeQqBotSettings> = {}): Promise<FakeQqBot> {
  const settings: FakeQqBotSettings = {
    appId: "102000001",
    secret: "DG5g3B4j9X2KOErG",
    allowsActive: false,
    allowsMarkdown: true,
    allowsGuilds: true,
    allowsStreams: true,
    heartbeatMs: 200,
    tokenSeconds: 7_200,
    longestText: 4_000,
    ...changes,
  };
  const calls: FakeCall[] = [];
  const faults: { readonly path: RegExp; readonly fault: FakeFault }[] = [];
  const acks = new Map<string, number>();
  const presses = new Set<string>();
  const events = new Map<string, WrittenEvent>();
  const waiters = createWaiters();
  const hanging = new Set<ServerResponse>();
  let offset = 0;
  let isUp = true;
  let token: { readonly text: string; readonly until: number } | undefined;
  let former: { readonly text: string; readonly until: number } | undefined;
  let tokensGiven = 0;
  let webhook: FakeWebhook | undefined;
  let chain: Promise<void> = Promise.resolve();

  const now = () => Date.now() + offset;
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const files = createFakeFiles(() => url);
  const messages = createFakeMessages({ settings, files, now, onSent: () => waiters.check() });
  const gateway = startFakeGateway(server, { settings, isToken, isUp: () => isUp });

  function isToken(header: unknown): boolean {
    return [token, former].some((one) => one && header === `QQBot ${one.text}` && now() < one.until);
  }

  function giveToken(body: Readonly<Record<string, unknown>>): FakeAnswer {
    if (typeof body["appId"] !== "string" || body["appId"] !== settings.appId)
      return { status: 200, body: { code: 100007, message: "appid invalid" } };
    if (body["clientSecret"] !== settings.secret)
      return { status: 200, body: { code: 100016, message: "invalid appid or secret" } };
    // A new one only in the last minute of the old one, which holds until its end.
    if (token === undefined || now() > token.until - 60_000) {
      former = token;
      tokensGiven += 1;
      token = { text: `token-${tokensGiven}-${randomUUID()}`, until: now() + settings.tokenSeconds * 1_000 };
    }
    const seconds = Math.floor((token.until - now()) / 1_000);
    return { status: 200, body: { access_token: token.text, expires_in: String(seconds) } };
  }

  function answerCall(method: string, path: string, body: Readonly<Record<string, unknown>>): FakeAnswer {
    if (method === "GET" && path === "/users/@me") return { status: 200, body: { id: "9001", username: "Kurisu" } };
    if (method === "GET" && path === "/gateway")
      return { status: 200, body: { url: `${url.replace("http", "ws")}/ws` } };
    const [, interaction] = /^\/interactions\/(.+)$/.exec(path) ?? [];
    if (method === "PUT" && interaction !== undefined) {
      const code = Number(body["code"]);
      if (!presses.has(interaction) || acks.has(interaction) || !(code >= 0 && code <= 5)) return refuse(630001);
      acks.set(interaction, code);
      waiters.check();
      return { status: 200, body: {} };
    }
    const [, of = "", where = "", recalled] =
      /^\/(v2\/users|v2\/groups|channels|dms)\/([^/]+)\/messages\/([^/]+)$/.exec(path) ?? [];
    if (method === "DELETE" && recalled !== undefined)
      return messages.recall(`${starts[of] ?? ""}${decodeURIComponent(where)}`, decodeURIComponent(recalled));
    const [, kind = "", id = "", call = ""] =
      /^\/(v2\/users|v2\/groups|channels|dms)\/([^/]+)\/(\w+)$/.exec(path) ?? [];
    if (method !== "POST" || id === "") return { status: 404, body: { message: "not found", code: 11255 } };
    const chat = `${starts[kind] ?? ""}${decodeURIComponent(id)}`;
    if (call === "messages") return messages.send(chat, body);
    if (call === "stream_messages" && kind.startsWith("v2/")) return messages.stream(chat, body);
    const uploaded = kind.startsWith("v2/") ? files.take(chat, call, body) : undefined;
    return uploaded ?? { status: 404, body: { message: "not found", code: 11255 } };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isUp) return void request.socket.destroy();
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const content = Buffer.concat(pieces);
    const { method = "", url: path = "" } = request;
    if (path.startsWith("/cos/")) return end(response, files.put(path.split("?")[0] ?? "", content));
    if (content.length > maxBodyBytes) return end(response, refuse(12002, 413));
    const body = (content.length === 0 ? {} : JSON.parse(content.toString())) as Record<string, unknown>;
    const call: FakeCall = { method, path, body, status: 0, code: 0 };
    calls.push(call);
    const place = faults.findIndex((one) => one.path.test(path));
    const fault = place < 0 ? undefined : faults.splice(place, 1)[0]?.fault;
    if (fault?.kind === "hang") return void hanging.add(response);
    const answer = fault?.kind === "refuse" ? refuse(fault.code, fault.status) : decide(request, path, body, method);
    Object.assign(call, { status: answer.status, code: (answer.body as { err_code?: number }).err_code ?? 0 });
    if (fault?.kind === "lost") return void request.socket.destroy();
    return end(response, answer);
  }

  function decide(
    request: IncomingMessage,
    path: string,
    body: Readonly<Record<string, unknown>>,
    method: string,
  ): FakeAnswer {
    if (path === "/app/getAppAccessToken") return giveToken(body);
    if (!isToken(request.headers.authorization))
      return { status: 401, body: { code: 11244, message: "token not exist or expire" } };
    if (
      method !== "GET" &&
      method !== "DELETE" &&
      request.headers["content-type"]?.startsWith("application/json") !== true
    )
      return refuse(11301);
    return answerCall(method, path, body);
  }

  function end(response: ServerResponse, { status, body }: FakeAnswer): void {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  }

  /** In order, as each of both ways has it. */
  function push(event: WrittenEvent): void {
    const hook = webhook;
    if (hook === undefined) gateway.push(event);
    else chain = chain.then(() => hook.push({ op: 0, ...event }));
  }

  return {
    settings,
    url,
    tokenUrl: `${url}/app/getAppAccessToken`,
    gateway,
    calls,
    acks,
    now,
    push,
    get tokensGiven() {
      return tokensGiven;
    },
    async callWebhook(address) {
      webhook = createFakeWebhook(address, settings, now);
      await webhook.validate();
      return webhook;
    },
    say(said) {
      const id = `ROBOT1.0_in_${randomUUID()}`;
      const at = now() - (said.ageMs ?? 0);
      const from = said.from ?? person;
      const reference = messages.addMessage(id, said.text);
      messages.addTrigger(id, said.chat, at);
      const { quoting } = said;
      const quoted =
        quoting === undefined
          ? undefined
          : {
              id: quoting,
              reference: messages.referenceOf(quoting) ?? "REFIDX_unknown",
              text: messages.textOf(quoting),
            };
      const event = writeMessage({ ...said, from }, { id, reference, quoted, at });
      events.set(id, event);
      push(event);
      return { messageId: id };
    },
    change(t, chat) {
      const id = `${t}:${randomUUID()}`;
      // Nothing may answer that somebody is gone.
      if (!/(?:DEL|REJECT)/.test(t)) messages.addTrigger(id, chat, now());
      const user = chat.startsWith("private:") ? chat.slice("private:".length) : undefined;
      const where = user === undefined ? { group_openid: chat, op_member_openid: "MEMBER" } : { openid: user };
      push({ id, t, d: { ...where, timestamp: Math.floor(now() / 1_000) } });
    },
    repeat(messageId) {
      const event = events.get(messageId);
      if (event) push(event);
    },
    press({ chat, messageId, button, from }) {
      const card = messages.sent.find((message) => message.messageId === messageId);
      const data = card?.buttons.find(({ label }) => label.includes(button))?.data;
      if (data === undefined) throw new Error(`no button ${button} on ${messageId}`);
      const id = randomUUID();
      const event = writePress({ chat, user: from.id, data, messageId }, { id, at: now() });
      presses.add(id);
      messages.addTrigger(event.id, chat, now());
      push(event);
      return { pressId: id };
    },
    botMessages: (chat) => messages.sent.filter((message) => message.chat === chat),
    waitForMessage: (predicate, timeoutMs) =>
      waiters.wait(
        () => messages.sent.find((message) => message.isWhole && predicate(message)),
        "a message of the bot",
        timeoutMs,
      ),
    waitFor: async (predicate, what, timeoutMs) => {
      await waiters.wait(() => predicate() || undefined, what, timeoutMs);
    },
    callsTo: (path) => calls.filter((call) => path.test(call.path)),
    failNext: (path, fault) => void faults.push({ path, fault }),
    down() {
      isUp = false;
      gateway.cut();
      server.close();
      server.closeAllConnections();
    },
    up() {
      isUp = true;
      server.listen(port, "127.0.0.1");
    },
    expireTokens: () => (token = former = undefined),
    advance: (ms) => (offset += ms),
    async [Symbol.asyncDispose]() {
      isUp = false;
      gateway.cut();
      for (const response of hanging) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
