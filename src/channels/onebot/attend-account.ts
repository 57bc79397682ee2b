import type { Logger } from "pino";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { describeError } from "../../core/errors.ts";
import type { InboundEvent, StoredEvent } from "../types.ts";
import { readLabel } from "../json-view.ts";
import type { Account, Accounts, AccountWork } from "./account.ts";
import { closeGaps } from "./close-gaps.ts";
import { createRareWarning } from "../rare-warning.ts";
import { completeEvent, type HeardEvent } from "./complete-event.ts";
import { chooseDialect, unknownDialect } from "./dialect.ts";
import { createOneBotLink, type OneBotLink } from "./onebot-link.ts";
import type { OneBotPace } from "./onebot-pace.ts";
import { openGaps, type ChatHistory } from "./open-gaps.ts";
import { readEvent } from "./read-event.ts";
import { readPositiveId } from "./wire-id.ts";

/** Looks after a socket from the moment it exists: the account, missed messages, new events. */
export type AttendSocket = (
  socket: WebSocket,
  guest: {
    /** The account, if the handshake told it. */
    readonly selfId?: string | undefined;
    /** Called once it is known whose connection it is. */
    readonly onKnown?: () => void;
  },
) => OneBotLink;

/** Where an account's own work waits for its turn, which belongs to no chat. */
const ownLane = "";

/** Events of a connection whose account, or whose gaps, are not known yet. */
const earlyLimit = 1_000;

const anyEvent = z.object({ self_id: z.unknown().optional() });
const heartbeat = z.object({ meta_event_type: z.literal("heartbeat"), status: z.object({ online: z.boolean() }) });
const loggedOut = z.object({ post_type: z.literal("notice"), notice_type: z.literal("bot_offline") });
const login = z.object({ user_id: z.unknown().optional(), nickname: z.unknown().optional() });
const status = z.object({ online: z.boolean() });
const version = z.object({ app_name: z.unknown().optional(), app_version: z.unknown().optional() });

