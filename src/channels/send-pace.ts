import { sleep } from "../core/abort.ts";

/** How fast messages of one account may leave. A count of Infinity, or a gap of 0, is no limit. */
export interface SendPace {
  /** For all chats together. */
  readonly all: PaceWindow;
  /** In one chat: `gapMs` apart, after a pause `burst` of them at once, plus a random delay of up to `jitterMs`. */
  readonly chat: { readonly gapMs: number; readonly burst: number; readonly jitterMs: number };
  /** In one group. */
  readonly group: PaceWindow;
}

/** At most `count` in any stretch of `everyMs`. */
interface PaceWindow {
  readonly count: number;
  readonly everyMs: number;
}

/**
 * The order of sending: messages, then changes of cards. Previews of running turns and hints (typing, reactions) never
 * wait: they go while there is room to spare, else the caller leaves them out.
 */
export type PaceRank = "message" | "card" | "preview" | "hint";

export interface PaceTurn {
  readonly chat: string;
  readonly isGroup: boolean;
  readonly rank: PaceRank;
  /** A caller that would wait longer is refused at once. Milliseconds; default: no limit. */
  readonly patienceMs?: number;
}

type PacePermit =
  /** Call `ended` when the server has answered: somewhere between the two it counted the message. */
  | { readonly kind: "go"; readonly ended: () => void }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "stopped" };

export interface SendPacer {
  take(turn: PaceTurn): Promise<PacePermit>;
  /** The platform asked this chat to wait; undefined means the whole account. */
  hold(place: Pick<PaceTurn, "chat" | "isGroup"> | undefined, ms: number): void;
}

/** Time as the pace sees it, milliseconds; `wait` answers false when the signal aborts. */
export interface PaceTime {
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<boolean>;
  /** 0 to 1. */
  readonly chance: () => number;
}

const realTime: PaceTime = { now: () => performance.now(), wait: sleep, chance: () => Math.random() };

/** How much of each limit a rank may use up; the rest is kept for what people wait for. */
const shares: Readonly<Record<PaceRank, number>> = { message: 1, card: 1, preview: 0.75, hint: 0.5 };
const order: readonly PaceRank[] = ["message", "card", "preview", "hint"];

interface Sent {
  readonly startedAt: number;
  endedAt: number | undefined;
}

interface Lane {
  readonly isGroup: boolean;
  /** When the chat has paid for all that the server has answered. */
  paidAt: number;
  /** The time still owed to the others, milliseconds. */
  owed: number;
  heldUntil: number;
  readonly sent: Sent[];
  /** Since when its oldest message waits, also one that was postponed: the longest wait goes first. */
  waitsSince: number | undefined;
  waiting: number;
}

interface Waiting {
  readonly lane: Lane;
  readonly rank: PaceRank;
  readonly since: number;
  readonly until: number;
  readonly answer: (permit: PacePermit) => void;
}

/** A request without an answer for longer holds up no other chat. */
const maxFlightMs = 5_000;
const lanesKept = 500;

