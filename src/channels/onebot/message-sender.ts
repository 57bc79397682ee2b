import type { Logger } from "pino";
import { z } from "zod";
import { sleep } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import type { Delivery, FileMessage, OutboundMessage } from "../types.ts";
import type { Account, Accounts } from "./account.ts";
import type { ActionAnswer } from "./action-answer.ts";
import { buildSendCall, buildUploadCall, type MessageFormat, type SendContent } from "./build-send-call.ts";
import { readChat, type QqChat } from "./chat.ts";
import type { FileLinks } from "./file-links.ts";
import { findOwnMessage, type IsOwnMessageKnown, type Likeness, type SendStart } from "./find-own-message.ts";
import { handOverFile, type HandedOver } from "./hand-over-file.ts";
import type { OneBotPace } from "./onebot-pace.ts";
import { renderText } from "../markdown/render-text.ts";
import { createSendPacer, type SendPace, type SendPacer } from "../send-pace.ts";
import { judgeSend } from "./judge-send.ts";
import { toWireId } from "./wire-id.ts";

interface MessagePart {
  readonly text: string;
  readonly index: number;
  readonly last: boolean;
  readonly writtenAt?: number;
}

/** A part that is not out yet though it was tried. */
interface Attempt {
  /** When its sending began without a clear end; undefined = it is known not to be out. */
  readonly since: SendStart | undefined;
  /** How often it was found missing. From the first time on it goes without the quote and the @, which may be the reason. */
  readonly missed: number;
}

const attemptsKept = 1_000;
/** After so many refusals a message is given up (muted, a banned address); the chat must go on. */
const maxMissed = 8;
const reconnectMs = 2_000;
/** A file of many megabytes on a slow line. */
const uploadLimitMs = 300_000;
/** Its messages are put together at QQ first. */
const forwardLimitMs = 60_000;
const maxNodes = 100;
const loggedOutMs = 30_000;

export interface MessageSender {
  readonly send: (message: OutboundMessage, part: MessagePart) => Promise<Delivery>;
  readonly sendFile: (message: FileMessage, path: string) => Promise<Delivery>;
}

/**
 * Finished messages on their way out. When nobody can say whether one is out, the chat's history is looked at before
 * anything is sent again: a second copy is worse than a late message.
 */
