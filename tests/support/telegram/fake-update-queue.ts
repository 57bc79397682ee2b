import type { Update } from "@grammyjs/types";
import { FakeRefusal, type FakePayload, type FakeUpdate } from "./fake-bot-types.ts";

/** Without a list the server sends all but these. */
const offByDefault = new Set(["chat_member", "message_reaction", "message_reaction_count"]);

interface Poller {
  readonly answer: (updates: readonly Update[]) => void;
  readonly refuse: (refusal: FakeRefusal) => void;
  readonly from: number;
  readonly limit: number;
}

export interface FakeUpdateQueue {
  /** Answers the update's number, or undefined when the bot does not want this kind. */
  readonly push: (update: FakeUpdate) => number | undefined;
  poll(payload: FakePayload, gone: AbortSignal): Promise<readonly Update[]>;
  /** Refuses a request for updates that waits: a webhook was set. */
  readonly interrupt: (refusal: FakeRefusal) => void;
  /** Kinds of updates that are wanted from now on; [] = all but those that are off by default. */
  readonly allow: (names: readonly string[]) => void;
  readonly allowed: () => readonly string[] | undefined;
  /** An update that a webhook has taken. */
  readonly confirm: (updateId: number) => void;
  /** Called for every new update. */
  onPush: () => void;
  /** What was not confirmed yet. */
  readonly pending: () => readonly Update[];
  close(): void;
}

/** Updates stay until a request asks from a higher number; a second request ends the one before with 409. */
export function createFakeUpdateQueue(): FakeUpdateQueue {
  let nextId = 1_000;
  let allowed: ReadonlySet<string> | undefined;
  const waiting: Update[] = [];
  let poller: Poller | undefined;

  function take(from: number, limit: number): readonly Update[] {
    return waiting.filter(({ update_id }) => update_id >= from).slice(0, limit);
  }

  const allow = (names: readonly string[]): void => {
    allowed = names.length === 0 ? undefined : new Set(names);
  };

  const queue: FakeUpdateQueue = {
    onPush: () => {},
    allow,
    allowed: () => allowed && [...allowed],
    interrupt: (refusal) => poller?.refuse(refusal),
    confirm(updateId) {
      const index = waiting.findIndex(({ update_id }) => update_id === updateId);
      if (index >= 0) waiting.splice(index, 1);
    },
    push(update) {
      const field = Object.keys(update).find((name) => name !== "update_id") ?? "";
      if (allowed === undefined ? offByDefault.has(field) : !allowed.has(field)) return undefined;
      const update_id = update.update_id ?? nextId;
      nextId = Math.max(nextId, update_id) + 1;
      waiting.push({ ...update, update_id });
      if (poller !== undefined) {
        const { answer, from, limit } = poller;
        const ready = take(from, limit);
        if (ready.length > 0) answer(ready);
      }
      queue.onPush();
      return update_id;
    },

    async poll(payload, gone) {
      poller?.refuse(
        new FakeRefusal(
          409,
          "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
        ),
      );
      if (Array.isArray(payload["allowed_updates"])) {
        allow(payload["allowed_updates"] as readonly string[]);
      }
      const offset = Number(payload["offset"] ?? 0);
      const limit = Math.min(100, Math.max(1, Number(payload["limit"] ?? 100)));
      const from = offset < 0 ? (waiting.at(offset)?.update_id ?? 0) : offset;
      while (waiting[0] !== undefined && waiting[0].update_id < from) waiting.shift();
      const ready = take(from, limit);
      const seconds = Math.min(50, Number(payload["timeout"] ?? 0));
      if (ready.length > 0 || seconds <= 0) return ready;

      const { promise, resolve, reject } = Promise.withResolvers<readonly Update[]>();
      const current: Poller = { answer: resolve, refuse: reject, from, limit };
      poller = current;
      const timer = setTimeout(() => resolve([]), seconds * 1_000);
      gone.addEventListener("abort", () => resolve([]), { once: true });
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        if (poller === current) poller = undefined;
      }
    },

    pending: () => [...waiting],

    close() {
      poller?.answer([]);
    },
  };
  return queue;
}
