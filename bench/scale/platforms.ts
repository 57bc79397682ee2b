import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { InboundMessage } from "../../src/channels/types.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { ClaimWorker } from "../../src/kernel/claims/session-claims.ts";
import { shareSessions } from "../../src/kernel/claims/share-sessions.ts";
import { createAcceptEvents } from "../../src/kernel/inbox/accept-events.ts";
import type { Cluster } from "../../src/store/engines/open-cluster.ts";
import { findNextOutboxItem, finishSentItem, listSessionsWithOutbox } from "../../src/store/queries/outbox.ts";
import type { Store } from "../../src/store/open-store.ts";
import type { BenchPayload } from "./claim-worker.ts";
import { createTally, type Talk, type Tally } from "./tally.ts";

/** All gateways of the bench in one process, each with a platform that says as much as it is answered. */
export interface Platforms {
  /** Resolves once everything was said and answered, or nothing moved for long. */
  run(): Promise<void>;
  readonly tally: Tally;
  close(): Promise<void>;
}

const gateways = 4;
/** Together; a conversation talks until it has said `burst`, then another one does. */
const talkingAtOnce = 400;
const burst = 20;
const togetherSaid = 4;
/** A conversation says more while it has no more than so many messages without an answer. */
const maxOpen = 8;
/** The messages that Telegram gives at once. */
const batch = 100;
const lookEveryMs = 1_000;
const patienceMs = 120_000;
const account = (gateway: number): string => `bot${gateway}`;

export async function openPlatforms(parts: {
  readonly store: Store;
  readonly cluster: Cluster;
  readonly talk: Talk;
  /** Called after each batch; what it waits for holds the platforms back. */
  readonly mayGoOn: (said: number) => Promise<void>;
  readonly log: Logger;
}): Promise<Platforms> {
  const { store, cluster, talk, log } = parts;
  const tally = createTally(talk);
  const queue = await cluster.queues.open("session");
  const claims = shareSessions({ queue, signals: cluster.signals, store, clock: systemClock, log });
  await claims.start(takesNothing);
  const draining = new Set<string>();
  const again = new Set<string>();
  let isClosed = false;

  /** The messages of one conversation, one after the other. */
  async function drain(session: string): Promise<void> {
    again.add(session);
    if (draining.has(session)) return;
    draining.add(session);
    try {
      while (again.delete(session)) {
        for (let item; (item = await findNextOutboxItem(store.main, session)) !== undefined;) {
          const { key } = JSON.parse(item.payload) as BenchPayload;
          tally.sent(Number(key));
          await finishSentItem(store.main, { id: item.id, sentParts: [key] }, Date.now());
        }
      }
    } finally {
      draining.delete(session);
    }
  }
  const drainLater = (session: string): void => {
    drain(session).catch((error: unknown) => log.error({ err: error, session }, "not sent yet"));
  };
  cluster.signals.on("outbox", drainLater);
  const looking = setInterval(() => {
    listSessionsWithOutbox(store.main).then(
      (sessions) => sessions.forEach(drainLater),
      (error: unknown) => log.error({ err: error }, "the outbox could not be looked at"),
    );
  }, lookEveryMs);

  async function talkAt(gateway: number): Promise<void> {
    const accept = createAcceptEvents({ store, language: () => "zh", clock: systemClock, log });
    const coming = listBursts(gateway, talk, tally.perSession);
    let talking: Burst[] = [];
    for (;;) {
      while (talking.length < talkingAtOnce / gateways) {
        const next = coming.next();
        if (next.done) break;
        talking.push(next.value);
      }
      if (talking.length === 0 || isClosed) return;
      const events: InboundMessage[] = [];
      for (const one of talking) {
        if (events.length >= batch) break;
        if (tally.open(one.session) > maxOpen - togetherSaid) continue;
        const count = Math.min(togetherSaid, one.until - tally.saidIn(one.session));
        for (let index = 0; index < count; index += 1)
          events.push(makeMessage(gateway, one.session, tally.say(one.session)));
      }
      talking = talking.filter(({ session, until }) => tally.saidIn(session) < until);
      if (events.length === 0) {
        await pause(5);
        continue;
      }
      for (const item of await accept(events)) claims.pass(item);
      await parts.mayGoOn(tally.counts().said);
    }
  }

  return {
    tally,
    async run() {
      await Promise.all(Array.from({ length: gateways }, (_, gateway) => talkAt(gateway)));
      let [sent, movedAt] = [-1, performance.now()];
      while (!tally.isComplete() && performance.now() - movedAt < patienceMs) {
        if (tally.counts().sent !== sent) [sent, movedAt] = [tally.counts().sent, performance.now()];
        await pause(10);
      }
    },
    async close() {
      isClosed = true;
      clearInterval(looking);
      while (draining.size > 0) await pause(10);
      await claims.close();
      await claims.stop();
    },
  };
}

/** A conversation's part of the talk: until it has said so much. */
interface Burst {
  readonly session: number;
  readonly until: number;
}

function* listBursts(gateway: number, { sessions }: Talk, perSession: number): Generator<Burst, undefined> {
  for (let from = 0; from < perSession; from += burst)
    for (let session = gateway; session < sessions; session += gateways)
      yield { session, until: Math.min(from + burst, perSession) };
}

function makeMessage(gateway: number, session: number, number: number): InboundMessage {
  const chat = String(10_000 + session);
  return {
    kind: "message",
    key: String(number),
    address: { platform: "telegram", account: account(gateway), chat, thread: null },
    sender: { id: chat, name: "冈部", kind: "person", locale: "zh-hans" },
    sentAt: Date.now(),
    chatKind: "private",
    messageId: String(number),
    text: `第${number}句：今天也辛苦了，世界线没有变动吧？`,
    attachments: [],
    addressed: true,
    edited: false,
    forwarded: false,
    caption: false,
    viaBot: false,
  };
}

/** A gateway has no room for work. */
const takesNothing: ClaimWorker = {
  room: () => 0,
  takeUp: async () => undefined,
  letGo: async () => undefined,
  takeRows: async () => undefined,
  takeRow: () => undefined,
  hasRow: () => false,
  isQuiet: () => true,
  leave: async () => undefined,
  abort: () => undefined,
};
