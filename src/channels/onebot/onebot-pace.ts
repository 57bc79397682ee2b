import type { LinkPace } from "./onebot-link.ts";
import { toSendPace, type PaceOptions } from "../pace-options.ts";
import type { SendPace } from "../send-pace.ts";

/** Every time the channel keeps, milliseconds. */
export interface OneBotPace extends LinkPace {
  readonly send: SendPace;
  /** How long one look into a history may take. */
  readonly historyMs: number;
  /** Waiting times before a history that could not be read is asked for again; then no more until the next connection. */
  readonly gapMs: readonly number[];
  /** How long to wait before each look for a message that may be out. */
  readonly doubtMs: readonly number[];
  /** How long to ask for a quoted message. */
  readonly quoteMs: number;
  readonly typingMs: number;
  /** Waiting times after the first, second … failure to store; the last one stays. */
  readonly storingMs: readonly number[];
}

/** QQ publishes no figures; these are what long-lived bots keep to. QQ blocks faster senders for hours. */
export const defaultSendPace: SendPace = {
  all: { count: 1, everyMs: 500 },
  chat: { gapMs: 1_000, burst: 1, jitterMs: 500 },
  group: { count: 20, everyMs: 60_000 },
};

export const defaultOneBotPace: OneBotPace = {
  callMs: 30_000,
  silenceMs: 30_000,
  pongMs: 10_000,
  send: defaultSendPace,
  historyMs: 10_000,
  gapMs: [2_000, 5_000, 15_000, 30_000, 60_000, 120_000, 300_000],
  doubtMs: [1_000, 3_000],
  quoteMs: 3_000,
  typingMs: 4_000,
  storingMs: [1_000, 2_000, 5_000, 10_000],
};

/** Messages of a chat leave up to this much later, at random, as a human's would. */
const jitterMs = 500;

/** The pace of the configuration; all chats together send one message after the other. */
export function toOneBotSendPace(pace: PaceOptions): SendPace {
  const { all, ...send } = toSendPace(pace, jitterMs);
  const evenly = pace.all === 0 ? all : { count: 1, everyMs: 1_000 / pace.all };
  return { ...send, all: evenly };
}

/** How long to wait before the next try to connect. */
export interface ReconnectPace {
  readonly firstMs: number;
  readonly maxMs: number;
  /** After a refused token, which only an operator can mend. */
  readonly refusedMs: number;
}

export const defaultReconnectPace: ReconnectPace = { firstMs: 1_000, maxMs: 30_000, refusedMs: 60_000 };