export function createMessageSender(parts: {
  readonly accounts: Accounts;
  readonly format: () => MessageFormat;
  /** Texts of so many characters go as one merged forward instead of several messages; 0 = none do. */
  readonly forwardFrom: () => number;
  /** The parts of a text, in order. */
  readonly split: (message: OutboundMessage) => readonly string[];
  /** undefined = nobody told how the QQ side reaches us. */
  readonly links: FileLinks | undefined;
  readonly pace: OneBotPace;
  readonly sendPace: () => SendPace;
  readonly isOwnMessageKnown: IsOwnMessageKnown;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}): MessageSender {
  const { accounts, format, pace, clock, log, signal } = parts;
  const looking = { isKnown: parts.isOwnMessageKnown, timeoutMs: pace.historyMs };
  const pacers = new Map<string, SendPacer>();
  const attempts = new Map<string, Attempt>();
  /** Files that have to go once more, and whose caption is out. */
  const captioned = new Set<string>();
  /** Texts that did not go as a forward: their parts go one by one. */
  const unforwarded = new Set<string>();

  /** Waits until this account may send there; false = stopped meanwhile. */
  async function takeTurn(account: string, place: QqChat): Promise<boolean> {
    const pacer = pacers.get(account) ?? createSendPacer(parts.sendPace, signal);
    pacers.set(account, pacer);
    const isGroup = place.kind === "group";
    const permit = await pacer.take({ chat: `${place.kind} ${place.id}`, isGroup, rank: "message" });
    if (permit.kind !== "go") return false;
    permit.ended();
    return true;
  }

  function remember(key: string, attempt: Attempt): void {
    attempts.set(key, attempt);
    const [oldest] = attempts.keys();
    if (attempts.size > attemptsKept && oldest !== undefined) attempts.delete(oldest);
  }

  /** Answers undefined when the part is known not to be out. */
  async function lookForPart(
    key: string,
    account: Account,
    chat: string,
    like: Likeness,
  ): Promise<Delivery | undefined> {
    const since = attempts.get(key)?.since;
    if (since === undefined) return undefined;
    const seen = await findOwnMessage(account, readChat(chat), { like, since }, looking);
    switch (seen.kind) {
      case "out":
        attempts.delete(key);
        account.sent.add(chat, seen.messageId, wordsOf(like));
        return { kind: "sent", messageId: seen.messageId, sentAt: seen.sentAt };
      case "unclear":
        attempts.delete(key);
        return { kind: "unknown", reason: `it may be out or not, and its history cannot tell: ${seen.reason}` };
      case "disconnected":
        return {
          kind: "later",
          afterMs: reconnectMs,
          reason: "whether it is out can be seen once QQ is connected again",
          outage: true,
        };
      case "absent":
        return undefined;
    }
  }

  /** Looks for a part that an earlier process may have sent. Where no history tells, it is sent: most never were. */
  async function lookForOlder(
    key: string,
    account: Account,
    chat: string,
    like: Likeness,
    writtenAt: number,
  ): Promise<Delivery | undefined> {
    const since = { reading: performance.now() - (clock.now() - writtenAt), now: writtenAt };
    attempts.set(key, { since, missed: 0 });
    const seen = await lookForPart(key, account, chat, like);
    if (seen?.kind === "sent") return seen;
    attempts.delete(key);
    return seen?.kind === "later" ? seen : undefined;
  }

  /** A message may show in the history a moment after its sending failed. */
  async function settleDoubt(key: string, account: Account, chat: string, like: Likeness): Promise<Delivery> {
    const missed = (attempts.get(key)?.missed ?? 0) + 1;
    for (const pause of pace.doubtMs) {
      if (!(await sleep(pause, signal))) return stoppedDelivery;
      const seen = await lookForPart(key, account, chat, like);
      if (seen !== undefined) return seen;
    }
    if (missed >= maxMissed) {
      attempts.delete(key);
      return { kind: "refused", reason: `QQ did not take it ${maxMissed} times, as its history shows` };
    }
    remember(key, { since: undefined, missed });
    return { kind: "later", afterMs: reconnectMs, reason: "QQ did not take it, as its history shows" };
  }

  async function settleSend(
    answer: ActionAnswer,
    sending: {
      key: string;
      account: Account;
      chat: string;
      like: Likeness;
      since: SendStart;
      missed: number;
      /** It carries a part that it can do without. */
      isAdorned: boolean;
    },
  ): Promise<Delivery> {
    const { key, account, chat, like, since, missed, isAdorned } = sending;
    const verdict = judgeSend(answer);
    const sentAt = account.clockOffset.toTheirs(performance.now());
    if (verdict.kind === "doubtful") {
      log.warn({ account: account.id, chat, reason: verdict.reason }, "whether a message is out is not known");
      remember(key, { since, missed });
      return settleDoubt(key, account, chat, like);
    }
    if (verdict.kind === "refused" && isAdorned) {
      log.info({ account: account.id, chat, reason: verdict.reason }, "a message goes once more without quote and @");
      remember(key, { since: undefined, missed: missed + 1 });
      return { kind: "later", afterMs: 0, reason: verdict.reason };
    }
    attempts.delete(key);
    if (verdict.kind !== "sent") return verdict;
    if (verdict.messageId !== "") account.sent.add(chat, verdict.messageId, wordsOf(like));
    return { ...verdict, ...(sentAt !== undefined && { sentAt }) };
  }

  /** `write` makes the content once it is its turn: a file is not read for a chat that has to wait. */
  async function deliver(
    message: OutboundMessage,
    index: number,
    like: Likeness,
    write: (missed: number) => Promise<Prepared>,
    writtenAt?: number,
  ): Promise<Delivery> {
    const { account: accountId, chat } = message.address;
    const key = `${message.id} ${index}`;
    const account = accounts.find(accountId);
    if (signal.aborted) return stoppedDelivery;
    if (account?.link === undefined) return notConnected(accountId);
    if (account.online === false) {
      return { kind: "later", afterMs: loggedOutMs, reason: `QQ account ${accountId} is logged out`, outage: true };
    }
    const seen =
      writtenAt === undefined || attempts.has(key)
        ? await lookForPart(key, account, chat, like)
        : await lookForOlder(key, account, chat, like, writtenAt);
    if (seen !== undefined) return seen;
    const place = readChat(chat);
    const missed = attempts.get(key)?.missed ?? 0;
    const quotes = like.kind === "text" && place.kind === "group" && index === 0 && missed === 0;
    const replyTo = quotes ? message.replyTo : undefined;
    if (wordsOf(like).trim() === "") return { kind: "refused", reason: "there is nothing in it to send" };
    if (!(await takeTurn(accountId, place))) return stoppedDelivery;
    const prepared = await write(missed);
    if (prepared.kind === "failed") return { kind: "later", afterMs: reconnectMs, reason: prepared.reason };
    if (prepared.kind === "tooLarge") return { kind: "refused", reason: prepared.reason };
    const since = { reading: performance.now(), now: clock.now() };
    try {
      const answer = await call(account, place, prepared.content, replyTo);
      const { content } = prepared;
      const isAdorned = replyTo !== undefined || (content.kind === "text" && content.at !== undefined);
      return await settleSend(answer, { key, account, chat, like, since, missed, isAdorned });
    } finally {
      prepared.done?.();
    }
  }

  async function call(
    account: Account,
    place: QqChat,
    content: SendContent,
    replyTo: string | undefined,
  ): Promise<ActionAnswer> {
    if (content.kind === "file" && account.dialect.files === "upload") {
      const upload = buildUploadCall(place, content);
      return account.link?.call(upload.action, upload.params, uploadLimitMs, signal) ?? unsent;
    }
    const { action, params } = buildSendCall(place, content, { format: format(), replyTo, writer: account });
    if (content.kind === "text") return account.link?.call(action, params) ?? unsent;
    if (content.kind === "forward") return account.link?.call(action, params, forwardLimitMs, signal) ?? unsent;
    const answer = await (account.link?.call(action, params, uploadLimitMs, signal) ?? unsent);
    // Some know files by an action of their own only, and say that they do not know the segment.
    if (answer.kind !== "failed" || judgeSend(answer).kind !== "refused") return answer;
    const upload = buildUploadCall(place, content);
    return account.link?.call(upload.action, upload.params, uploadLimitMs, signal) ?? unsent;
  }

  /** undefined = it is known not to be out; its parts can go. */
  async function deliverForward(message: OutboundMessage, writtenAt?: number): Promise<Delivery | undefined> {
    const texts = parts.split(message).map((text) => (message.plain ? text.toWellFormed() : renderText(text)));
    if (texts.length > maxNodes) return undefined;
    const like = { kind: "forward", name: message.text.slice(0, excerpt).toWellFormed() } as const;
    const write = async () => ({ kind: "ready", content: { kind: "forward", texts } }) as const;
    const delivery = await deliver(message, 0, like, write, writtenAt);
    const missed = attempts.get(`${message.id} 0`)?.missed ?? 0;
    const isAbsent = delivery.kind === "refused" || (delivery.kind === "later" && missed > 0);
    if (!isAbsent)
      return delivery.kind === "sent" || delivery.kind === "unknown" ? { ...delivery, whole: true } : delivery;
    log.info({ chat: message.address.chat, reason: delivery.reason }, "a long text does not go as a forward");
    attempts.delete(`${message.id} 0`);
    unforwarded.add(message.id);
    if (unforwarded.size > attemptsKept) unforwarded.clear();
    return undefined;
  }

  function goesAsForward({ id, kind, question, standsFor, text }: OutboundMessage, part: MessagePart): boolean {
    // A message that asks for an answer must stand where people can quote it.
    if (question !== undefined || standsFor !== undefined || kind === "question") return false;
    const forwardFrom = parts.forwardFrom();
    const isLong = forwardFrom > 0 && text.length >= forwardFrom;
    return isLong && part.index === 0 && !part.last && !unforwarded.has(id);
  }

  return {
    async send(message, part) {
      const forwarded = goesAsForward(message, part) ? await deliverForward(message, part.writtenAt) : undefined;
      if (forwarded !== undefined) return forwarded;
      const { mention } = message;
      const whole = message.plain ? part.text.toWellFormed() : renderText(part.text);
      const isFirstTry = (attempts.get(`${message.id} ${part.index}`)?.missed ?? 0) === 0;
      // QQ shows the name itself, and its history has only the text.
      const calls =
        isFirstTry &&
        mention !== undefined &&
        part.index === 0 &&
        whole.startsWith(mention.name) &&
        isUser(mention.user);
      const words = { kind: "text", text: calls ? whole.slice(mention.name.length) : whole } as const;
      const content = calls ? { ...words, at: mention.user } : words;
      const write = async () => ({ kind: "ready", content }) as const;
      const delivery = await deliver(message, part.index, words, write, part.writtenAt);
      const account = accounts.find(message.address.account);
      if (message.question === undefined || delivery.kind !== "sent" || account === undefined) return delivery;
      const prompt = { messageId: delivery.messageId, measured: delivery.sentAt, now: clock.now() };
      return { ...delivery, sentAt: await datePrompt(account, prompt, { timeoutMs: pace.quoteMs, signal }) };
    },
    // QQ shows no caption with a file: it goes first, so that a crash in between repeats the words and not the file.
    async sendFile(message, path) {
      const { file, text } = message;
      if (text.trim() !== "") {
        const words = { kind: "text", text: text.toWellFormed() } as const;
        const write = async () => ({ kind: "ready", content: words }) as const;
        const said = captioned.has(message.id) ? undefined : await deliver(message, 0, words, write);
        if (said !== undefined && said.kind !== "sent" && said.kind !== "unknown") return said;
        captioned.add(message.id);
      }
      const kind = file.voice === true ? "record" : file.picture === true ? "picture" : "file";
      const delivery = await deliver(message, 1, { kind, name: file.name }, async (missed) => {
        const account = accounts.find(message.address.account);
        if (account === undefined) return { kind: "failed", reason: "there is no connection" };
        const to = { account, links: parts.links, plainly: missed > 0, signal };
        const handed = await handOverFile({ ...file, path }, to);
        if (handed.kind !== "ready") return handed;
        const content = { kind, name: file.name, reference: handed.reference } as const;
        return { kind: "ready", content, done: handed.done };
      });
      if (delivery.kind !== "later") captioned.delete(message.id);
      return delivery;
    },
  };
}

