import type { Logger } from "pino";
import type { LaterWords, TurnRun } from "../agent/types.ts";
import type { Clock } from "../../core/clock.ts";
import { joinTaint } from "../../core/taint.ts";
import type { Person } from "../gate/types.ts";
import { takeInboxItem, type InboxItem } from "../../store/queries/inbox.ts";
import { appendMessages } from "../../store/queries/messages.ts";
import { findSession, type BusyMode, type SessionRow } from "../../store/queries/sessions.ts";
import { listSteeredWords, saveSteeredMessage } from "../../store/queries/steered-messages.ts";
import { assertLease } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import { toPersonId } from "../../channels/session-id.ts";
import type { InboundMessage } from "../../channels/types.ts";
import type { InboxDispatcher } from "../lanes/inbox-dispatcher.ts";
import type { BusyOptions } from "./busy-options.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import type { InterruptTurn } from "./interrupt-turn.ts";
import type { ReadMessage } from "./read-message.ts";
import type { TurnAtWork } from "./turn-at-work.ts";

/** Handles messages that arrive in a chat, also while a turn runs there. */
export interface LaterWordsDesk {
  /** Puts a message into its lane. It may interrupt the running turn or join it; the caller waits for neither. */
  push(item: InboxItem, message: InboundMessage, person: Person): void;
  /** For one run of a turn. `isSeen` returns true once people have read part of its answer. */
  follow(work: TurnAtWork, isSeen: () => boolean, signal: AbortSignal): Pick<TurnRun, "takeLaterWords" | "onBurst">;
}

interface Waiting {
  readonly item: InboxItem;
  readonly message: InboundMessage;
}

/** Messages that one turn takes in; further ones begin their own. */
const maxWords = 20;
/** Some platforms report whole seconds. */
const sentGrainMs = 1_000;

