import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import type { ChannelNews, HealthBoard } from "../channel-health.ts";
import type { InboundEvent } from "../types.ts";
import type { ApiAnswer, ApiFailure } from "./api-answer.ts";
import type { BotApi, Payload } from "./bot-api.ts";
import { readId, readRecord, readText } from "../json-view.ts";
import type { BotIdentity } from "./read-mention.ts";
import { pickStep } from "../pick-step.ts";

/** The part that polling and the webhook share: finding the bot, and handling a failed call. */

/** Waiting times after the first, second … failure in a row; the last one stays. Milliseconds. */
export interface ReceiveBackoff {
  readonly conflict: readonly number[];
  readonly unreachable: readonly number[];
  readonly storing: readonly number[];
}

export const defaultReceiveBackoff: ReceiveBackoff = {
  conflict: [5_000, 10_000, 20_000, 40_000, 60_000],
  unreachable: [1_000, 2_000, 4_000, 8_000, 16_000, 30_000],
  storing: [1_000, 2_000, 5_000, 10_000],
};

export interface ReceiveParts {
  readonly api: BotApi;
  readonly clock: Clock;
  readonly log: Logger;
  readonly health: HealthBoard;
  readonly backoff: ReceiveBackoff;
  readonly receive: (events: readonly InboundEvent[]) => Promise<void>;
  /** Called once, when the server has taken the token. */
  readonly onConnected: () => void;
  readonly signal: AbortSignal;
}

export const receiveLimitMs = 20_000;

export const allowedUpdates: NonNullable<Payload<"getUpdates">["allowed_updates"]> = [
  ...(["message", "edited_message", "callback_query"] as const),
  ...(["message_reaction", "my_chat_member", "chat_member", "stopped_message_generation"] as const),
];

/** Failures in a row, and the waiting between them. */
export interface Recovery {
  /** Says what is wrong and waits. Answers whether to go on. */
  recover(failure: ApiFailure): Promise<boolean>;
  pause(steps: readonly number[]): Promise<boolean>;
  /** A call went well: the next failure is the first of a row. */
  reset(): void;
}

export function createRecovery({ health, log, backoff, signal }: ReceiveParts): Recovery {
  let failures = 0;
  const pause = (steps: readonly number[]) => sleep(pickStep(steps, failures++), signal);

  return {
    pause,
    reset: () => void (failures = 0),
    async recover(failure) {
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
    },
  };
}

export interface ConnectedBot {
  readonly me: BotIdentity;
  /** For people: its name, and what it sees in groups. */
  readonly detail: string;
  readonly news: Extract<ChannelNews, { kind: "connected" }>;
}

const strangeAnswer: ApiFailure = { kind: "unreachable", reason: "the answer to getMe is not the Bot API's" };

/** getMe, then `prepare`, until both succeed. Undefined means give up. */
export async function connectBot(
  { api, signal }: Pick<ReceiveParts, "api" | "signal">,
  prepare: (me: BotIdentity) => Promise<ApiAnswer<unknown>>,
  recover: Recovery["recover"],
): Promise<ConnectedBot | undefined> {
  for (;;) {
    const answer = await api.call("getMe", {}, { timeoutMs: receiveLimitMs, signal });
    const bot = answer.kind === "ok" ? readRecord(answer.value) : undefined;
    const id = readId(bot?.["id"]);
    const me = id === undefined ? undefined : { id, username: readText(bot?.["username"]) ?? "" };
    const prepared = me === undefined ? (answer.kind === "ok" ? strangeAnswer : answer) : await prepare(me);
    if (me !== undefined && prepared.kind === "ok") {
      const readsAll = Boolean(bot?.["can_read_all_group_messages"]);
      const privacy = readsAll
        ? "sees every message of its groups"
        : "privacy mode is on: in groups it sees commands, mentions and replies only; buttons work";
      const as = `@${me.username} (${me.id})`;
      const news: ConnectedBot["news"] = { kind: "connected", as, ...(!readsAll && { misses: "groups" }) };
      return { me, detail: `${as}; ${privacy}`, news };
    }
    if (prepared.kind !== "ok" && !(await recover(prepared))) return undefined;
  }
}

function describeRefusedToken(status: number): string {
  return `token refused by the server (${status}). Get a new one from @BotFather: /token, then set TELEGRAM_BOT_TOKEN`;
}
