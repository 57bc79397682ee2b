import { Writable } from "node:stream";
import { pino } from "pino";
import type { ChatHistory } from "../../../src/channels/onebot/open-gaps.ts";
import { createOneBotChannel, type OneBotChannelOptions } from "../../../src/channels/onebot/onebot-channel.ts";
import type { OneBotPace, ReconnectPace } from "../../../src/channels/onebot/onebot-pace.ts";
import { unlimitedPace } from "../unlimited-pace.ts";
import { createGuardedFetch } from "../../../src/web/guarded-fetch.ts";
import { createHttpServer } from "../../../src/kernel/http/http-server.ts";
import type { Channel, InboundEvent, InboundMessage, OutboundMessage } from "../../../src/channels/types.ts";
import { systemClock } from "../../../src/core/clock.ts";

/** Fast enough for tests, and patient enough for a busy machine. */
const quickPace: OneBotPace = {
  callMs: 20_000,
  silenceMs: 5_000,
  pongMs: 20_000,
  send: { ...unlimitedPace, group: { count: 1_000, everyMs: 60_000 } },
  historyMs: 20_000,
  gapMs: [50, 100, 200],
  doubtMs: [20],
  quoteMs: 20_000,
  typingMs: 4_000,
  storingMs: [20],
};

const quickReconnect: ReconnectPace = { firstMs: 20, maxMs: 100, refusedMs: 300 };

const noHistory: ChatHistory = {
  listChats: async () => [],
  findLastMessageTime: async () => undefined,
};

export interface RunningOneBotChannel extends AsyncDisposable {
  readonly channel: Channel;
  readonly events: InboundEvent[];
  /** The messages among the events. */
  messages(): readonly InboundMessage[];
  /** Where an implementation connects to. */
  readonly reverseUrl: string;
  /** Where it posts events to. */
  readonly eventUrl: string;
  readonly logged: string[];
}

interface Options extends Partial<Omit<OneBotChannelOptions, "forwardFrom" | "messageFormat" | "pace" | "reconnect">> {
  readonly forwardFrom?: number;
  readonly messageFormat?: "array" | "string";
  readonly pace?: Partial<OneBotPace>;
  readonly reconnect?: Partial<ReconnectPace>;
  /** Large files go by links to its HTTP server. */
  readonly hasLinks?: boolean;
  /** Called before an event counts as stored. */
  readonly store?: (events: readonly InboundEvent[]) => Promise<void>;
}

/** The channel on an HTTP server of its own, started. Disposing stops both. */
export async function startOneBotChannel(options: Options): Promise<RunningOneBotChannel> {
  const { pace, reconnect, store, hasLinks = false, forwardFrom = 0, messageFormat = "array", ...rest } = options;
  const logged: string[] = [];
  const log = pino(
    { level: "trace", base: null },
    new Writable({ write: (line, _, done) => (logged.push(String(line)), done()) }),
  );
  const http = createHttpServer({ host: "127.0.0.1", port: 0, log });
  const { port } = await http.start();
  const channel = createOneBotChannel({
    http,
    history: noHistory,
    forwardFrom: () => forwardFrom,
    messageFormat: () => messageFormat,
    isOwnMessageKnown: async () => false,
    clock: systemClock,
    log,
    pace: { ...quickPace, ...pace },
    reconnect: { ...quickReconnect, ...reconnect },
    fetchPublic: createGuardedFetch(),
    ...(hasLinks && { filesUrl: `http://127.0.0.1:${port}` }),
    ...rest,
  });
  const events: InboundEvent[] = [];
  await channel.start(
    async (batch) => {
      await store?.(batch);
      events.push(...batch);
    },
    () => undefined,
  );
  return {
    channel,
    events,
    messages: () => events.flatMap((event) => (event.kind === "message" ? [event] : [])),
    reverseUrl: `ws://127.0.0.1:${port}/onebot/v11/ws`,
    eventUrl: `http://127.0.0.1:${port}/onebot/v11/event`,
    logged,
    async [Symbol.asyncDispose]() {
      await channel.stop();
      await http.stop();
    },
  };
}

let count = 0;

/** A message on its way out. */
export function outbound(
  account: number,
  chat: string,
  text: string,
  more: Partial<OutboundMessage> = {},
): OutboundMessage {
  count += 1;
  const address = { platform: "qq", account: String(account), chat, thread: null };
  return { id: `out_${count}`, kind: "reply", address, text, plain: false, ...more };
}

export const onlyPart = (text: string) => ({ text, index: 0, last: true });
