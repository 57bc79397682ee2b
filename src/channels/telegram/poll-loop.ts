import { sleep } from "../../core/abort.ts";
import { describeError } from "../../core/errors.ts";
import { readArray } from "../json-view.ts";
import { allowedUpdates, connectBot, createRecovery, receiveLimitMs, type ReceiveParts } from "./connect-bot.ts";
import type { BotIdentity } from "./read-mention.ts";
import { readUpdate, readUpdateId } from "./read-update.ts";
import { pickStep } from "../pick-step.ts";

export interface PollLoopOptions extends ReceiveParts {
  readonly pollTimeoutSeconds: number;
  readonly watchdogMs: number;
}

const batchSize = 100;
const hurryMs = 200;
/** Telegram keeps updates for 24 hours, and after a quiet week it may count from a new, lower number. */
const offsetLifetimeMs = 24 * 3_600_000;

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
  const { recover, pause, reset } = createRecovery(options);
  let offset: number | undefined;
  let movedAt = clock.now();

  /** With a webhook set, getUpdates is refused. What waits at Telegram stays there, and comes to the first request. */
  const connect = () =>
    connectBot(
      options,
      () => api.call("deleteWebhook", { drop_pending_updates: false }, { timeoutMs: receiveLimitMs, signal }),
      recover,
    );

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
    if (!Number.isFinite(last)) return sleep(receiveLimitMs, signal);
    offset = last + 1;
    movedAt = receivedAt;
    return true;
  }

  health.report("starting", "connecting to Telegram", { kind: "connecting" });
  const connection = await connect();
  if (connection === undefined) return;
  const { me, detail, news } = connection;
  options.onConnected();
  // After a start and after a failure the request asks without waiting: the health shows at once whether receiving
  // works.
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
      // A conflict may be a webhook that was set in the meantime.
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
    if (!contested) reset();
    if (contested) health.report("degraded", `${detail}; another program received for this bot a moment ago (409)`);
    else health.report("ready", detail, news);
    // A server that does not hold the request open must not be asked without end.
    const hurried = updates.length === 0 && timeout > 0 && performance.now() - askedAt < hurryMs;
    if (hurried) await sleep(pickStep(backoff.unreachable, 0), signal);
    timeout = options.pollTimeoutSeconds;
  }
}