export function createLaterWords(parts: {
  readonly store: Store;
  readonly inbox: Pick<InboxDispatcher, "pushWords" | "dropWords" | "findCurrent" | "listJoining" | "reconcile">;
  readonly identify: (message: InboundMessage) => Promise<Person>;
  readonly readMessage: ReadMessage;
  readonly hooks: Pick<CallHooks, "heard">;
  readonly interrupt: InterruptTurn;
  readonly rules: () => BusyOptions;
  /** Whether messages may join a turn. They may not where each client waits for a reply of its own. */
  readonly joins: (platform: string) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}): LaterWordsDesk {
  const { store, inbox, clock } = parts;
  /** Listeners for further messages, by session, of turns whose first request is running. */
  const listening = new Map<string, (waiting: Waiting) => boolean>();
  /** Running rows whose turn accepts no more of a burst. */
  const heard = new WeakSet<InboxItem>();

  const readMode = (session: SessionRow | undefined): BusyMode =>
    (session?.busy as BusyMode | null | undefined) ?? parts.rules().mode;

  /** Compares both arrival and writing times: messages that waited at the platform for hours are no burst. */
  function isBurst(before: Waiting, next: Waiting): boolean {
    const { burst } = parts.rules();
    const written = next.message.sentAt - before.message.sentAt;
    const isKnown = before.message.sentAt > 0 && next.message.sentAt > 0;
    return (
      burst > 0 &&
      next.item.createdAt - before.item.createdAt <= burst &&
      (!isKnown || Math.abs(written) <= burst + sentGrainMs)
    );
  }

  function isOneBurst(before: Waiting, next: Waiting): boolean {
    const { address, sender } = next.message;
    const isSame = before.message.sender.id === sender.id && before.item.id !== next.item.id;
    return isSame && parts.joins(address.platform) && mayJoin(next.message) && isBurst(before, next);
  }

  /**
   * The turn takes this message in, because its first request has not been sent yet or will be repeated once a model is
   * back.
   */
  function willTakeIn({ job, isHeld }: { readonly job: InboxItem; readonly isHeld: boolean }, next: Waiting): boolean {
    if (job.kind !== "message" || (heard.has(job) && !isHeld)) return false;
    const waiting = inbox.listJoining(next.item.session).map(readRow);
    const end = waiting.findIndex(({ item }) => item.id === next.item.id);
    const before = waiting.slice(0, Math.max(0, end));
    const own = before.filter(({ message }) => message.sender.id === next.message.sender.id);
    const burst = [readRow(job), ...own.filter(({ item }) => item.id !== job.id), next];
    return burst.every((one, index) => {
      const last = burst[index - 1];
      return last === undefined || isOneBurst(last, one);
    });
  }

  async function arrive(item: InboxItem, message: InboundMessage, person: Person): Promise<void> {
    const current = inbox.findCurrent(item.session);
    // No other job runs there: this message begins its own turn.
    if (current === undefined || current.job.id === item.id) return;
    const next = { item, message };
    if (listening.get(item.session)?.(next) === true) return;
    if (willTakeIn(current, next)) return;
    if (readMode(await findSession(store.main, item.session)) === "interrupt") await parts.interrupt(item, person);
  }

  function follow(
    { input, item, lease, session }: TurnAtWork,
    isSeen: () => boolean,
    signal: AbortSignal,
  ): ReturnType<LaterWordsDesk["follow"]> {
    /** The last message of the burst that the turn answers. */
    let last = item.kind === "message" ? readRow(item) : undefined;
    let count = 0;
    const isTheirs = ({ message }: Waiting) =>
      toPersonId(message.address.platform, message.sender.id) === input.person.id;

    function listOwn(): readonly Waiting[] {
      if (!parts.joins(session.platform)) return [];
      const own = inbox.listJoining(session.id).map(readRow).filter(isTheirs);
      const other = own.findIndex(({ message }) => !mayJoin(message));
      return other < 0 ? own : own.slice(0, other);
    }

    function pickBurst(own: readonly Waiting[]): readonly Waiting[] {
      const end = own.findIndex((next, index) => {
        const before = index === 0 ? last : own[index - 1];
        return before === undefined || !isBurst(before, next);
      });
      return end < 0 ? own : own.slice(0, end);
    }

    async function readWords(waiting: Waiting, round: number) {
      const { message } = waiting;
      const person = await parts.identify(message);
      const taken = await parts.readMessage.takeIn(message, person, session.id, signal);
      const atHand = { message, person, session, language: input.language };
      const { files, named, sources, taint, text } = await parts.readMessage.describe(taken, atHand);
      const said = message.text === "" ? taken.spoken : message.text;
      const heard = { item: waiting.item, message, person, words: said, taint };
      const words: LaterWords = {
        taint,
        message: {
          role: "user",
          text,
          senderId: person.id,
          senderName: person.name,
          ...(person.human !== undefined && { human: person.human }),
          ...(files.length > 0 && { files }),
          ...(named.length > 0 && { named }),
          ...(sources.length > 0 && { sources }),
          ...(round > 0 && { afterRound: round }),
        },
      };
      return { waiting, heard, words };
    }

    /** One transaction closes the row, extends the conversation, and gives the turn the words even after a crash. */
    async function takeIn(chosen: readonly Waiting[], known: number, round: number): Promise<readonly LaterWords[]> {
      const read = await Promise.all(chosen.map((waiting) => readWords(waiting, round)));
      const taken = await store.main.transaction().execute(async (tx) => {
        await assertLease(tx, lease);
        const now = clock.now();
        const done: typeof read = [];
        for (const one of read) {
          const { item: row } = one.waiting;
          // The message was withdrawn in the meantime.
          if (!(await takeInboxItem(tx, row.id, now))) continue;
          const { message: said, taint } = one.words;
          await appendMessages(tx, { session: session.id, turn: lease.turn, taint, messages: [said], now });
          const turn = { taint: joinTaint(input.taint, taint), language: input.language };
          await parts.hooks.heard(tx, { ...one.heard, turn });
          const words = JSON.stringify(one.words);
          done.push(one);
          await saveSteeredMessage(tx, { inbox: row.id, turn: lease.turn, ordinal: known + done.length, words, now });
        }
        return done;
      });
      for (const { waiting } of taken) inbox.dropWords(waiting.item);
      last = taken.at(-1)?.waiting ?? last;
      return taken.map(({ words }) => words);
    }

    return {
      async takeLaterWords(known, round) {
        const own = listOwn();
        // A lease with the first token has no earlier run that could have taken messages in.
        const before = lease.token === 1 ? [] : await listSteeredWords(store.main, lease.turn, known);
        const given = before.map((words) => JSON.parse(words) as LaterWords);
        count = known + given.length;
        if (own.length === 0) return given;
        const steers = readMode(await findSession(store.main, session.id)) === "steer";
        const chosen = (steers ? own : round === 0 ? pickBurst(own) : []).slice(0, Math.max(0, maxWords - count));
        if (chosen.length === 0) return given;
        const taken = await takeIn(chosen, count, round);
        count += taken.length;
        return [...given, ...taken];
      },
      onBurst(tell) {
        let isAskedAgain = false;
        listening.set(session.id, (next) => {
          const isOne = last !== undefined && isTheirs(next) && mayJoin(next.message) && isBurst(last, next);
          if (!isOne || isSeen() || count >= maxWords || !parts.joins(session.platform)) return false;
          isAskedAgain = true;
          tell();
          return true;
        });
        heard.delete(item);
        return () => {
          // The repeated request takes in any message that comes before it.
          if (!isAskedAgain) heard.add(item);
          listening.delete(session.id);
        };
      },
    };
  }

  return {
    push(item, message, person) {
      inbox
        .pushWords(item)
        .then(() => arrive(item, message, person))
        .catch((error: unknown) => {
          parts.log.error({ err: error, inbox: item.id }, "words that came while she was busy wait for their turn");
          inbox.reconcile(error);
        });
    },
    follow,
  };
}

function readRow(item: InboxItem): Waiting {
  return { item, message: JSON.parse(item.payload) as InboundMessage };
}

/**
 * A command's order gets a turn of its own, and a lone voice message may get a fixed reply. In a private chat, a file
 * that may be a character card also begins a turn, which inspects it.
 */
function mayJoin({ attachments, chatKind, ordered, text }: InboundMessage): boolean {
  const isCard = chatKind === "private" && attachments.length === 1 && hasCardName(attachments[0]?.name);
  const isVoice = text === "" && attachments.some(({ kind }) => kind === "voice" || kind === "audio");
  return ordered === undefined && !isVoice && !isCard;
}

function hasCardName(name = ""): boolean {
  return [".apng", ".charx", ".json", ".png"].some((ending) => name.toLowerCase().endsWith(ending));
}
