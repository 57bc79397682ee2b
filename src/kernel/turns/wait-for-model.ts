import type { TurnInput, TurnResult } from "../agent/types.ts";
import type { InboundMessage } from "../../channels/types.ts";
import type { Clock } from "../../core/clock.ts";
import type { FindVoice } from "../tools/persona-wrapper.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Store } from "../../store/open-store.ts";
import type { InboxItem } from "../../store/queries/inbox.ts";
import { deleteOutage, findOutage, listOutages, saveOutage, type Outage } from "../../store/queries/outages.ts";
import { dropOtherLiveItems, findOutboxItem } from "../../store/queries/outbox.ts";
import { assertLease, parkTurn } from "../../store/queries/turns.ts";
import { isSaid, laneOf, type AgainJob } from "../lanes/jobs.ts";
import type { OutageProbe } from "../lanes/outage-probe.ts";
import { queueMessage, type Outbox } from "../outbox/outbox.ts";
import type { TurnAtWork } from "./turn-at-work.ts";
import { outbound } from "./turn-at-work.ts";

type OutageResult = Extract<TurnResult, { kind: "outage" }>;

/** A turn that no model answered in time. `notice` is absent when an earlier notice covered it. */
export interface GivenUp {
  readonly notice?: string;
  /** The rows of the inbox up to this one have been notified. */
  readonly outage: Outage;
}

/** Turns that wait until a model answers again. Only the time of the next attempt is in memory. */
export interface ModelWaits {
  /** At a start. */
  recover(): Promise<void>;
  /** Parks the turn. Returns false when it cannot wait. */
  begin(work: TurnAtWork, result: OutageResult): Promise<boolean>;
  /** Returns undefined while the turn may still wait, and the notice once its time has ended. */
  giveUp(work: TurnAtWork): Promise<GivenUp | undefined>;
  /** The turn continued or ended, so the outage of its chat has ended. */
  end(work: Pick<TurnAtWork, "session" | "task">, how: "answered" | "failed" | "stopped"): Promise<void>;
  stop(): void;
}

/** Messages that expire within this share of the waiting time are given up in one notice. */
const together = 0.1;
const maxQuoted = 5;
const quoteLength = 40;

export function createModelWaits(parts: {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly voice: FindVoice;
  readonly probe: OutageProbe;
  /** Messages of a chat that have not begun. */
  readonly listBehind: (session: string) => readonly InboxItem[];
  /** How long a turn waits, in milliseconds; 0 disables waiting. */
  readonly waitMs: () => number;
  /** Each client of such a platform waits on its own connection. */
  readonly failsAtOnce: (platform: string) => boolean;
  readonly clock: Clock;
}): ModelWaits {
  const { store, probe, waitMs, clock } = parts;
  /** Chats that may have an outage; the others cost no query. */
  const chats = new Set<string>();

  /**
   * A message sent during an outage gets the full time; one that waited behind a turn gets it from the start of the
   * outage.
   */
  const deadlineOf = ({ since }: Outage, item: Pick<InboxItem, "createdAt">) =>
    Math.max(since, item.createdAt) + waitMs();

  async function begin(work: TurnAtWork, { answered, outage }: OutageResult): Promise<boolean> {
    const { input, item, lease, session } = work;
    if (waitMs() === 0 || parts.failsAtOnce(session.platform)) return false;
    const now = clock.now();
    const known = await findOutage(store.main, session.id);
    const isSame = known && !answered && known.since + waitMs() > item.createdAt;
    const current = isSame ? known : { session: session.id, since: now, named: 0 };
    const until = deadlineOf(current, item);
    if (until <= now + outage.retryAfterMs) return false;
    const shown = work.task ? null : ((await findOutboxItem(store.main, work.outboxId))?.preview ?? null);
    chats.add(session.id);
    await store.usage.inTransaction(async (tx) => {
      await assertLease(tx, lease);
      await saveOutage(tx, current);
      // An earlier view would appear above the notice, and editing it notifies no one.
      if (shown !== null) await dropOtherLiveItems(tx, lease.turn, "", now);
      await parkTurn(tx, lease, now, `model:${work.views + (shown === null ? 0 : 1)}`);
      if (isSame) return;
      const words = wordsFor(input.language);
      const told = words.outage.waits({ models: outage.models, term: words.duration(until - now) });
      const context = { chat: session.id, language: input.language };
      const text = parts.voice(session.id).tell(context, "modelDown", told);
      const id = `outage:${session.id}:${current.since}`;
      await queueMessage(tx, { ...outbound(work, { id, kind: "notice", text, plain: true }), partial: true }, now);
    });
    parts.outbox.wake(session.id);
    probe.hold(laneOf(item), { triedAt: now, notBefore: now + outage.retryAfterMs, until });
    return true;
  }

  async function giveUp({ input, item, session }: TurnAtWork): Promise<GivenUp | undefined> {
    if (!chats.has(session.id)) return undefined;
    const outage = await findOutage(store.main, session.id);
    if (!outage) return void chats.delete(session.id);
    if (isSaid(item) && item.seq <= outage.named) return { outage };
    if (clock.now() < deadlineOf(outage, item)) return undefined;
    const soon = clock.now() + waitMs() * together;
    const behind = parts.listBehind(session.id).filter((row) => isSaid(row) && deadlineOf(outage, row) <= soon);
    const words = wordsFor(input.language);
    const quotes = [quote(item, input), ...behind.map((row) => quote(row))].filter((text) => text !== "");
    const given = { quotes: quotes.slice(0, maxQuoted), count: behind.length + 1, term: words.duration(waitMs()) };
    const context = { chat: session.id, language: input.language };
    const notice = parts.voice(session.id).tell(context, "modelDown", words.outage.givenUp(given));
    const named = Math.max(outage.named, ...[item, ...behind].filter(isSaid).map(({ seq }) => seq));
    return { notice, outage: { ...outage, named } };
  }

  return {
    begin,
    giveUp,
    async recover() {
      for (const { session } of await listOutages(store.main)) chats.add(session);
    },
    async end({ session, task }, how) {
      if (how === "answered") probe.answered();
      // A sub-agent can have siblings, and their parent asks about them.
      if (task && how !== "stopped") return;
      if (!chats.delete(session.id)) return;
      await deleteOutage(store.main, session.id);
    },
    stop: probe.stop,
  };
}

/** The beginning of a person's words. Returns "" when the row contains none. */
function quote(item: InboxItem, input?: TurnInput): string {
  const said = item.kind === "again" ? (JSON.parse(item.payload) as AgainJob).message.text : undefined;
  // A reminder's task selects skills like a person's words; its text is a record for the model.
  const begun = (input?.utterance ?? "") === "" ? (input?.text ?? "") : input?.utterance;
  const text = said ?? (item.kind === "message" ? (JSON.parse(item.payload) as InboundMessage).text : (begun ?? ""));
  if (item.kind === "report" || item.kind === "task" || text.startsWith("[record]")) return "";
  const line = makeVisible(text).replaceAll(/\s+/g, " ").trim();
  return line.length > quoteLength ? `${line.slice(0, quoteLength)}…` : line;
}
