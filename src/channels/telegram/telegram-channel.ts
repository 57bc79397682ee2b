import type { Logger } from "pino";
import { createHealthBoard } from "../channel-health.ts";
import type { CommandMenu } from "../define-channel.ts";
import type { HttpRoutes } from "../http-routes.ts";
import { createRareWarning } from "../rare-warning.ts";
import type { SendPace } from "../send-pace.ts";
import { createMarkQueue, defaultMarkPace, type MarkPace } from "../mark-queue.ts";
import { createShortMemory } from "../short-memory.ts";
import { type BotApi, createBotApi } from "./bot-api.ts";
import { createCardEdits } from "./card-edits.ts";
import { createFetchFile } from "./fetch-file.ts";
import { createLivePreview } from "./live-preview.ts";
import { createMessageSender } from "./message-sender.ts";
import { createAcceptWebhook, type TakeUpdate } from "./accept-webhook.ts";
import { defaultReceiveBackoff, type ReceiveBackoff, type ReceiveParts } from "./connect-bot.ts";
import { createKeptWebhook, type WebhookSettings } from "./keep-webhook.ts";
import { followChats } from "./follow-chats.ts";
import { paceBotApi } from "./pace-bot-api.ts";
import { runPollLoop } from "./poll-loop.ts";
import { createPutReaction } from "./put-reaction.ts";
import { defaultPreviewPace, type PreviewPace } from "./preview-pace.ts";
import { draftPrefix } from "./read-update.ts";
import { textLimit } from "./render-view.ts";
import { splitMessage } from "./split-message.ts";
import type { Store } from "../../store/open-store.ts";
import type { Channel, ChatAddress, InboundEvent } from "../types.ts";
import { sleep } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError, describeError } from "../../core/errors.ts";

export interface TelegramChannelOptions {
  /** From @BotFather: `<bot id>:<secret>`. */
  readonly token: string;
  /** `https://api.telegram.org`, or a Bot API server of one's own. */
  readonly apiRoot: string;
  /** Updates come to this address; unset = long polling. */
  readonly webhook?: WebhookSettings;
  readonly http: Pick<HttpRoutes, "app">;
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long the server holds a request for updates open; at most 50. */
  readonly pollTimeoutSeconds?: number;
  /** A request for updates that takes longer is given up: the connection is half dead. */
  readonly watchdogMs?: number;
  /** Milliseconds between two looks at a webhook. */
  readonly checkMs?: number;
  readonly backoff?: ReceiveBackoff;
  /** An answer of more messages goes as its beginning and a file; 0 = never. */
  readonly documentAfter: () => number;
  /** How fast messages may leave, as of now. */
  readonly pace: () => SendPace;
  readonly previewPace?: PreviewPace;
  /** Messages of groups that she works on are marked. */
  readonly reactions?: boolean;
  readonly markPace?: MarkPace;
  /** The commands that Telegram lists when a user types a slash. */
  readonly menus?: readonly CommandMenu[];
}

/** Source: core.telegram.org/bots/api#senddocument. */
const uploadLimit = 50 * 1024 * 1024;
const tokenShape = /^\d+:[\w-]+$/;
/** A request for updates takes 50 s at most; a channel that finishes none for this time is deaf. */
const silenceMs = 120_000;

