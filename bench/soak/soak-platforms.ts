import type { AddressInfo } from "node:net";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { startFakeOneBot } from "../../tests/support/onebot/fake-onebot.ts";
import { startFakeQqBot } from "../../tests/support/qq/fake-qq-bot.ts";
import { startFakeBotApi } from "../../tests/support/telegram/fake-bot-api.ts";
import { type SoakProcess } from "./gateway-process.ts";

/** A strict fake platform with people in it, and what can happen to it. Chats are counted from 0; every fourth is a group. */
export interface SoakPlatform {
  readonly name: string;
  /** The facts that the process under test needs. */
  readonly settings: Omit<SoakProcess, "home" | "people">;
  /** Somebody says something. Call the answer to have the platform tell it once more. */
  say(chat: number, text: string): () => void;
  /** The bot's messages there, in order, as they stand now. */
  said(chat: number): readonly string[];
  /** Platform ids of the people. */
  readonly people: readonly string[];
  isReady(): boolean;
  /** Something happens to the next call that sends a message. */
  readonly callFaults: readonly Event[];
  /** The way to the platform breaks; resolves once it is whole again. */
  readonly drops: readonly Event[];
  /** Messages that a killed process was sending can be looked up afterwards. */
  readonly tellsAfterKill: boolean;
  /** Every send of a message, in order. */
  sends(): readonly Send[];
  close(): Promise<void>;
}

interface Send {
  readonly text: string;
  /** How it was answered; undefined = never, and the platform offers no way to ask. */
  readonly answer: string | undefined;
}

interface Event {
  readonly name: string;
  cause(): void | Promise<void>;
}

const awayMs = 300;
const isGroup = (chat: number): boolean => chat % 4 === 3;

export const openSoakPlatform: Readonly<Record<SoakProcess["kind"], (chats: number) => Promise<SoakPlatform>>> = {
  "telegram-polling": (chats) => openTelegram("telegram-polling", chats),
  "telegram-webhook": (chats) => openTelegram("telegram-webhook", chats),
  onebot: openOneBot,
  qq: openQq,
};

async function openTelegram(kind: "telegram-polling" | "telegram-webhook", chats: number): Promise<SoakPlatform> {
  const fake = await startFakeBotApi();
  const port = await findPort();
  const isWebhook = kind === "telegram-webhook";
  const idOf = (chat: number): number => (isGroup(chat) ? -100_000 - chat : 1_000 + chat);
  const away: Event = {
    name: "server away for 0.3 s",
    async cause() {
      fake.down();
      await pause(awayMs);
      fake.up();
    },
  };
  const halfOpen: Event = isWebhook
    ? {
        name: "it cannot reach us for 0.3 s",
        async cause() {
          fake.webhook.hold(true);
          await pause(awayMs);
          fake.webhook.hold(false);
        },
      }
    : { name: "half-open", cause: () => fake.failNext("getUpdates", { kind: "hang" }) };
  const polls: Event = {
    name: "polls end, 502",
    cause: () => fake.failNext("getUpdates", { kind: "answer", status: 502 }, 3),
  };
  return {
    name: isWebhook ? "Telegram, webhook" : "Telegram, polling",
    settings: { kind, port, url: fake.url, token: fake.token, appId: "" },
    people: Array.from({ length: chats }, (_, chat) => String(1_000 + chat)),
    isReady: () => (isWebhook ? fake.webhook.url() !== "" : fake.callsOf("getUpdates").length > 0),
    say(chat, text) {
      const { updateId, messageId } = fake.sendText({ chat: idOf(chat), from: { id: 1_000 + chat }, text });
      const message = {
        message_id: messageId,
        date: Math.floor(Date.now() / 1_000),
        chat: isGroup(chat)
          ? { id: idOf(chat), type: "supergroup" as const, title: "g" }
          : { id: idOf(chat), type: "private" as const, first_name: "p" },
        from: { id: 1_000 + chat, is_bot: false, first_name: "p" },
        text,
      };
      return () => void fake.push({ update_id: updateId, message });
    },
    said: (chat) => fake.botMessages(idOf(chat)).map(({ text }) => text),
    callFaults: [
      {
        name: "429",
        cause: () => fake.failNext("sendMessage", { kind: "answer", status: 429, parameters: { retry_after: 1 } }),
      },
      { name: "500", cause: () => fake.failNext("sendMessage", { kind: "answer", status: 500 }) },
      { name: "lost before it came", cause: () => fake.failNext("sendMessage", { kind: "drop", taken: false }) },
      { name: "lost answer", cause: () => fake.failNext("sendMessage", { kind: "drop", taken: true }) },
    ],
    drops: isWebhook ? [away, halfOpen] : [polls, away, halfOpen],
    tellsAfterKill: false,
    sends: () =>
      fake.callsOf("sendMessage").map(({ status, payload }) => ({
        text: String(payload["text"]),
        answer: status === 0 ? undefined : String(status),
      })),
    close: async () => fake[Symbol.asyncDispose](),
  };
}

