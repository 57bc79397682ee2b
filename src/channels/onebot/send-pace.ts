import { sleep } from "../../core/abort.ts";

/** How far messages are apart, milliseconds: who sends faster is stopped by QQ for hours. */
export interface SendPace {
  /** Between any two messages of one account. */
  readonly accountMs: number;
  /** Between two messages in one chat, and up to how much more by chance. */
  readonly chatMs: number;
  readonly jitterMs: number;
  /** In one group. */
  readonly groupPerMinute: number;
}

/** No figures are published; these are what long-lived bots keep to. */
export const defaultSendPace: SendPace = { accountMs: 500, chatMs: 1_000, jitterMs: 500, groupPerMinute: 20 };

/** Time as the pace sees it, milliseconds; `wait` answers false when the signal aborts. */
export interface PaceTime {
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<boolean>;
  /** 0 to 1. */
  readonly chance: () => number;
}

const realTime: PaceTime = { now: () => performance.now(), wait: sleep, chance: () => Math.random() };

interface Lane {
  tail: Promise<unknown>;
  /** When the messages of the last minute went. */
  sentAt: number[];
}

const minuteMs = 60_000;
const lanesKept = 500;

/** Lets one message after the other go, in the order they asked. false = stopped meanwhile. */
export function createSendPace(
  pace: SendPace,
  signal: AbortSignal,
  time: PaceTime = realTime,
): (turn: { account: string; chat: string; isGroup: boolean }) => Promise<boolean> {
  const lanes = new Map<string, Lane>();

  function openLane(key: string): Lane {
    const lane = lanes.get(key) ?? { tail: Promise.resolve(), sentAt: [] };
    lanes.set(key, lane);
    if (lanes.size > lanesKept) forgetIdle();
    return lane;
  }

  function forgetIdle(): void {
    const before = time.now() - minuteMs;
    for (const [key, lane] of lanes)
      if ((lane.sentAt.at(-1) ?? 0) < before && lane.sentAt.length > 0) lanes.delete(key);
  }

  /** Waits for its turn in the lane, then until the lane is free. */
  function take(key: string, readyAt: (lane: Lane) => number, then: () => Promise<boolean>): Promise<boolean> {
    const lane = openLane(key);
    const turn = lane.tail.then(async () => {
      const delay = readyAt(lane) - time.now();
      if (delay > 0 && !(await time.wait(delay, signal))) return false;
      if (signal.aborted || !(await then())) return false;
      const now = time.now();
      lane.sentAt = [...lane.sentAt.filter((at) => at > now - minuteMs), now];
      return true;
    });
    lane.tail = turn;
    return turn;
  }

  return ({ account, chat, isGroup }) =>
    take(
      `${account} ${chat}`,
      (lane) => {
        const gap = pace.chatMs + time.chance() * pace.jitterMs;
        const oldest = isGroup ? lane.sentAt.at(-pace.groupPerMinute) : undefined;
        return Math.max((lane.sentAt.at(-1) ?? -Infinity) + gap, (oldest ?? -Infinity) + minuteMs);
      },
      () =>
        take(
          account,
          (lane) => (lane.sentAt.at(-1) ?? -Infinity) + pace.accountMs,
          () => Promise.resolve(true),
        ),
    );
}
