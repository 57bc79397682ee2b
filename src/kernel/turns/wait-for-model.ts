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

/** A turn that no model answered in its time. `notice` is absent where the chat was told of it with an earlier one. */
export interface GivenUp {
  readonly notice?: string;
  /** The rows of the inbox up to this one have been told. */
  readonly outage: Outage;
}

/** Turns that wait until a model answers again. Nothing of them stays in memory but the time of the next try. */
export interface ModelWaits {
  /** At a start. */
  recover(): Promise<void>;
  /** Parks the turn. false = it is not waited for. */
  begin(work: TurnAtWork, result: OutageResult): Promise<boolean>;
  /** The turn may not ask any more: its time is over. undefined = it may. */
  giveUp(work: TurnAtWork): Promise<GivenUp | undefined>;
  /** The turn has come further, or to an end: the outage of its chat is over. */
  end(work: Pick<TurnAtWork, "session" | "task">, how: "answered" | "failed" | "stopped"): Promise<void>;
  stop(): void;
}

/** Messages whose time ends together with this share of it are given up in one notice. */
const together = 0.1;
const mostQuoted = 5;
const quoteLength = 40;

export function createModelWaits(parts: {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly voice: FindVoice;
  readonly probe: OutageProbe;
  /** Messages of a chat that have not begun. */
  readonly listBehind: (session: string) => readonly InboxItem[];
  /** How long a turn waits, milliseconds; 0 = not at all. */
  readonly waitMs: () => number;
  /** Each client there waits on a line of its own. */
  readonly failsAtOnce: (platform: string) => boolean;
  readonly clock: Clock;
}): ModelWaits {
  const { store, probe, waitMs, clock } = parts;
  /** Chats that may have an outage; all others cost no query. */
  const chats = new Set<string>();

  /** What was said in the middle of an outage has its whole time; what waited behind a turn has it from the outage on. */
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
      // What was shown would stand above the notice, and its edit would reach nobody.
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
    const given = { quotes: quotes.slice(0, mostQuoted), count: behind.length + 1, term: words.duration(waitMs()) };
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
      // Beside a sub-agent there may be others, and their parent asks after them.
      if (task && how !== "stopped") return;
      if (!chats.delete(session.id)) return;
      await deleteOutage(store.main, session.id);
    },
    stop: probe.stop,
  };
}

/** The beginning of what somebody said; "" = nobody said it. */
function quote(item: InboxItem, input?: TurnInput): string {
  const said = item.kind === "again" ? (JSON.parse(item.payload) as AgainJob).message.text : undefined;
  // The words of a reminder's task call for skills as a person's do; its text is a record for the model.
  const begun = (input?.utterance ?? "") === "" ? (input?.text ?? "") : input?.utterance;
  const text = said ?? (item.kind === "message" ? (JSON.parse(item.payload) as InboundMessage).text : (begun ?? ""));
  if (item.kind === "report" || item.kind === "task" || text.startsWith("[record]")) return "";
  const line = makeVisible(text).replaceAll(/\s+/g, " ").trim();
  return line.length > quoteLength ? `${line.slice(0, quoteLength)}…` : line;
}
