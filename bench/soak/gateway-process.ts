// The real gateway with one real channel as a process of its own, so that it can be killed. The model answers at once.
import { flushCompileCache } from "node:module";
import { pino, type Logger } from "pino";
import { createOneBotChannel } from "../../src/channels/onebot/onebot-channel.ts";
import { createQqChannel } from "../../src/channels/qq/qq-channel.ts";
import { createTelegramChannel } from "../../src/channels/telegram/telegram-channel.ts";
import type { Channel } from "../../src/channels/types.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createHttpServer } from "../../src/kernel/http/http-server.ts";
import { isSentMessage } from "../../src/store/queries/outbox.ts";
import { findLastMessageTime, listKnownChats } from "../../src/store/queries/recent-chats.ts";
import { createGuardedFetch } from "../../src/web/guarded-fetch.ts";
import { TestGateway } from "../../tests/support/gateway.ts";

/** The orders for the process, as JSON in SOAK. */
export interface SoakProcess {
  readonly kind: "telegram-polling" | "telegram-webhook" | "onebot" | "qq";
  readonly home: string;
  /** Of its HTTP server. */
  readonly port: number;
  /** Of the platform. */
  readonly url: string;
  readonly token: string;
  /** Of the official QQ bot. */
  readonly appId: string;
  readonly people: readonly string[];
}

/** Of the Telegram webhook. */
export const soakSecret = "soak_secret-0123456789";

/** Nothing waits for the sake of a platform's rules: the gateway is measured, and there is no platform to annoy. */
const noPace = {
  all: { count: Infinity, everyMs: 1 },
  chat: { gapMs: 0, burst: 1, jitterMs: 0 },
  group: { count: Infinity, everyMs: 1 },
};
const manyMessages = 10_000;
const clockMs = 5;

const given = process.env["SOAK"];
if (given !== undefined) await run(JSON.parse(given) as SoakProcess);

async function run({ home, port, people, ...settings }: SoakProcess): Promise<void> {
  const log = pino({ level: "warn" }, process.stderr);
  const http = createHttpServer({ host: "127.0.0.1", port, log });
  const store = {
    get main() {
      return kurisu.store.main;
    },
  };
  const channel = createChannel({ ...settings, port }, { http, store, log });
  const kurisu = new TestGateway({
    place: { home },
    members: people,
    real: [channel],
    limits: { messages: { person: manyMessages, owner: manyMessages, all: manyMessages }, loop: 0 },
    answerAll: true,
  });
  kurisu.model.script = ({ text }) => ({ text: `答 #${/#(\d+)/.exec(text)?.[1] ?? "?"}` });
  const keepTime = (): void => kurisu.clock.advance(Math.max(0, Date.now() - kurisu.clock.now()));
  keepTime();
  setInterval(keepTime, clockMs);
  await http.start();
  await kurisu.start();
  // It is killed, and Node writes the compiled sources only when a process ends by itself.
  flushCompileCache();
  process.on("SIGTERM", () => void kurisu.stop().then(() => process.exit(0)));
}

function createChannel(
  { kind, url, token, appId, port }: Omit<SoakProcess, "home" | "people">,
  {
    http,
    store,
    log,
  }: {
    readonly http: ReturnType<typeof createHttpServer>;
    readonly store: Pick<TestGateway["store"], "main">;
    readonly log: Logger;
  },
): Channel {
  const common = { http, store, clock: systemClock, log };
  switch (kind) {
    case "telegram-polling":
    case "telegram-webhook":
      return createTelegramChannel({
        ...common,
        token,
        apiRoot: url,
        pace: () => noPace,
        documentAfter: () => 4,
        ...(kind === "telegram-webhook" && {
          webhook: { url: `http://127.0.0.1:${port}/webhook/telegram`, secret: soakSecret },
        }),
        checkMs: 200,
        watchdogMs: 2_000,
        pollTimeoutSeconds: 1,
        backoff: { conflict: [200], unreachable: [50, 100, 200], storing: [50] },
        previewPace: {
          draftMs: 200,
          firstDraftMs: 150,
          firstMessageMs: 300,
          editMs: 200,
          typingMs: 4_000,
          unreachableMs: 200,
        },
      });
    case "onebot": {
      const platform = "qq";
      return createOneBotChannel({
        ...common,
        url,
        accessToken: token,
        history: {
          listChats: (account, limit) => listKnownChats(store.main, { platform, account, limit }),
          findLastMessageTime: (account) => findLastMessageTime(store.main, { platform, account }),
        },
        isOwnMessageKnown: (account, chat, messageId) =>
          isSentMessage(store.main, { platform, account, chat, messageId }),
        fetchPublic: createGuardedFetch(),
        pace: {
          callMs: 2_000,
          silenceMs: 1_000,
          pongMs: 500,
          send: noPace,
          historyMs: 10_000,
          gapMs: [50, 100, 200, 500, 1_000, 2_000, 5_000],
          doubtMs: [20, 50],
          quoteMs: 500,
          typingMs: 4_000,
          storingMs: [50],
        },
        reconnect: { firstMs: 50, maxMs: 200, refusedMs: 1_000 },
      });
    }
    case "qq":
      return createQqChannel({
        ...common,
        appId,
        appSecret: token,
        apiRoot: url,
        tokenUrl: `${url}/app/getAppAccessToken`,
        proactive: () => false,
        streaming: true,
        fetchPublic: createGuardedFetch(),
        pace: {
          handshakeMs: 2_000,
          reconnectMs: [50, 100, 200],
          refusedMs: 500,
          storingMs: [50],
          checkMs: 200,
          streamMs: 200,
        },
      });
  }
}
