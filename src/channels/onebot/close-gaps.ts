import type { Logger } from "pino";
import { z } from "zod";
import { sleep } from "../../core/abort.ts";
import type { MissedMessages } from "../types.ts";
import type { Account, AccountWork } from "./account.ts";
import { readChat, toChat } from "./chat.ts";
import type { HeardEvent } from "./complete-event.ts";
import { unknownDialect } from "./dialect.ts";
import { fillGap, type GapReading } from "./fill-gap.ts";
import type { OneBotLink } from "./onebot-link.ts";
import type { OneBotPace } from "./onebot-pace.ts";
import { chatsLimit } from "./open-gaps.ts";
import { readPositiveId } from "./wire-id.ts";

/** Histories that are read at the same time. */
const readers = 4;
const lookMs = 50;

/**
 * Reads what was missed in the account's open gaps, each in its chat's turn, and again after a while where it failed, as
 * long as the connection lasts. What stays open is tried again with the next connection, but is forgotten by a restart once
 * its chat got something new. What can still be missed: more than five pages of one chat, chats beyond the liveliest ones
 * where the implementation names no recent contacts, and whatever its own history has not kept. `onQueued` is called once a job for every gap is in its chat's queue.
 */
export async function closeGaps(parts: {
  readonly account: Account;
  readonly link: OneBotLink;
  /** From when on chats without an open gap may have missed something. */
  readonly since: number;
  readonly work: AccountWork;
  readonly store: (messages: readonly HeardEvent[]) => Promise<boolean>;
  /** More was missed in this chat than is read of a history. False when that could not be stored. */
  readonly tell: (event: MissedMessages) => Promise<boolean>;
  readonly onQueued: () => void;
  readonly pace: Pick<OneBotPace, "historyMs" | "gapMs" | "quoteMs">;
  readonly log: Logger;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { account, link, since, work, store, pace, signal } = parts;
  const log = parts.log.child({ account: account.id });
  const unable = new Set<string>();
  const listOpen = () => [...account.gaps.keys()].filter((chat) => !unable.has(readChat(chat).kind));
  const over = new AbortController();
  void link.ended.then(() => over.abort());
  const connected = AbortSignal.any([signal, over.signal]);

  /** The connection after this one, once it is known what is at its other end. */
  async function waitForNext(until: number): Promise<OneBotLink | undefined> {
    do {
      const next = account.link === link ? undefined : account.link;
      if (next !== undefined && account.dialect !== unknownDialect) return next;
    } while (performance.now() < until && (await sleep(lookMs, signal)));
    return undefined;
  }

  async function readChats(chats: readonly string[]): Promise<void> {
    const lanes: Promise<unknown>[] = Array.from({ length: readers }, () => Promise.resolve());
    const begun = performance.now();
    const reasons = new Set<string>();
    let count = 0;

    async function read(chat: string, from: number): Promise<GapReading | undefined> {
      // New messages must not wait for long: this chat is tried again later.
      if (performance.now() - begun > pace.historyMs || unable.has(readChat(chat).kind)) return undefined;
      const wanted = { account, chat, since: from, timeoutMs: pace.historyMs, signal };
      const found = await fillGap({ ...wanted, link });
      // Events of this connection wait behind: none must be stored before the missed ones.
      const next = found.rest.kind === "disconnected" ? await waitForNext(begun + pace.historyMs) : undefined;
      return next === undefined ? found : fillGap({ ...wanted, link: next });
    }

    async function close(chat: string, lane: number): Promise<void> {
      const from = account.gaps.get(chat);
      if (from === undefined) return;
      const reading = Promise.allSettled([lanes[lane]]).then(() => read(chat, from));
      lanes[lane] = reading;
      const found = await reading;
      // A wait that was ended by our stop has found nothing: the history has it all at the next start.
      if (found === undefined || signal.aborted) return;
      if (found.messages.length > 0 && !(await store(found.messages))) return;
      count += found.messages.length;
      switch (found.rest.kind) {
        case "too_long":
          if (!(await parts.tell(describeMissed(account.id, chat, from)))) return;
          log.warn({ chat }, "more was written than is read of a history; the oldest of it is missed");
          account.gaps.delete(chat);
          return;
        case "none":
          account.gaps.delete(chat);
          return;
        case "unknown":
          if (found.rest.unsupported) unable.add(readChat(chat).kind);
          reasons.add(found.rest.reason);
          return;
        case "disconnected":
          return;
      }
    }

    const jobs = chats.map((chat, index) =>
      work.push(account, chat, { prepare: () => Promise.resolve(), handle: () => close(chat, index % readers) }),
    );
    await Promise.all(jobs);
    if (count > 0) log.info({ messages: count }, "the history of QQ was read for what was missed");
    if (reasons.size > 0) log.info({ reasons: [...reasons] }, "QQ's history cannot be read; messages may be missed");
  }

  // A chat that nothing is kept of yet has its place before new messages, too: they wait for this one answer.
  const options = { since, count: chatsLimit, timeoutMs: pace.quoteMs, signal };
  for (const chat of await listRecentContacts(link, options))
    if (!account.gaps.has(chat)) account.gaps.set(chat, since);
  const first = readChats(listOpen());
  parts.onQueued();
  await first;
  for (const pause of pace.gapMs) {
    if (listOpen().length === 0 || !(await sleep(pause, connected)) || account.link !== link) return;
    await readChats(listOpen());
  }
  const chats = listOpen();
  if (chats.length > 0 && account.link === link) {
    log.warn({ chats }, "what was missed cannot be read; it is tried again with the next connection");
  }
}

/** A gap is one event: it begins where the last one ended. */
function describeMissed(account: string, chat: string, since: number): MissedMessages {
  return {
    kind: "missed",
    key: `missed:${chat}:${since}`,
    address: { platform: "qq", account, chat, thread: null },
    sender: { id: account, name: account, kind: "bot" },
    sentAt: since,
  };
}

const contacts = z.array(z.unknown());
const contact = z.object({ peerUin: z.unknown(), chatType: z.coerce.number(), msgTime: z.coerce.number() });
const kinds = new Map<number, "private" | "group">([
  [1, "private"],
  [2, "group"],
]);

/**
 * Friends and groups with a message since then (the platform's time, milliseconds). Only NapCat supports it; with the
 * others, and on any fault, the list is empty.
 */
async function listRecentContacts(
  link: OneBotLink,
  options: {
    readonly since: number;
    readonly count: number;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<string[]> {
  const { since, count, timeoutMs, signal } = options;
  const answer = await link.call("get_recent_contact", { count }, timeoutMs, signal);
  if (answer.kind !== "ok") return [];
  return (contacts.safeParse(answer.data).data ?? []).flatMap((item) => {
    const read = contact.safeParse(item);
    if (!read.success || read.data.msgTime * 1_000 < since) return [];
    const kind = kinds.get(read.data.chatType);
    const id = readPositiveId(read.data.peerUin);
    return kind === undefined || id === undefined ? [] : [toChat({ kind, id })];
  });
}
