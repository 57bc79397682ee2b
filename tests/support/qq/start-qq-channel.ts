import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { QqPace } from "../../../src/channels/qq/pace.ts";
import { createQqChannel, type QqChannelOptions } from "../../../src/channels/qq/qq-channel.ts";
import type {
  Channel,
  ChatAddress,
  InboundEvent,
  InboundMessage,
  OutboundMessage,
} from "../../../src/channels/types.ts";
import { createAcceptEvents } from "../../../src/kernel/inbox/accept-events.ts";
import { createHttpServer } from "../../../src/kernel/http/http-server.ts";
import type { Store, StorePlace } from "../../../src/store/open-store.ts";
import { openStore } from "../open-store.ts";
import { createGuardedFetch } from "../../../src/web/guarded-fetch.ts";
import type { FakeQqBot } from "./fake-qq-bot.ts";
import type { FakeChatName } from "./qq-types.ts";

/** Fast enough for tests, and patient enough for a busy machine. */
const quickPace: QqPace = {
  handshakeMs: 20_000,
  reconnectMs: [20, 40, 80],
  refusedMs: 200,
  storingMs: [20],
  checkMs: 60,
  streamMs: 0,
};

export interface RunningQqChannel extends AsyncDisposable {
  readonly channel: Channel;
  readonly store: Store;
  /** Everything that was handed in, twice what came twice. */
  readonly events: InboundEvent[];
  messages(): readonly InboundMessage[];
  /** Chats of which it said that what waits may go out. */
  readonly woken: ChatAddress[];
  readonly webhookUrl: string;
  readonly logged: string[];
}

interface Options extends Partial<Omit<QqChannelOptions, "pace" | "proactive" | "webhook">> {
  readonly proactive?: boolean;
  /** Where its store is, kept afterwards. */
  readonly place?: StorePlace;
  readonly pace?: Partial<QqPace>;
  /** Called before an event counts as stored. */
  readonly beforeStoring?: (events: readonly InboundEvent[]) => Promise<void>;
}

/** The channel on a store and an HTTP server of its own, started, with the clock of the fake. */
export async function startQqChannel(
  fake: FakeQqBot,
  side: "gateway" | "webhook" = "gateway",
  options: Options = {},
): Promise<RunningQqChannel> {
  const { place, pace, proactive = false, beforeStoring, ...rest } = options;
  const logged: string[] = [];
  const log = pino({ level: "trace", base: null }, { write: (line: string) => void logged.push(line) });
  const home = place?.home ?? mkdtempSync(join(tmpdir(), "kurisu-qq-"));
  const store = await openStore(place ?? { home });
  const http = createHttpServer({ host: "127.0.0.1", port: 0, log });
  const clock = { now: fake.now };
  const { port } = await http.start();
  const webhookUrl = `http://127.0.0.1:${port}/webhook/qq`;
  const channel = createQqChannel({
    appId: fake.settings.appId,
    appSecret: fake.settings.secret,
    apiRoot: fake.url,
    tokenUrl: fake.tokenUrl,
    proactive: () => proactive,
    streaming: true,
    http,
    store,
    fetchPublic: createGuardedFetch(),
    clock,
    log,
    pace: { ...quickPace, ...pace },
    ...(side === "webhook" && { webhook: { url: webhookUrl } }),
    ...rest,
  });
  const accept = createAcceptEvents({ store, language: () => "zh", clock, log });
  const events: InboundEvent[] = [];
  const woken: ChatAddress[] = [];
  await channel.start(
    async (batch) => {
      await beforeStoring?.(batch);
      await accept(batch);
      events.push(...batch);
    },
    (address) => void woken.push(address),
  );
  if (side === "webhook") await fake.callWebhook(webhookUrl);
  return {
    channel,
    store,
    events,
    messages: () => events.flatMap((event) => (event.kind === "message" ? [event] : [])),
    woken,
    webhookUrl,
    logged,
    async [Symbol.asyncDispose]() {
      await channel.stop();
      await http.stop();
      await store.close();
      if (place === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

let count = 0;

/** A message on its way out. */
export function outbound(
  fake: FakeQqBot,
  chat: FakeChatName,
  text: string,
  more: Partial<OutboundMessage> = {},
): OutboundMessage {
  count += 1;
  return { id: `out_${count}`, kind: "reply", address: addressOf(fake, chat), text, plain: false, ...more };
}

export function addressOf(fake: FakeQqBot, chat: FakeChatName): ChatAddress {
  return { platform: "qqbot", account: fake.settings.appId, chat, thread: null };
}

export const onlyPart = (text: string) => ({ text, index: 0, last: true });
