import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Bot, GrammyError, InputFile, webhookCallback, type Context } from "grammy";
import type { Choice } from "../../../src/channels/types.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FakeBotApi } from "./fake-bot-api.ts";
import { startTelegram, toChat, webhookSecret, whole } from "./start-telegram.ts";

export type PeerSide = "polling" | "webhook";

interface HeardThere {
  readonly chat: number;
  readonly from: number;
  readonly messageId: number;
  readonly text: string;
  /** The message it replies to. */
  readonly quotes: number | undefined;
}

interface PressedThere {
  readonly chat: number;
  readonly from: number;
  readonly messageId: number;
  readonly data: string;
}

/** A program that is a Telegram bot. */
interface TelegramPeer extends AsyncDisposable {
  readonly heard: () => readonly HeardThere[];
  readonly presses: () => readonly PressedThere[];
  /** Says something, and answers the number of the message, or the refusal: `403: Forbidden: …`. */
  say(chat: number, text: string, choices?: readonly Choice[]): Promise<string>;
  edit(chat: number, messageId: string, text: string): Promise<void>;
  sendFile(chat: number, name: string, content: Buffer): Promise<void>;
  /** Ends the spinner of the last press. */
  answerPress(text: string): Promise<void>;
}

export type StartTelegramPeer = (fake: FakeBotApi, side: PeerSide) => Promise<TelegramPeer>;

/** A bot of grammY, which others wrote. */
export function createGrammyBot(fake: FakeBotApi): Bot {
  return new Bot(fake.token, { client: { apiRoot: fake.url } });
}

export const startGrammyBot: StartTelegramPeer = async (fake, side) => {
  const bot = createGrammyBot(fake);
  const heard: HeardThere[] = [];
  const presses: (PressedThere & { readonly id: string })[] = [];
  bot.on("message:text", (context: Context) => {
    const { message } = context;
    heard.push({
      chat: message?.chat.id ?? 0,
      from: message?.from.id ?? 0,
      messageId: message?.message_id ?? 0,
      text: (message?.text ?? "").replace(`@${context.me.username}`, "").trim(),
      quotes: message?.reply_to_message?.message_id,
    });
  });
  bot.on("callback_query:data", ({ callbackQuery: { id, from, data, message } }) => {
    presses.push({ id, chat: message?.chat.id ?? 0, from: from.id, messageId: message?.message_id ?? 0, data });
  });
  const end = side === "polling" ? await poll(bot) : await listen(bot);
  return {
    heard: () => heard,
    presses: () => presses.map(({ chat, from, messageId, data }) => ({ chat, from, messageId, data })),
    async say(chat, text, choices) {
      const buttons = choices?.map(({ label, data }) => ({ text: label, callback_data: data }));
      try {
        const sent = await bot.api.sendMessage(chat, text, {
          ...(buttons && { reply_markup: { inline_keyboard: [buttons] } }),
        });
        return String(sent.message_id);
      } catch (error) {
        if (!(error instanceof GrammyError)) throw error;
        return `${error.error_code}: ${error.description}`;
      }
    },
    async edit(chat, messageId, text) {
      await bot.api.editMessageText(chat, Number(messageId), text);
    },
    async sendFile(chat, name, content) {
      await bot.api.sendDocument(chat, new InputFile(content, name));
    },
    async answerPress(text) {
      await bot.api.answerCallbackQuery(presses.at(-1)?.id ?? "", { text });
    },
    [Symbol.asyncDispose]: end,
  };
};

async function poll(bot: Bot): Promise<() => Promise<void>> {
  const started = Promise.withResolvers<void>();
  const running = bot.start({
    allowed_updates: ["message", "callback_query", "my_chat_member"],
    timeout: 20,
    onStart: () => started.resolve(),
  });
  await started.promise;
  return async () => {
    await bot.stop();
    await running;
  };
}

async function listen(bot: Bot): Promise<() => Promise<void>> {
  await bot.init();
  const handle = webhookCallback(bot, "http", { secretToken: webhookSecret });
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await bot.api.setWebhook(`http://127.0.0.1:${port}/hook`, { secret_token: webhookSecret });
  return async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
}

export const startOurBot: StartTelegramPeer = async (fake, side) => {
  const running = await startTelegram(fake, { side });
  const { channel, events } = running;
  await fake.waitFor(() => channel.health().state === "ready", "the channel");
  const presses = () => events().flatMap((event) => (event.kind === "press" ? [event] : []));
  return {
    heard: () =>
      events().flatMap((event) => {
        if (event.kind !== "message") return [];
        const { address, sender, messageId, text, quote } = event;
        const quotes = quote === undefined ? undefined : Number(quote.messageId);
        return [{ chat: Number(address.chat), from: Number(sender.id), messageId: Number(messageId), text, quotes }];
      }),
    presses: () =>
      presses().map(({ address, sender, messageId, data }) => {
        return { chat: Number(address.chat), from: Number(sender.id), messageId: Number(messageId), data };
      }),
    async say(chat, text, choices) {
      const kind = choices === undefined ? "reply" : "question";
      const message = toChat(fake, chat, { text, plain: true, kind, ...(choices && { choices }) });
      const delivery = await channel.send(message, whole(text));
      if (delivery.kind === "sent") return delivery.messageId;
      return "reason" in delivery ? delivery.reason : delivery.kind;
    },
    async edit(chat, messageId, text) {
      await channel.close?.(toChat(fake, chat, { text }).address, messageId, text);
    },
    async sendFile(chat, name, content) {
      const path = join(await createTemporaryFolder(), "kept");
      await writeFile(path, content);
      const file = { name, bytes: content.length, sha256: "" };
      await channel.sendFile({ ...toChat(fake, chat, { text: "", plain: true, kind: "file" }), file }, path);
    },
    async answerPress(text) {
      const press = presses().at(-1);
      if (press) await channel.answerPress?.(press, text);
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
};
