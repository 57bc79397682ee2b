import { readFile } from "node:fs/promises";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import { describeError } from "../../core/errors.ts";
import {
  delayOutboxItem,
  findNextOutboxItem,
  findOutboxItem,
  finishOutboxItem,
  finishSentItem,
  hastenOutboxOf,
  listSessionsWithOutbox,
  recordSentParts,
  removalPayload,
  saveOutboxItem,
  type OutboxItem,
} from "../../store/queries/outbox.ts";
import { markQuestionShown } from "../../store/queries/question-prompts.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import type { Quarantine } from "../recovery/quarantine.ts";
import { nameOutbox, nameSending, type WorkRecord } from "../recovery/work-record.ts";
import type { Speech } from "../feature/speech.ts";
import type { OutgoingFiles } from "./outgoing-files.ts";
import { toSessionId } from "../../channels/session-id.ts";
import { toAddress } from "../../channels/to-address.ts";
import { findChannel } from "../../channels/find-channel.ts";
import { hasOwnClients } from "../claims/channel-claims.ts";
import type { Channel, ChatAddress, Delivery, FileMessage, OutboundMessage } from "../../channels/types.ts";
import { hashContent } from "../../workspace/hash-content.ts";

export interface Outbox {
  /**
   * Sends the queue of a session, in order. Returns at once. `answer` is what was just queued there: a process that
   * leaves the sending to another one learns of its own answers only here.
   */
  wake(session: string, answer?: OutboundMessage): void;
  /** The same, when another process said so. */
  wakeHere(session: string): void;
  /** Whether something waits or is being sent there: a view shown now would appear above it. */
  isSending(session: string): Promise<boolean>;
  /** An account is connected again: sends its queue at once. */
  wakeAccount(of: Pick<ChatAddress, "platform" | "account">): void;
  /** Sends everything that waits, but for chats whose clients are not connected: they call when they come. */
  wakeAll(): Promise<void>;
  /** Sends what is ready for at most `graceMs`, then accepts nothing more; the rest waits for the next start. */
  drain(graceMs: number): Promise<void>;
  /** Waits until nothing is being sent. */
  settled(): Promise<void>;
}

export interface OutboxReach {
  owns(platform: string): boolean;
  tell(session: string): void;
  /** Milliseconds that an answer is left to the process to which its client may be connected. */
  leaveMs(): number;
}

/** A process that has the database alone sends everything. */
export const reachAll: OutboxReach = { owns: () => true, tell: () => undefined, leaveMs: () => 0 };

const maxPauseMs = 5 * 60_000;
const giveUpAfterAttempts = 100;
/** Attempts stop counting here during an outage, so that only age ends a message. */
const attemptsOfOutage = 9;
const giveUpAfterMs = 7 * 24 * 3_600_000;

/** The row of a finished message. Call it in the transaction that the message reports on. */
export function queueMessage(
  db: Parameters<typeof saveOutboxItem>[0],
  message: OutboundMessage,
  now: number,
): Promise<void> {
  return saveOutboxItem(db, {
    id: message.id,
    session: toSessionId(message.address),
    turn: message.turn ?? null,
    cause: message.cause ?? null,
    state: "pending",
    payload: JSON.stringify(message),
    now,
  });
}

/**
 * Delivers rows in the order of their chat. Each part is recorded once sent, so a crash resumes at the next part. A
 * crash between the platform's confirmation and our record sends one part twice, unless the channel can check. A text
 * part is not lost; a spoken one, and one that the platform may or may not have taken, is not sent again.
 */
