import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino, type Logger } from "pino";
import { systemClock } from "../../../src/core/clock.ts";
import type { Store } from "../../../src/store/open-store.ts";
import { openStore } from "../open-store.ts";
import { createHttpServer } from "../../../src/kernel/http/http-server.ts";
import type { Channel, InboundEvent, OutboundMessage } from "../../../src/channels/types.ts";
import { createTelegramChannel, type TelegramChannelOptions } from "../../../src/channels/telegram/telegram-channel.ts";
import type { SendPace } from "../../../src/channels/send-pace.ts";
import { unlimitedPace } from "../unlimited-pace.ts";
import type { FakeBotApi } from "./fake-bot-api.ts";

const quickBackoff = { conflict: [30, 60], unreachable: [20, 40], storing: [20] };
export const quickPace = {
  draftMs: 40,
  firstDraftMs: 20,
  firstMessageMs: 30,
  editMs: 60,
  typingMs: 80,
  unreachableMs: 40,
};

export interface RunningTelegram extends AsyncDisposable {
  readonly channel: Channel;
  /** Everything that was stored, in order; one entry per receive call. */
  readonly batches: (readonly InboundEvent[])[];
  readonly events: () => readonly InboundEvent[];
  /** Every log line as JSON text. */
  readonly logLines: readonly string[];
  /** Where a webhook would be. */
  readonly webhookUrl: string;
}

/** Of a channel that receives by a webhook. */
export const webhookSecret = "hook_secret-0123456789";

/** A channel of the real kind on a fake server, quick enough for tests. `store` may reject, as a full disk does. */
export async function startTelegram(
  fake: FakeBotApi,
  options: Partial<Omit<TelegramChannelOptions, "documentAfter" | "http" | "pace" | "webhook" | "store">> & {
    readonly documentAfter?: number;
    readonly pace?: SendPace;
    /** Where the channel keeps what it knows; by default a place of its own. */
    readonly database?: Pick<Store, "main">;
    readonly store?: (events: readonly InboundEvent[]) => Promise<void>;
    readonly side?: "polling" | "webhook";
  } = {},
): Promise<RunningTelegram> {
  const { store, side = "polling", database, documentAfter = 4, pace = unlimitedPace, ...channelOptions } = options;
  const logLines: string[] = [];
  const log: Logger = pino({ level: "debug" }, { write: (line: string) => logLines.push(line) });
  const home = mkdtempSync(join(tmpdir(), "kurisu-telegram-"));
  const own = await openStore({ home });
  const kept = database ?? own;
  const http = createHttpServer({ host: "127.0.0.1", port: 0, log });
  const { port } = await http.start();
  const webhookUrl = `http://127.0.0.1:${port}/webhook/telegram`;
  const channel = createTelegramChannel({
    http,
    store: kept,
    ...(side === "webhook" && { webhook: { url: webhookUrl, secret: webhookSecret } }),
    checkMs: 60,
    token: fake.token,
    apiRoot: fake.url,
    clock: systemClock,
    log,
    pollTimeoutSeconds: 20,
    backoff: quickBackoff,
    documentAfter: () => documentAfter,
    pace: () => pace,
    previewPace: quickPace,
    ...channelOptions,
  });
  const batches: (readonly InboundEvent[])[] = [];
  await channel.start(
    async (events) => {
      await store?.(events);
      batches.push(events);
    },
    () => {},
  );
  return {
    channel,
    batches,
    events: () => batches.flat(),
    logLines,
    webhookUrl,
    async [Symbol.asyncDispose]() {
      await channel.stop();
      await http.stop();
      await own.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

let sent = 0;

/** An outgoing message to a chat of the fake. */
export function toChat(
  fake: FakeBotApi,
  chat: number,
  message: Partial<OutboundMessage> & { text: string },
): OutboundMessage {
  sent += 1;
  const address = { platform: "telegram", account: String(fake.botId), chat: String(chat), thread: null };
  return { id: `out-${sent}`, kind: "reply", plain: false, address, ...message };
}

export const whole = (text: string) => ({ text, index: 0, last: true });
