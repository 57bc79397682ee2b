import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import { describeError } from "../../core/errors.ts";
import type { InboundEvent } from "../types.ts";
import type { ApiFailure } from "./api-answer.ts";
import type { BotApi, Payload } from "./bot-api.ts";
import type { HealthBoard } from "../channel-health.ts";
import { readArray, readId, readRecord, readText } from "../json-view.ts";
import type { BotIdentity } from "./read-mention.ts";
import { readUpdate, readUpdateId } from "./read-update.ts";

/** Waiting times after the first, second … failure in a row; the last one stays. Milliseconds. */
export interface PollBackoff {
  readonly conflict: readonly number[];
  readonly unreachable: readonly number[];
  readonly storing: readonly number[];
}

export const defaultPollBackoff: PollBackoff = {
  conflict: [5_000, 10_000, 20_000, 40_000, 60_000],
  unreachable: [1_000, 2_000, 4_000, 8_000, 16_000, 30_000],
  storing: [1_000, 2_000, 5_000, 10_000],
};

export interface PollLoopOptions {
  readonly api: BotApi;
  readonly clock: Clock;
  readonly log: Logger;
  readonly health: HealthBoard;
  readonly pollTimeoutSeconds: number;
  readonly watchdogMs: number;
  readonly backoff: PollBackoff;
  readonly receive: (events: readonly InboundEvent[]) => Promise<void>;
  /** Called once, when the server has taken the token. */
  readonly onConnected: () => void;
  readonly signal: AbortSignal;
}

const requestLimitMs = 20_000;
const batchSize = 100;
const hurryMs = 200;
/** Telegram keeps updates for 24 hours, and after a quiet week it may count from a new, lower number. */
const offsetLifetimeMs = 24 * 3_600_000;

const strangeAnswer: ApiFailure = { kind: "unreachable", reason: "the answer to getMe is not the Bot API's" };

const allowedUpdates: NonNullable<Payload<"getUpdates">["allowed_updates"]> = [
  ...(["message", "edited_message", "callback_query"] as const),
  ...(["message_reaction", "my_chat_member", "stopped_message_generation"] as const),
];

/**
 * Receives updates until the signal aborts or the token is refused.
 *
 * Why not telegraf's `launch()`: it moves the offset once the handlers of a batch have returned, confirms the whole batch
 * from a `finally` also after a fault, and dies of a 409 or of a missing network at the start. A loop of our own is the only
 * way to keep the promise that the offset moves after `receive` has stored the batch, and not before: whatever ends the
 * process earlier, the server still has the updates and sends them again.
 */