/** Telegram by long polling or by a webhook. The address of a chat is (bot id, chat id, topic). */
export function createTelegramChannel(options: TelegramChannelOptions): Channel {
  const { token, apiRoot, webhook, clock, log, pollTimeoutSeconds = 50, watchdogMs = 90_000 } = options;
  const { backoff = defaultReceiveBackoff, previewPace = defaultPreviewPace, menus = [], checkMs = 30_000 } = options;
  const health = createHealthBoard(clock, silenceMs);
  const stopping = new AbortController();
  const stopped = new AbortController();
  const warnOfChat = createRareWarning(log, "a message was refused: its chat is of a shape that is not known");
  let received: ((events: readonly InboundEvent[]) => Promise<void>) | undefined;
  const chats = followChats({
    api: createBotApi({ token, apiRoot, log }),
    account: token.split(":")[0] ?? "",
    store: options.store,
    receive: () => received,
    clock,
  });
  const api = paceBotApi(chats.api, options.pace, stopped.signal);
  const preview = createLivePreview({ api, log, pace: previewPace });
  const cards = createCardEdits({ api, log, signal: stopped.signal });
  const sender = createMessageSender({ api, log, preview, cards });
  /** Marks are still set while received messages are being answered. */
  const { signal } = stopped;
  const put = createPutReaction({ api, log, signal });
  const react = options.reactions
    ? createMarkQueue({ put, pace: options.markPace ?? defaultMarkPace, signal })
    : undefined;
  let take: () => TakeUpdate | undefined = () => undefined;
  let receiving: Promise<void> | undefined;
  let registering: Promise<void> | undefined;
  if (webhook !== undefined) {
    const accept = createAcceptWebhook({ secret: webhook.secret, take: () => take(), log });
    options.http.app.post("/webhook/telegram", accept);
  }

  /** An event as it is for the gateway. */
  function completeEvent(event: InboundEvent): Promise<InboundEvent> {
    if (event.kind === "ignored" && event.rule === "unknown_chat") warnOfChat();
    if (event.kind !== "stop") return chats.follow(event);
    const turn = preview.findTurn(Number(event.turn.slice(draftPrefix.length)));
    if (turn === undefined) return Promise.resolve({ kind: "ignored", key: event.key, rule: "stale_stop" });
    return Promise.resolve({ ...event, turn });
  }

  function runReceiving(parts: ReceiveParts): Promise<void> {
    if (webhook === undefined) return runPollLoop({ ...parts, pollTimeoutSeconds, watchdogMs });
    const kept = createKeptWebhook({ ...parts, webhook, checkMs });
    take = kept.take;
    return kept.keep();
  }

  async function stopReceiving(): Promise<void> {
    stopping.abort();
    await receiving;
    await registering;
  }

  return {
    platform: "telegram",
    capabilities: {
      streaming: "draft",
      buttons: true,
      edit: true,
      reactions: react !== undefined,
      removal: true,
      textLimit,
      fileLimit: uploadLimit,
      voice: "opus",
      displays: false,
    },

    async start(receive) {
      if (receiving !== undefined) throw new AppError("INTERNAL", "The Telegram channel was started twice");
      if (!tokenShape.test(token)) {
        health.report(
          "failed",
          "TELEGRAM_BOT_TOKEN is no bot token (digits, a colon, letters). @BotFather shows it: /token",
        );
        return;
      }
      received = receive;
      const parts: ReceiveParts = {
        api,
        clock,
        log,
        health,
        backoff,
        async receive(events) {
          const completed: InboundEvent[] = [];
          // In order: the notice that a group became a supergroup comes before its messages.
          for (const event of events) completed.push(await completeEvent(event));
          await receive(completed);
        },
        // Beside the rest: no message waits for a menu.
        onConnected: () => void (registering = registerCommands(menus, { api, log, signal: stopping.signal })),
        signal: stopping.signal,
      };
      receiving = runReceiving(parts).catch((error: unknown) => {
        health.report("failed", `receiving ended with a fault of ours: ${describeError(error)}`);
        log.error({ reason: describeError(error) }, "receiving from Telegram ended with a fault");
      });
    },

    stopReceiving,
    async stop() {
      await stopReceiving();
      preview.stop();
      stopped.abort();
      health.report("off", "stopped");
    },

    split(message) {
      return splitMessage(message, options.documentAfter());
    },

    send: sender.send,
    sendFile: sender.sendFile,
    fetchFile: createFetchFile({ api, token, apiRoot }),
    show: preview.show,
    firstViewMs: preview.firstViewMs,
    showTyping: preview.showTyping,
    close: cards.close,
    remove(address, messageId) {
      preview.forget(address, messageId);
      return cards.remove(address, messageId);
    },
    ...(react && { react }),
    relabel: cards.relabel,
    answerPress: sender.answerPress,
    isAdministrator: createIsAdministrator({ api, clock }),
    health: health.read,
  };
}

/** Whether a user runs a group. A missing answer counts as no. Source: core.telegram.org/bots/api#getchatmember. */
function createIsAdministrator(parts: { readonly api: Pick<BotApi, "call">; readonly clock: Clock }) {
  const remember = createShortMemory(parts.clock);
  return ({ chat }: ChatAddress, user: string): Promise<boolean> => {
    // Groups have negative numbers; a person's own chat has no administrators.
    if (!chat.startsWith("-")) return Promise.resolve(false);
    return remember(`${chat} ${user}`, async () => {
      const payload = { chat_id: Number(chat), user_id: Number(user) };
      const answer = await parts.api.call("getChatMember", payload, { timeoutMs: 10_000 });
      if (answer.kind !== "ok") return undefined;
      return answer.value.status === "administrator" || answer.value.status === "creator";
    });
  };
}

const requestLimitMs = 20_000;
const maxTries = 3;
const retryMs = 5_000;

/** Tells Telegram the commands of each language, for private chats and for groups. A failure is only logged. */
async function registerCommands(
  menus: readonly CommandMenu[],
  { api, log, signal }: { readonly api: BotApi; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  for (const { languageCode, commands } of menus) {
    for (const scope of ["all_private_chats", "all_group_chats"] as const) {
      const shown = commands.filter(({ privateOnly }) => scope === "all_private_chats" || !privateOnly);
      const payload = {
        commands: shown.map(({ command, description }) => ({ command, description })),
        scope: { type: scope },
        ...(languageCode !== undefined && { language_code: languageCode as "zh" }),
      };
      for (let tries = 1; ; tries += 1) {
        const answer = await api.call("setMyCommands", payload, { timeoutMs: requestLimitMs, signal });
        if (answer.kind === "ok") break;
        if (answer.kind === "stopped") return;
        const passes = answer.kind === "flood" || answer.kind === "unreachable";
        if (passes && tries < maxTries) {
          if (!(await sleep(answer.kind === "flood" ? answer.retryAfterMs : retryMs, signal))) return;
          continue;
        }
        log.warn({ reason: answer.reason, scope, languageCode }, "Telegram did not take the list of commands");
        break;
      }
    }
  }
}
