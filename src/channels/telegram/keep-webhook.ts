import { sleep } from "../../core/abort.ts";
import { describeError } from "../../core/errors.ts";
import { readInteger, readLabel, readRecord, readText } from "../json-view.ts";
import type { TakeUpdate } from "./accept-webhook.ts";
import { allowedUpdates, connectBot, createRecovery, receiveLimitMs, type ReceiveParts } from "./connect-bot.ts";
import type { ApiFailure } from "./api-answer.ts";
import type { ChannelNews } from "../channel-health.ts";
import type { BotIdentity } from "./read-mention.ts";
import { readUpdate } from "./read-update.ts";

export interface WebhookSettings {
  /** The address Telegram posts to; a reverse proxy passes it on to `POST /webhook/telegram`. */
  readonly url: string;
  readonly secret: string;
}

export interface KeepWebhookOptions extends ReceiveParts {
  readonly webhook: WebhookSettings;
  /** Milliseconds between two looks at how Telegram sees the webhook. */
  readonly checkMs: number;
}

export interface KeptWebhook {
  /** undefined until the bot knows its own name, and after the end. */
  readonly take: () => TakeUpdate | undefined;
  /** Sets the webhook and watches it until the signal aborts or the token is refused. */
  readonly keep: () => Promise<void>;
}

/** The server's own default. It posts the updates of one chat one after the other. */
const maxConnections = 40;

/** Receives by a webhook. It stays set after a stop: until the next start the updates wait at Telegram. */
export function createKeptWebhook(options: KeepWebhookOptions): KeptWebhook {
  const { api, clock, log, health, receive, signal, webhook } = options;
  const { recover, pause, reset } = createRecovery(options);
  const limits = { timeoutMs: receiveLimitMs, signal };
  let me: BotIdentity | undefined;
  let takenAt = Number.NEGATIVE_INFINITY;
  let storing: string | undefined;
  /** Updates that waited at the last look. */
  let waiting = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;

  /** A single try: Telegram posts again what was not taken. */
  async function take(update: unknown, us: BotIdentity): Promise<boolean> {
    const event = readUpdate(update, us, clock.now());
    if (event.kind === "ignored") log.debug({ key: event.key, rule: event.rule }, "update ignored");
    try {
      await receive([event]);
    } catch (error) {
      storing = describeError(error);
      health.report("degraded", describeStoring(storing));
      log.error({ reason: storing, key: event.key }, "an update was not stored; Telegram posts it again");
      return false;
    }
    if (storing !== undefined) {
      storing = undefined;
      health.report("ready", describePlace(), news);
    }
    takenAt = clock.now();
    health.noteLife();
    return true;
  }

  let detail = "";
  let news: ChannelNews | undefined;
  const describePlace = () => `${detail}; updates come to ${webhook.url}`;

  function setWebhook() {
    const { url, secret } = webhook;
    const asked = { url, secret_token: secret, allowed_updates: allowedUpdates, max_connections: maxConnections };
    return api.call("setWebhook", { ...asked, drop_pending_updates: false }, limits);
  }

  /** A refused address is for the operator; it may also be a name that resolves in a minute. */
  async function recoverHere(failure: ApiFailure): Promise<boolean> {
    if (failure.kind !== "refused") return recover(failure);
    health.report("failed", `Telegram refused TELEGRAM_WEBHOOK_URL: ${failure.reason}. See docs/channels.md`);
    log.error({ reason: failure.reason }, "Telegram refused the webhook address");
    return pause(options.backoff.unreachable);
  }

  /** The fault of the webhook as Telegram sees it; undefined when there is none. */
  function findFault(info: unknown): string | undefined {
    const facts = readRecord(info) ?? {};
    const pending = readInteger(facts["pending_update_count"]) ?? 0;
    const errorAt = (readInteger(facts["last_error_date"]) ?? 0) * 1_000;
    const isFailing = pending > 0 && errorAt > takenAt;
    const isStuck = pending > 0 && pending >= waiting && waiting > 0 && takenAt <= lookedAt;
    waiting = pending;
    lookedAt = clock.now();
    if (!isFailing && !isStuck) return undefined;
    const why = readLabel(facts["last_error_message"], 200) || "no reason is given";
    return `Telegram cannot deliver to ${webhook.url} (${why}); ${pending} updates wait there. The address must lead to this program: docs/channels.md`;
  }

  async function watch(): Promise<void> {
    let contested = false;
    while (!signal.aborted) {
      const answer = await api.call("getWebhookInfo", {}, limits);
      if (answer.kind !== "ok") {
        if (!(await recover(answer))) return;
        continue;
      }
      reset();
      if (readText(readRecord(answer.value)?.["url"]) !== webhook.url) {
        contested = true;
        const other = "another program has set or removed the webhook of this bot; it was set again";
        health.report("degraded", `${other}. Stop the other one, or give each its own token`);
        log.warn("the webhook was not ours any more; it is set again");
        const again = await setWebhook();
        if (again.kind !== "ok" && !(await recoverHere(again))) return;
      } else {
        const fault = findFault(answer.value);
        if (fault === undefined && storing === undefined) health.noteLife();
        if (storing !== undefined) health.report("degraded", describeStoring(storing));
        else if (fault !== undefined) health.report("degraded", fault);
        else if (contested)
          health.report("degraded", `${describePlace()}; it was taken by another program a moment ago`);
        else health.report("ready", describePlace(), news);
        contested = false;
      }
      await sleep(options.checkMs, signal);
    }
  }

  return {
    take() {
      const us = me;
      return us === undefined || signal.aborted ? undefined : (update) => take(update, us);
    },
    async keep() {
      health.report("starting", "connecting to Telegram", { kind: "connecting" });
      const prepare = (us: BotIdentity) => {
        // The first update may come before the answer.
        me = us;
        return setWebhook();
      };
      const connection = await connectBot(options, prepare, recoverHere);
      if (connection === undefined) return;
      detail = connection.detail;
      news = { ...connection.news, at: webhook.url };
      options.onConnected();
      await watch();
    },
  };
}

function describeStoring(fault: string): string {
  return `messages cannot be stored, so they wait at Telegram: ${fault}`;
}