export async function runPollLoop(options: PollLoopOptions): Promise<void> {
  const { api, clock, log, health, backoff, receive, signal } = options;
  let failures = 0;
  let offset: number | undefined;
  let movedAt = clock.now();

  const pause = (steps: readonly number[]) => sleep(pickStep(steps, failures++), signal);

  /** Answers whether to go on. */
  async function recover(failure: ApiFailure): Promise<boolean> {
    switch (failure.kind) {
      case "stopped":
        return false;
      case "unauthorized":
        health.report("failed", describeRefusedToken(failure.status));
        log.error({ reason: failure.reason }, "Telegram refused the bot token; the channel stays off");
        return false;
      case "conflict": {
        const seconds = pickStep(backoff.conflict, failures) / 1_000;
        const detail = `another program receives for this bot (409); trying again in ${seconds} s. Stop the other one, or give each its own token`;
        health.report("degraded", detail);
        log.warn({ reason: failure.reason }, "Telegram has another receiver for this bot");
        return pause(backoff.conflict);
      }
      case "flood":
        health.report("degraded", `Telegram asks to wait ${failure.retryAfterMs / 1_000} s (429)`);
        log.warn({ reason: failure.reason }, "Telegram asks to wait");
        return sleep(failure.retryAfterMs, signal);
      case "migrated":
      case "refused":
      case "unreachable":
        break;
    }
    health.report("degraded", `Telegram cannot be reached, trying again: ${failure.reason}`);
    log.warn({ reason: failure.reason }, "Telegram cannot be reached");
    return pause(backoff.unreachable);
  }

  /** getMe, then deleteWebhook: with a webhook set, getUpdates is refused. Undefined = give up. */
  async function connect(): Promise<{ me: BotIdentity; detail: string } | undefined> {
    const limits = { timeoutMs: requestLimitMs, signal };
    for (;;) {
      const answer = await api.call("getMe", {}, limits);
      const unhooked = answer.kind === "ok" ? await api.call("deleteWebhook", {}, limits) : answer;
      const bot = answer.kind === "ok" ? readRecord(answer.value) : undefined;
      const id = readId(bot?.["id"]);
      if (unhooked.kind === "ok" && id !== undefined) {
        const username = readText(bot?.["username"]) ?? "";
        const privacy = bot?.["can_read_all_group_messages"]
          ? "sees every message of its groups"
          : "privacy mode is on: in groups it sees commands, mentions and replies only; buttons work";
        return { me: { id, username }, detail: `@${username} (${id}); ${privacy}` };
      }
      const failure = unhooked.kind === "ok" ? strangeAnswer : unhooked;
      if (!(await recover(failure))) return undefined;
    }
  }

  /** Answers whether the batch is stored. */
  async function takeBatch(updates: readonly unknown[], me: BotIdentity): Promise<boolean> {
    const receivedAt = clock.now();
    const events = updates.map((update) => readUpdate(update, me, receivedAt));
    for (const event of events) {
      if (event.kind === "ignored") log.debug({ key: event.key, rule: event.rule }, "update ignored");
    }
    try {
      await receive(events);
    } catch (error) {
      health.report("degraded", `messages cannot be stored, so they wait at Telegram: ${describeError(error)}`);
      log.error(
        { reason: describeError(error), updates: updates.length },
        "updates were not stored; they will be fetched again",
      );
      await pause(backoff.storing);
      return false;
    }
    const last = Math.max(...updates.map((update) => readUpdateId(update) ?? Number.NEGATIVE_INFINITY));
    if (!Number.isFinite(last)) return sleep(requestLimitMs, signal);
    offset = last + 1;
    movedAt = receivedAt;
    return true;
  }

  health.report("starting", "connecting to Telegram");
  const connection = await connect();
  if (connection === undefined) return;
  const { me, detail } = connection;
  options.onConnected();
  // After a start and after a failure the request asks without waiting: the health tells at once whether receiving works.
  let timeout = 0;
  let contested = false;
  while (!signal.aborted) {
    if (clock.now() - movedAt > offsetLifetimeMs) offset = undefined;
    const askedAt = performance.now();
    const answer = await api.call(
      "getUpdates",
      { ...(offset === undefined ? {} : { offset }), limit: batchSize, timeout, allowed_updates: allowedUpdates },
      { timeoutMs: options.watchdogMs, signal },
    );
    if (answer.kind !== "ok") {
      timeout = 0;
      contested ||= answer.kind === "conflict";
      if (!(await recover(answer))) return;
      // A conflict may be a webhook somebody has set meanwhile.
      if (answer.kind === "conflict" && (await connect()) === undefined) return;
      continue;
    }
    health.noteLife();
    const updates = readArray(answer.value);
    if (updates.length > 0 && !(await takeBatch(updates, me))) {
      timeout = 0;
      continue;
    }
    // Two receivers end each other's request in turn; only one that was left alone shows that the other is gone.
    if (timeout > 0) contested = false;
    if (!contested) failures = 0;
    if (contested) health.report("degraded", `${detail}; another program received for this bot a moment ago (409)`);
    else health.report("ready", detail);
    // A server that does not hold the request open must not be asked without end.
    const hurried = updates.length === 0 && timeout > 0 && performance.now() - askedAt < hurryMs;
    if (hurried) await sleep(pickStep(backoff.unreachable, 0), signal);
    timeout = options.pollTimeoutSeconds;
  }
}

function describeRefusedToken(status: number): string {
  return `token refused by the server (${status}). Get a new one from @BotFather: /token, then set TELEGRAM_BOT_TOKEN`;
}

function pickStep(steps: readonly number[], failures: number): number {
  return steps[Math.min(failures, steps.length - 1)] ?? 1_000;
}
