import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../src/core/errors.ts";
import type { ClaimWorker, SessionClaims } from "../../src/kernel/claims/session-claims.ts";
import type { Signals } from "../../src/store/engines/postgres-signals.ts";
import { beginInboxItem, type InboxItem, listUnfinishedInbox, setInboxState } from "../../src/store/queries/inbox.ts";
import { saveOutboxItem } from "../../src/store/queries/outbox.ts";
import {
  claimTurn,
  endTurn,
  findTurnByInbox,
  insertTurn,
  nameTurn,
  type TurnLease,
} from "../../src/store/queries/turns.ts";
import type { Store } from "../../src/store/open-store.ts";
import { createSlots } from "./slots.ts";

/** A claim of a conversation with messages that waited for it. */
export interface NotedClaim {
  /** Unix milliseconds. */
  readonly at: number;
  /** Since the oldest of the messages was stored. */
  readonly waitedMs: number;
  readonly afterSilence: boolean;
}

/** The payload of a message of the bench. */
export interface BenchPayload {
  readonly key: string;
}

/** The messages that one turn answers together at the most, as those of a person who writes several lines. */
const maxTogether = 4;
/** Another holder's turn of the same message is there already. */
const uniqueViolation = "23505";

/**
 * The least that a turn writes. One transaction begins the turn and marks its message; the second one ends it by the
 * turn's token, writes an answer to each message and finishes the messages. The answers' ids have the token in them: an
 * answer of a second holder would be a second row, and be sent. No prompt, conversation, ledger or checkpoint is written.
 */
export function createClaimWorker(parts: {
  readonly store: Store;
  readonly claims: Pick<SessionClaims, "isOurs">;
  readonly signals: Pick<Signals, "send">;
  /** This process, as the owner of turns. */
  readonly node: string;
  readonly maxTurns: number;
  /** The time between the two transactions. */
  readonly pauseMs: number;
  readonly onClaim: (claim: NotedClaim) => void;
  /** A late write was refused. */
  readonly onRefused: () => void;
  readonly onFault: (error: unknown) => void;
}): ClaimWorker {
  const { store, claims } = parts;
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  const rows = new Set<string>();
  const claimed = new Map<string, { readonly at: number; readonly afterSilence: boolean }>();
  const slots = createSlots(parts.maxTurns);

  function begin(session: string): void {
    again.add(session);
    if (running.has(session)) return;
    const work = answerAll(session)
      .catch(parts.onFault)
      .finally(() => {
        running.delete(session);
        if (again.has(session) && claims.isOurs(session)) begin(session);
      });
    running.set(session, work);
  }

  async function answerAll(session: string): Promise<void> {
    while (again.delete(session)) {
      const waiting = await listUnfinishedInbox(store.main, session);
      noteClaim(session, waiting);
      const [first] = waiting;
      if (first === undefined) continue;
      const together = waiting.slice(0, maxTogether);
      if (waiting.length > together.length) again.add(session);
      for (const { id } of together) rows.add(id);
      try {
        await slots.during(async () => {
          if (claims.isOurs(session)) await answer(first, together);
        });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        parts.onRefused();
        again.add(session);
      } finally {
        for (const { id } of together) rows.delete(id);
      }
      if (!claims.isOurs(session)) again.delete(session);
    }
  }

  function noteClaim(session: string, [oldest]: readonly InboxItem[]): void {
    const claim = claimed.get(session);
    claimed.delete(session);
    if (claim && oldest) parts.onClaim({ ...claim, waitedMs: Math.max(0, claim.at - oldest.createdAt) });
  }

  async function answer(first: InboxItem, together: readonly InboxItem[]): Promise<void> {
    const lease = await takeTurn(first);
    if (lease === undefined) {
      // The last holder ended it after the list was read.
      again.add(first.session);
      return;
    }
    if (parts.pauseMs > 0) await pause(parts.pauseMs);
    await store.main.transaction().execute(async (tx) => {
      const now = Date.now();
      await endTurn(tx, lease, "replied", now);
      for (const { id, payload, session } of together) {
        const answered = JSON.stringify({ key: (JSON.parse(payload) as BenchPayload).key });
        const about = { id: `${lease.turn}/${lease.token}/${id}`, session, turn: lease.turn, cause: id };
        await saveOutboxItem(tx, { ...about, state: "pending", payload: answered, now });
        await setInboxState(tx, id, "done", now);
      }
    });
    parts.signals.send("outbox", first.session);
  }

  async function takeTurn({ id, seq, session }: InboxItem): Promise<TurnLease | undefined> {
    const now = Date.now();
    const known = await findTurnByInbox(store.main, id);
    if (known) return (await claimTurn(store.main, known.id, parts.node, now))?.lease;
    return store.main.transaction().execute(async (tx) => {
      const about = { id: nameTurn(seq), session, inbox: id, input: "{}", policy: "bench" };
      const lease = await insertTurn(tx, { ...about, owner: parts.node, now });
      await beginInboxItem(tx, id);
      return lease;
    });
  }

  return {
    room: () => Math.max(0, 2 * parts.maxTurns - running.size),
    async takeUp(session, losses) {
      claimed.set(session, { at: Date.now(), afterSilence: losses > 0 });
    },
    letGo: async (session) => void claimed.delete(session),
    takeRows: async (session) => begin(session),
    takeRow: ({ session }) => begin(session),
    hasRow: (id) => rows.has(id),
    isQuiet: (session) => !running.has(session),
    async leave(session) {
      await running.get(session);
    },
    abort: () => undefined,
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError
    ? error.code === "TURN_LOST"
    : (error as { readonly code?: string }).code === uniqueViolation;
}