/** Lets the messages of one account go in the order of rank and of waiting, at the pace of the moment. A chat that must wait holds up no other. */
export function createSendPacer(pace: () => SendPace, signal: AbortSignal, time: PaceTime = realTime): SendPacer {
  const lanes = new Map<string, Lane>();
  const sent: Sent[] = [];
  let waiting: readonly Waiting[] = [];
  let heldUntil = -Infinity;
  let wakesAt = Infinity;

  function openLane(chat: string, isGroup: boolean): Lane {
    const known = lanes.get(chat);
    if (known !== undefined) return known;
    if (lanes.size >= lanesKept) forgetIdle();
    const idle = { paidAt: -Infinity, owed: 0, heldUntil: -Infinity, waitsSince: undefined, waiting: 0 };
    const lane: Lane = { isGroup, sent: [], ...idle };
    lanes.set(chat, lane);
    return lane;
  }

  function forgetIdle(): void {
    const before = time.now() - Math.max(pace().group.everyMs, pace().all.everyMs);
    for (const [chat, lane] of lanes) {
      if (lane.waiting + lane.owed === 0 && Math.max(lane.paidAt, lane.heldUntil) < before) lanes.delete(chat);
    }
  }

  /** When the window takes one more, after `ahead` others. */
  function findRoom(window: PaceWindow, list: readonly Sent[], share: number, ahead: number): number {
    const count = Math.max(1, Math.floor(window.count * share));
    if (count === Infinity) return -Infinity;
    const rounds = Math.floor(ahead / count);
    const leaving = list[list.length - count + (ahead % count)];
    const now = time.now();
    if (leaving === undefined) return rounds === 0 ? -Infinity : now + rounds * window.everyMs;
    const counted = leaving.endedAt ?? Math.min(now, leaving.startedAt + maxFlightMs);
    return counted + (rounds + 1) * window.everyMs;
  }

  /** When the chat itself is ready. */
  function findChatTurn(lane: Lane, rank: PaceRank): number {
    const { gapMs, burst } = pace().chat;
    const credit = (burst - (shares[rank] < 1 ? 2 : 1)) * gapMs;
    // Requests on their way count as of now: with no credit left the chat waits for their end.
    const paidAt = lane.owed > Math.max(0, credit) ? time.now() + gapMs : lane.paidAt + lane.owed - credit;
    return Math.max(
      lane.heldUntil,
      paidAt,
      lane.isGroup ? findRoom(pace().group, lane.sent, shares[rank], 0) : -Infinity,
    );
  }

  function findTurn(lane: Lane, rank: PaceRank, ahead = 0): number {
    return Math.max(heldUntil, findChatTurn(lane, rank), findRoom(pace().all, sent, shares[rank], ahead));
  }

  /** Requests that wait for the account alone; a chat that is not ready itself is ahead of no other. */
  function countAhead(rank: PaceRank, since: number): number {
    const now = time.now();
    return waiting.filter((one) => compare(one, { rank, since }) <= 0 && findChatTurn(one.lane, one.rank) <= now)
      .length;
  }

  function admit(lane: Lane): PacePermit {
    const { gapMs, jitterMs } = pace().chat;
    // Whole numbers: what is owed must come to nothing again.
    const gap = Math.round(gapMs + time.chance() * jitterMs);
    const one: Sent = { startedAt: time.now(), endedAt: undefined };
    keep(sent, one, pace().all.count);
    if (lane.isGroup) keep(lane.sent, one, pace().group.count);
    lane.owed += gap;
    const ended = () => {
      one.endedAt = time.now();
      lane.owed -= gap;
      lane.paidAt = Math.max(lane.paidAt, one.endedAt) + gap;
      admitWaiting();
    };
    return { kind: "go", ended };
  }

  function admitWaiting(): void {
    const left: Waiting[] = [];
    for (const one of waiting) {
      const at = findTurn(one.lane, one.rank);
      const now = time.now();
      if (at > now && at <= one.until) {
        left.push(one);
        continue;
      }
      one.lane.waiting -= 1;
      if (at > now) one.answer({ kind: "wait", ms: at - now });
      else {
        one.lane.waitsSince = undefined;
        one.answer(admit(one.lane));
      }
    }
    waiting = left;
    if (left.length > 0) wakeAt(Math.min(...left.map(({ lane, rank }) => findTurn(lane, rank))));
  }

  function wakeAt(at: number): void {
    if (at >= wakesAt) return;
    wakesAt = at;
    void time.wait(Math.max(0, at - time.now()), signal).then((isOver) => {
      if (wakesAt === at) wakesAt = Infinity;
      if (isOver) admitWaiting();
    });
  }

  signal.addEventListener(
    "abort",
    () => {
      for (const { answer } of waiting) answer({ kind: "stopped" });
      waiting = [];
    },
    { once: true },
  );

  return {
    async take({ chat, isGroup, rank, patienceMs = Infinity }) {
      if (signal.aborted) return { kind: "stopped" };
      const lane = openLane(chat, isGroup);
      const now = time.now();
      const mayWait = shares[rank] === 1;
      const since = lane.waitsSince ?? now;
      const at = findTurn(lane, rank, countAhead(rank, since));
      // Behind a message of the same chat: the order within a chat is kept.
      if (at <= now && lane.waiting === 0) {
        if (mayWait) lane.waitsSince = undefined;
        return admit(lane);
      }
      const ms = Math.max(at - now, lane.waiting * pace().chat.gapMs, 1);
      if (!mayWait) return { kind: "wait", ms };
      lane.waitsSince = since;
      if (ms > patienceMs) return { kind: "wait", ms };
      const { promise, resolve } = Promise.withResolvers<PacePermit>();
      lane.waiting += 1;
      waiting = [...waiting, { lane, rank, since, until: now + patienceMs, answer: resolve }].toSorted(compare);
      wakeAt(findTurn(lane, rank));
      return promise;
    },
    hold(place, ms) {
      const until = time.now() + ms;
      if (place === undefined) heldUntil = Math.max(heldUntil, until);
      else {
        const lane = openLane(place.chat, place.isGroup);
        lane.heldUntil = Math.max(lane.heldUntil, until);
      }
      admitWaiting();
    },
  };
}

type Place = Pick<Waiting, "rank" | "since">;

function compare(a: Place, b: Place): number {
  return order.indexOf(a.rank) - order.indexOf(b.rank) || a.since - b.since;
}

function keep(list: Sent[], one: Sent, count: number): void {
  if (count === Infinity) return;
  list.push(one);
  if (list.length > count) list.shift();
}