export function createAttendSocket(parts: {
  readonly accounts: Accounts;
  readonly work: AccountWork;
  readonly history: ChatHistory;
  readonly receive: (events: readonly InboundEvent[]) => Promise<void>;
  /** Called when the connection state changes. */
  readonly onChange: () => void;
  /** An account can send again. */
  readonly onBack: (account: string) => void;
  /** Something came over a connection. */
  readonly onLife: () => void;
  readonly pace: OneBotPace;
  readonly clock: Clock;
  readonly log: Logger;
  /** When it fires, receiving stops. */
  readonly signal: AbortSignal;
}): AttendSocket {
  const { accounts, work, receive, onChange, onBack, onLife, pace, clock, log, signal } = parts;

  const warnOfChat = createRareWarning(log, "a message was refused: its message_type is none that is known");

  function setOnline(account: Account, online: boolean): void {
    const before = account.online ?? true;
    account.online = online;
    if (before === online) return;
    log.warn({ account: account.id, online }, online ? "QQ is logged in again" : "QQ is logged out");
    onChange();
    if (online) onBack(account.id);
  }

  /** Answers what is to be stored, and takes note of any other event. */
  function readStored(account: Account, event: object): StoredEvent | undefined {
    const read = readEvent(event, account.id);
    if (read.kind !== "ignored") return read;
    if (read.rule !== "other_account") noteStatus(account, event);
    if (read.rule === "unknown_chat") warnOfChat();
    log.debug({ account: account.id, rule: read.rule }, "an event was ignored");
    return undefined;
  }

  function take(account: Account, heard: HeardEvent): void {
    void work.push(account, heard.event.address.chat, {
      prepare: (stopped) => completeEvent(heard, account, pace.quoteMs, stopped),
      handle: (resolved) => work.untilStored(() => receive([resolved])),
    });
  }

  function noteStatus(account: Account, event: object): void {
    const beat = heartbeat.safeParse(event).data;
    if (beat !== undefined) setOnline(account, beat.status.online);
    if (loggedOut.safeParse(event).success) setOnline(account, false);
  }

  async function store(account: Account, messages: readonly HeardEvent[]): Promise<boolean> {
    const resolved = await Promise.all(messages.map((heard) => completeEvent(heard, account, pace.quoteMs, signal)));
    if (signal.aborted) return false;
    return (await work.untilStored(async () => (await receive(resolved), true))) ?? false;
  }

  /** `onQueued`: from here on what comes has its place behind what was missed in the same chat. */
  async function catchUp(account: Account, link: OneBotLink, onQueued: () => void): Promise<void> {
    let since: number | undefined;
    // How it pages through its history depends on what it is.
    await learnDialect(account, link);
    await work.push(account, ownLane, {
      prepare: () => Promise.resolve(),
      handle: async () => (since = await work.untilStored(() => openGaps(account, parts.history, clock.now()))),
    });
    if (signal.aborted) return;
    const storeMissed = (messages: readonly HeardEvent[]) => store(account, messages);
    const tell = async (event: StoredEvent) =>
      (await work.untilStored(async () => (await receive([event]), true))) ?? false;
    if (since === undefined) return onQueued();
    await closeGaps({ account, link, since, work, store: storeMissed, tell, onQueued, pace, log, signal });
  }

  async function learnDialect(account: Account, link: OneBotLink): Promise<void> {
    const what = await ask(link, "get_version_info", version, pace.quoteMs);
    if (account.link !== link) return;
    const { ids } = account.dialect;
    account.dialect = { ...chooseDialect(readLabel(what?.app_name, 60)), ids };
    account.implementation = `${readLabel(what?.app_name, 60)} ${readLabel(what?.app_version, 60)}`.trim();
    onChange();
  }

  async function ask<T>(
    link: OneBotLink,
    action: string,
    shape: z.ZodType<T>,
    timeoutMs = pace.callMs,
  ): Promise<T | undefined> {
    const answer = await link.call(action, {}, timeoutMs);
    return answer.kind === "ok" ? shape.safeParse(answer.data).data : undefined;
  }

  async function describe(account: Account, link: OneBotLink): Promise<void> {
    const [who, how] = await Promise.all([ask(link, "get_login_info", login), ask(link, "get_status", status)]);
    account.nickname = readLabel(who?.nickname);
    // A framework in between may have turned ids into strings; then ours are written as strings, too.
    if (account.link === link && typeof who?.user_id === "string")
      account.dialect = { ...account.dialect, ids: "string" };
    // A heartbeat that came in the meantime is newer than this answer.
    if (account.link === link && how !== undefined && account.online === undefined) setOnline(account, how.online);
    onChange();
  }

  return (socket, { selfId, onKnown }) => {
    let account: Account | undefined;
    let queued = false;
    const early: object[] = [];
    const link = createOneBotLink({
      socket,
      onEvent: hear,
      onLife,
      dialect: () => (account?.link === link ? account.dialect : unknownDialect),
      pace,
      log,
    });

    function hear(event: object): void {
      const reading = performance.now();
      takeOrKeep(event);
      account?.clockOffset.note(event, reading);
    }

    function keep(event: object): void {
      if (early.length < earlyLimit) early.push(event);
      else log.error({ account: account?.id, rule: "too_many" }, "an event was dropped: it came too early");
    }

    function takeOrKeep(event: object): void {
      if (account === undefined) {
        keep(event);
        const id = readPositiveId(anyEvent.safeParse(event).data?.self_id);
        if (id !== undefined) introduce(id);
        return;
      }
      const read = readStored(account, event);
      if (read === undefined) return;
      if (queued) take(account, { event: read, raw: event });
      else keep(event);
    }

    function introduce(id: string): void {
      if (account !== undefined) return;
      const known = accounts.attach(id, link);
      account = known;
      log.info({ account: id }, "a QQ account is connected");
      onKnown?.();
      onChange();
      onBack(id);
      const takeEarly = () => {
        for (const event of early.splice(0)) takeOrKeep(event);
      };
      // Only messages have to wait for their place behind what was missed.
      takeEarly();
      const onQueued = () => {
        queued = true;
        takeEarly();
      };
      catchUp(known, link, onQueued).catch((error: unknown) =>
        log.error({ err: error }, "what was missed could not be read"),
      );
      describe(known, link).catch((error: unknown) => log.error({ err: error }, "an account could not be described"));
    }

    /** Not every implementation sends an event when it connects. */
    async function askWho(): Promise<void> {
      const id = readPositiveId((await ask(link, "get_login_info", login))?.user_id);
      if (id !== undefined) introduce(id);
      else if (account === undefined) link.end({ kind: "lost", reason: "it does not say which QQ account it is" });
    }

    function open(): void {
      if (selfId !== undefined) return introduce(selfId);
      askWho().catch((error: unknown) => link.end({ kind: "lost", reason: describeError(error) }));
    }

    if (socket.readyState === socket.OPEN) open();
    else socket.once("open", open);
    void link.ended.then((how) => {
      if (account?.link !== link) return;
      account.link = undefined;
      log.info({ account: account.id, how }, "the connection of a QQ account ended");
      onChange();
    });
    return link;
  };
}