export function createOutbox(parts: {
  readonly store: Store;
  readonly files: OutgoingFiles;
  /** Synthesises a voice message. Supplied by a feature. */
  readonly speak: (speech: NonNullable<OutboundMessage["speech"]>) => Promise<Speech>;
  readonly channels: readonly Channel[];
  /** Which platforms this process sends to; `tell` says to the others that something waits there. */
  readonly reach: OutboxReach;
  /** Milliseconds between a store error and the next attempt. */
  readonly retryMs: number;
  readonly work: Pick<WorkRecord, "during">;
  readonly quarantine: Pick<Quarantine, "admit" | "ended">;
  /** A message exhausted its attempts. */
  readonly onGivenUp: (item: OutboxItem, reason: string) => Promise<unknown>;
  /** A chat refused a message permanently. */
  readonly onRefused: (item: OutboxItem, message: OutboundMessage, reason: string) => Promise<unknown>;
  /** Called before a message is sent, and again after; for an answer that another process sends, once it is queued. */
  readonly onSaying: (message: OutboundMessage) => void;
  readonly clock: Clock;
  readonly log: Logger;
}): Outbox {
  const { store, work, quarantine, retryMs, clock, log } = parts;
  const sending = new Map<string, Promise<void>>();
  const again = new Set<string>();
  /** Sent parts whose end the store has not recorded yet; they must not be sent twice. */
  const out = new Map<string, { readonly parts: readonly string[]; readonly sentAt: number | undefined }>();
  const timers = new Map<string, NodeJS.Timeout>();
  /** By conversation, the answer that is left to the process of its client. */
  const leftToOthers = new Map<string, { readonly id: string; readonly isOver: boolean }>();
  const startedAt = clock.now();
  let stopped = false;

  function wake(session: string, answer?: OutboundMessage): void {
    if (stopped) return;
    if (answer && !parts.reach.owns(platformOf(session))) parts.onSaying(answer);
    parts.reach.tell(session);
    wakeHere(session);
  }

  function wakeHere(session: string): void {
    if (stopped || !parts.reach.owns(platformOf(session))) return;
    if (sending.has(session)) {
      again.add(session);
      return;
    }
    const ended = sendAll(session)
      .catch((error: unknown) => {
        log.error({ err: error, session }, "the outbox could not go on; it tries again");
        schedule(session, retryMs);
      })
      .then(() => {
        sending.delete(session);
        quarantine.ended(nameSending(session));
        if (again.delete(session)) wakeHere(session);
      });
    sending.set(session, ended);
  }

  function schedule(session: string, afterMs: number): void {
    clearTimeout(timers.get(session));
    const timer = setTimeout(() => {
      timers.delete(session);
      wakeHere(session);
    }, afterMs);
    timer.unref();
    timers.set(session, timer);
  }

  async function sendAll(session: string): Promise<void> {
    await quarantine.admit(nameSending(session));
    let hasSent = false;
    while (!stopped && parts.reach.owns(platformOf(session))) {
      const item = await findNextOutboxItem(store.main, session);
      if (item?.id !== leftToOthers.get(session)?.id) leftToOthers.delete(session);
      if (!item) return;
      const pause = item.notBefore - clock.now();
      if (pause > 0) return schedule(session, pause);
      if (!(await work.during(nameOutbox(item.id), () => sendOne(item)))) {
        // The client of the next message may be at a process that waited for those before it.
        if (hasSent && hasOwnClients(platformOf(session))) parts.reach.tell(session);
        return;
      }
      hasSent = true;
      out.delete(item.id);
      const { file, speech } = JSON.parse(item.payload) as OutboundMessage;
      if (file ?? speech) await parts.files.drop(item.id);
    }
  }

  /** Returns true when this row is finished and the next may go. */
  async function sendOne(item: OutboxItem): Promise<boolean> {
    if (item.payload === removalPayload) return removePreview(item);
    const message = JSON.parse(item.payload) as OutboundMessage;
    const channel = findChannel(parts.channels, message.address.platform);
    if (!channel || isLeftToAnother(channel, message, item)) return false;
    // A file is one part, including its caption.
    const texts = (message.file ?? message.speech) ? [message.text] : splitSafely(channel, message);
    const known = out.get(item.id);
    let current = { ...item, sentParts: known?.parts ?? item.sentParts };
    const first = current.sentParts.length;
    const isOlder = known === undefined && item.createdAt < startedAt;
    let sentAt = known?.sentAt;
    for (let index = current.sentParts.length; index < texts.length; index = current.sentParts.length) {
      const written = isOlder && index === first && { writtenAt: item.createdAt };
      const part = { text: texts[index] ?? "", index, last: index === texts.length - 1, ...written };
      const spoken = message.speech && (await makeSound(message, message.speech));
      // A process that was frozen may have lost the platform since the last part.
      if (!parts.reach.owns(message.address.platform)) return false;
      // Speaking twice is worse than never: from here on it counts as sent, unless it is known to have failed.
      if (spoken) await recordSentParts(store.main, { id: item.id, sentParts: [""] });
      // A reply to it may arrive before the platform's confirmation.
      parts.onSaying(message);
      const delivery = spoken
        ? await deliverSound(channel, spoken)
        : await deliver(channel, message, part, item.preview ?? undefined);
      switch (delivery.kind) {
        case "sent":
          current = addPart(current, delivery.messageId, delivery.whole ? texts.length : index + 1);
          sentAt = delivery.sentAt;
          out.set(item.id, { parts: current.sentParts, sentAt });
          // The last part is recorded together with the end of the message.
          if (current.sentParts.length < texts.length) await recordSentParts(store.main, current);
          break;
        case "absent":
          if (spoken) await recordSentParts(store.main, { id: item.id, sentParts: [] });
          return false;
        case "unknown":
          // A repeated question is harmless; a lost one cannot be answered.
          if (message.question) return postpone(item, { kind: "later", afterMs: 5_000, reason: delivery.reason });
          log.warn({ session: item.session, outbox: item.id, reason: delivery.reason }, "a message may be out or not");
          current = addPart(current, "", delivery.whole ? texts.length : index + 1);
          if (current.sentParts.length < texts.length) await recordSentParts(store.main, current);
          break;
        case "refused":
          if (!(await isPending(item.id))) return true;
          log.warn(
            { session: item.session, outbox: item.id, reason: delivery.reason },
            "a message was refused for good",
          );
          await parts.onRefused(item, message, delivery.reason);
          await finishOutboxItem(store.main, item.id, "dead", delivery.reason, clock.now());
          return true;
        case "later":
          if (spoken) await recordSentParts(store.main, { id: item.id, sentParts: [] });
          return postpone(item, delivery);
      }
    }
    parts.onSaying(message);
    await finish(current, message, sentAt);
    return true;
  }

  /** Whether the answer is left to another process for now: the client that asked may be connected there. */
  function isLeftToAnother(channel: Channel, message: OutboundMessage, { id, session }: OutboxItem): boolean {
    const leaveMs = parts.reach.leaveMs();
    if (leaveMs === 0 || channel.hasAsker?.(message) !== false) return false;
    const known = leftToOthers.get(session);
    if (known?.id === id) return !known.isOver;
    const entry = { id, isOver: false };
    leftToOthers.set(session, entry);
    const end = (): void => {
      entry.isOver = true;
      wakeHere(session);
    };
    setTimeout(end, leaveMs).unref();
    return true;
  }

  /** Messages to the clients of every process are sent by each; the first one ends the row, and drops the file. */
  const isPending = async (id: string): Promise<boolean> => (await findOutboxItem(store.main, id))?.state === "pending";

  /** Removes a preview without a final message. It stays where the platform cannot delete it. */
  async function removePreview(item: OutboxItem): Promise<boolean> {
    const session = await findSession(store.main, item.session);
    const channel = session && findChannel(parts.channels, session.platform);
    const removed = item.preview !== null && session && (await channel?.remove?.(toAddress(session), item.preview));
    if (removed && removed.kind === "later") return postpone(item, removed);
    await finishOutboxItem(store.main, item.id, "dead", "superseded", clock.now());
    return true;
  }

  /** A text that the splitter fails on is still sent, unsplit. */
  function splitSafely(channel: Channel, message: OutboundMessage): readonly string[] {
    try {
      return channel.split(message);
    } catch (error) {
      log.error({ err: error, outbox: message.id }, "a message could not be split");
      return [message.text.slice(0, 4_000)];
    }
  }

  async function deliver(channel: Channel, ...call: Parameters<Channel["send"]>): Promise<Delivery> {
    try {
      const [message] = call;
      if (!isFileMessage(message)) return await channel.send(...call);
      if (await parts.files.has(message.id))
        return await channel.sendFile(message, await parts.files.pathOf(message.id));
      return { kind: "refused", reason: "the content that was kept for it is gone" };
    } catch (error) {
      return { kind: "later", afterMs: 5_000, reason: describeError(error) };
    }
  }

  /**
   * The spoken text as a file, stored like any outgoing file. Returns undefined when it could not be synthesised; the
   * text is sent instead.
   */
  async function makeSound(
    message: OutboundMessage,
    speech: NonNullable<OutboundMessage["speech"]>,
  ): Promise<FileMessage | undefined> {
    const { id } = message;
    if (!(await parts.files.has(id))) {
      const spoken = await parts.speak(speech);
      if (spoken.kind === "failed") {
        log.warn({ outbox: id, reason: spoken.reason }, "an answer could not be spoken");
        return undefined;
      }
      await parts.files.keep(id, spoken.content);
    }
    const content = await readFile(await parts.files.pathOf(id));
    const sha256 = hashContent(content);
    const name = speech.format === "opus" ? "voice.ogg" : "voice.mp3";
    return { ...message, text: "", file: { name, bytes: content.length, sha256, voice: true } };
  }

  async function deliverSound(channel: Channel, message: FileMessage): Promise<Delivery> {
    try {
      return await channel.sendFile(message, await parts.files.pathOf(message.id));
    } catch (error) {
      return { kind: "unknown", reason: describeError(error) };
    }
  }

  async function postpone(item: OutboxItem, delivery: Extract<Delivery, { kind: "later" }>): Promise<boolean> {
    if (delivery.untried) {
      schedule(item.session, delivery.afterMs);
      return false;
    }
    const { outage, reason } = delivery;
    const attempts = outage
      ? Math.max(item.attempts, Math.min(item.attempts + 1, attemptsOfOutage))
      : item.attempts + 1;
    const isOver = outage ? clock.now() - item.createdAt > giveUpAfterMs : attempts >= giveUpAfterAttempts;
    if (isOver) {
      log.warn(
        { session: item.session, outbox: item.id, reason },
        "a message was given up: it could not be sent for long",
      );
      await parts.onGivenUp(item, reason);
      await parts.onRefused(item, JSON.parse(item.payload) as OutboundMessage, reason);
      await finishOutboxItem(store.main, item.id, "dead", reason, clock.now());
      return true;
    }
    const pause = Math.max(delivery.afterMs, Math.min(1_000 * 2 ** item.attempts, maxPauseMs));
    await delayOutboxItem(store.main, { id: item.id, attempts, notBefore: clock.now() + pause, reason });
    schedule(item.session, pause);
    return false;
  }

  async function finish(item: OutboxItem, message: OutboundMessage, sentAt: number | undefined): Promise<void> {
    const prompt = item.sentParts.at(-1);
    const question = message.question?.id ?? message.standsFor;
    if (question === undefined || prompt === undefined) return finishSentItem(store.main, item, clock.now());
    await store.main.transaction().execute(async (tx) => {
      await finishSentItem(tx, item, clock.now());
      await markQuestionShown(tx, question, item.session, prompt, sentAt ?? null);
    });
  }

  return {
    wake,
    wakeHere,
    async isSending(session) {
      if (parts.reach.owns(platformOf(session))) return sending.has(session) || timers.has(session);
      return (await findNextOutboxItem(store.main, session)) !== undefined;
    },
    wakeAccount(of) {
      hastenOutboxOf(store.main, of)
        .then((sessions) => sessions.forEach(wakeHere))
        .catch((error: unknown) => log.error({ err: error }, "what waits for an account goes at its own time"));
    },
    async wakeAll() {
      for (const session of await listSessionsWithOutbox(store.main))
        if (findChannel(parts.channels, platformOf(session))?.hasClient?.(session) !== false) wakeHere(session);
    },
    async drain(graceMs) {
      for (const timer of timers.values()) clearTimeout(timer);
      const grace = AbortSignal.timeout(graceMs);
      const over = new Promise((resolve) => grace.addEventListener("abort", resolve, { once: true }));
      while (sending.size > 0 && !grace.aborted) await Promise.race([Promise.all(sending.values()), over]);
      stopped = true;
    },
    async settled() {
      while (sending.size > 0) await Promise.all(sending.values());
    },
  };
}

const platformOf = (session: string): string => session.slice(0, session.indexOf(":"));

/** Records a sent part, and with it those up to `count`. */
function addPart(item: OutboxItem, messageId: string, count: number): OutboxItem {
  const missing = Math.max(1, count - item.sentParts.length);
  return { ...item, sentParts: [...item.sentParts, ...Array.from({ length: missing }, () => messageId)] };
}

function isFileMessage(message: OutboundMessage): message is FileMessage {
  return message.file !== undefined;
}