async function openOneBot(chats: number): Promise<SoakPlatform> {
  // Heartbeats often enough that a silence shows soon.
  const fake = await startFakeOneBot({ heartbeatMs: 400 });
  for (let chat = 0; chat < chats; chat += 1) {
    fake.befriend({ id: 20_000 + chat });
    if (isGroup(chat)) fake.addGroup(300_000 + chat, { members: [{ id: 20_000 + chat }] });
  }
  const nameOf = (chat: number) =>
    isGroup(chat) ? (`group:${300_000 + chat}` as const) : (`private:${20_000 + chat}` as const);
  const sends = () => fake.calls.filter(({ action }) => action === "send_private_msg" || action === "send_group_msg");
  const failSend = (fault: Parameters<typeof fake.failNext>[1]) => fake.failNext("send_private_msg", fault);
  const textOf = (params: Readonly<Record<string, unknown>>): string => JSON.stringify(params["message"]);
  return {
    name: "OneBot",
    settings: { kind: "onebot", port: await findPort(), url: fake.url, token: fake.token, appId: "" },
    people: Array.from({ length: chats }, (_, chat) => String(20_000 + chat)),
    isReady: () => fake.connections().length > 0,
    say(chat, text) {
      const { messageId } = fake.say({
        chat: nameOf(chat),
        from: { id: 20_000 + chat },
        text,
        ...(isGroup(chat) && { at: [fake.selfId] }),
      });
      return () => void fake.repeat(messageId);
    },
    said: (chat) => fake.botMessages(nameOf(chat)).map(({ text }) => text),
    callFaults: [
      { name: "refused, not out", cause: () => failSend({ kind: "refuse", retcode: 1200, taken: false }) },
      { name: "refused, and out", cause: () => failSend({ kind: "refuse", retcode: 1200, taken: true }) },
      { name: "lost answer", cause: () => failSend({ kind: "swallow", taken: true }) },
      { name: "closed in the middle", cause: () => failSend({ kind: "close", taken: true }) },
    ],
    drops: [
      { name: "connection cut", cause: fake.cut },
      {
        name: "server away for 0.3 s",
        async cause() {
          fake.down();
          await pause(awayMs);
          fake.up();
        },
      },
      { name: "half-open", cause: fake.freeze },
    ],
    // Its history tells what became of a send without an answer, and of one that a killed process had begun.
    tellsAfterKill: true,
    sends: () =>
      sends().map(({ retcode = "none", params, connection }) => ({
        text: textOf(params),
        answer: `${retcode} on connection ${connection}`,
      })),
    close: async () => fake[Symbol.asyncDispose](),
  };
}

async function openQq(chats: number): Promise<SoakPlatform> {
  const fake = await startFakeQqBot();
  const nameOf = (chat: number): string => (isGroup(chat) ? `GROUP${chat}` : `private:PERSON${chat}`);
  const sends = /\/messages$/;
  return {
    name: "official QQ, gateway",
    settings: {
      kind: "qq",
      port: await findPort(),
      url: fake.url,
      token: fake.settings.secret,
      appId: fake.settings.appId,
    },
    people: Array.from({ length: chats }, (_, chat) => `PERSON${chat}`),
    isReady: () => fake.gateway.beginnings.length > 0,
    say(chat, text) {
      const { messageId } = fake.say({
        chat: nameOf(chat),
        from: { id: `PERSON${chat}` },
        text,
        ...(isGroup(chat) && { toUs: true }),
      });
      return () => fake.repeat(messageId);
    },
    said: (chat) => fake.botMessages(nameOf(chat)).flatMap(({ text, isWhole }) => (isWhole ? [text] : [])),
    callFaults: [
      { name: "429", cause: () => fake.failNext(sends, { kind: "refuse", status: 429, code: 22009 }) },
      { name: "500", cause: () => fake.failNext(sends, { kind: "refuse", status: 500, code: 50001 }) },
      { name: "lost answer", cause: () => fake.failNext(sends, { kind: "lost" }) },
    ],
    drops: [
      { name: "connection cut", cause: fake.gateway.cut },
      {
        name: "server away for 0.3 s",
        async cause() {
          fake.down();
          await pause(awayMs);
          fake.up();
        },
      },
      {
        name: "half-open",
        async cause() {
          fake.gateway.isDeaf = true;
          await pause(2 * awayMs);
          fake.gateway.isDeaf = false;
        },
      },
    ],
    tellsAfterKill: false,
    // Tencent takes a reply's number once, so that nothing is doubtful but the end of a growing text at a kill.
    sends: () =>
      fake.callsTo(/messages$/).map(({ path, status, body }) => ({
        text: JSON.stringify(body),
        answer: `${status} of ${path}`,
      })),
    close: async () => fake[Symbol.asyncDispose](),
  };
}

/** One that is free, and stays the same when the process starts again. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