/** A message that is ready to be sent; `done` is called once it was. */
type Prepared =
  | { readonly kind: "ready"; readonly content: SendContent; readonly done?: () => void }
  | Exclude<HandedOver, { kind: "ready" }>;

/** Of a forward: what is kept of its words. */
const excerpt = 500;

const wordsOf = (like: Likeness): string => (like.kind === "text" ? like.text : like.name);

/** `all` would call everybody. */
const isUser = (id: string): boolean => /^\d{1,16}$/.test(id);

const unsent: ActionAnswer = { kind: "unsent", reason: "there is no connection" };
const stoppedDelivery: Delivery = { kind: "later", afterMs: 0, reason: "the channel is stopping" };

function notConnected(account: string): Delivery {
  return { kind: "later", afterMs: reconnectMs, reason: `QQ account ${account} is not connected`, outage: true };
}

const dated = z.object({ time: z.coerce.number().int().positive() });

/**
 * When a prompt went out by QQ's own clock, milliseconds: words written before it are no answer to it. QQ is asked, since
 * what we have measured of its clock may be missing (a restart) or late; else that measure counts, else our clock.
 */
async function datePrompt(
  account: Account,
  prompt: { readonly messageId: string; readonly measured: number | undefined; readonly now: number },
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<number> {
  const { messageId, measured, now } = prompt;
  const params = { message_id: toWireId(messageId) };
  const answer =
    messageId === "" ? undefined : await account.link?.call("get_msg", params, limits.timeoutMs, limits.signal);
  const told = dated.safeParse(answer?.kind === "ok" ? answer.data : undefined).data;
  return told === undefined ? (measured ?? now) : told.time * 1_000;
}
