import { pino } from "pino";
import { createPostgresSignals } from "../../../src/store/engines/postgres-signals.ts";
import type { ClaimQueue, ClaimQueues } from "../../../src/store/engines/claim-queue.ts";
import { claimEverySession, type ClaimWorker, type SessionClaims } from "../../../src/kernel/claims/session-claims.ts";
import { shareSessions } from "../../../src/kernel/claims/share-sessions.ts";
import {
  type InboxItem,
  insertInboxItem,
  listUnfinishedInbox,
  setInboxState,
} from "../../../src/store/queries/inbox.ts";
import type { Store } from "../../../src/store/open-store.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { addSession } from "../test-store.ts";

/** A process that works on conversations: it writes down each row that it finishes. */
export interface WorldNode {
  readonly claims: SessionClaims;
  /** Conversations that it had to leave. */
  readonly left: string[];
  start(): Promise<void>;
  /** Stores a row and passes it on, as a gateway does. */
  store(session: string): Promise<void>;
  /** Gives no sign of life and finishes nothing, until it is woken. */
  freeze(): void;
  wake(): void;
  stop(): Promise<void>;
}

/** The finished rows, in order. */
export interface World {
  readonly done: { readonly session: string; readonly seq: number; readonly node: string }[];
  node(name: string): Promise<WorldNode>;
}

const log = pino({ level: "silent" });

export async function openWorld(
  store: Store,
  sessions: readonly string[],
  shared?: { readonly queues: ClaimQueues; readonly url: string },
  workMs = 0,
): Promise<World> {
  for (const session of sessions) await addSession(store, session);
  const done: World["done"] = [];
  const tokens = new Map<string, number>();
  const storing = new Map<string, Promise<void>>();
  let keys = 0;
  return {
    done,
    async node(name) {
      const frozen = { until: Promise.resolve(), end: () => undefined as void, is: false };
      const queue = shared && (await shared.queues.open("session"));
      const signals =
        shared && createPostgresSignals({ url: shared.url, channel: "world", node: name, onTrouble: () => undefined });
      const claims =
        queue && signals
          ? shareSessions({ queue: freezing(queue, frozen), signals, store, clock: systemClock, log })
          : claimEverySession();
      const rows = new Map<string, InboxItem>();
      const chains = new Map<string, Promise<void>>();
      const listings = new Set<Set<string>>();
      const left: string[] = [];

      /** Only the node that took a row up last finishes it, as the token of a turn enforces it in the product. */
      function takeRow(item: InboxItem): void {
        if (rows.has(item.id)) return;
        rows.set(item.id, item);
        const token = (tokens.get(item.id) ?? 0) + 1;
        tokens.set(item.id, token);
        const before = chains.get(item.session) ?? Promise.resolve();
        const after = before.then(async () => {
          if (workMs > 0) await new Promise((resolve) => setTimeout(resolve, workMs));
          await frozen.until;
          if (tokens.get(item.id) === token && rows.has(item.id)) {
            await setInboxState(store.main, item.id, "done", Date.now());
            done.push({ session: item.session, seq: item.seq, node: name });
          }
          rows.delete(item.id);
          for (const ended of listings) ended.add(item.id);
        });
        chains.set(item.session, after);
      }

      const worker: ClaimWorker = {
        room: () => (frozen.is ? 0 : 8),
        takeUp: async () => undefined,
        letGo: async () => undefined,
        async takeRows(session) {
          const ended = new Set<string>();
          listings.add(ended);
          for (const item of await listUnfinishedInbox(store.main, session)) if (!ended.has(item.id)) takeRow(item);
          listings.delete(ended);
        },
        takeRow,
        hasRow: (id) => rows.has(id),
        isQuiet: (session) => [...rows.values()].every((row) => row.session !== session),
        async leave(session) {
          left.push(session);
          for (const row of rows.values()) if (row.session === session) rows.delete(row.id);
          await chains.get(session);
        },
        abort: () => undefined,
      };
      return {
        claims,
        left,
        start: () => claims.start(worker),
        store(session) {
          keys += 1;
          const row = { id: `row-${keys}`, platform: "t", account: "a", eventKey: `${keys}`, session, payload: "{}" };
          // Two transactions at once may be committed in the other order than their rows are numbered.
          const stored = (storing.get(session) ?? Promise.resolve()).then(async () => {
            const now = Date.now();
            const item = await insertInboxItem(store.main, { ...row, kind: "message", state: "received", now });
            if (item) claims.pass(item);
          });
          storing.set(session, stored);
          return stored;
        },
        freeze() {
          const { promise, resolve } = Promise.withResolvers<void>();
          Object.assign(frozen, { until: promise, end: resolve, is: true });
        },
        wake() {
          frozen.is = false;
          frozen.end();
        },
        async stop() {
          await claims.close();
          await Promise.all(chains.values());
          await claims.stop();
          await signals?.close();
        },
      };
    },
  };
}

function freezing(queue: ClaimQueue, frozen: { readonly until: Promise<void> }): ClaimQueue {
  const afterwards =
    <Given extends readonly unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given) => {
      await frozen.until;
      return call(...given);
    };
  return {
    offer: afterwards(queue.offer),
    take: afterwards(queue.take),
    touch: afterwards(queue.touch),
    giveBack: afterwards(queue.giveBack),
  };
}
