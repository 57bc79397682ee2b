/** The words of the fake QQ account. People, groups and messages have numbers here, whatever goes over the wire. */

export type FakeQqChat = `private:${number}` | `group:${number}`;

/** A piece of a message in OneBot's array form. */
export interface FakeSegment {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface FakeQqPerson {
  readonly id: number;
  readonly name?: string;
  /** Name in the group. */
  readonly card?: string;
  readonly role?: "owner" | "admin" | "member";
}

export interface FakeQqMessage {
  readonly chat: FakeQqChat;
  readonly messageId: number;
  readonly from: number;
  readonly fromBot: boolean;
  readonly segments: readonly FakeSegment[];
  /** The text segments, joined. */
  readonly text: string;
  /** Whom it mentions: numbers, or `all`. */
  readonly ats: readonly string[];
  readonly replyTo: number | undefined;
  /** The file in it. */
  readonly file: { readonly name: string; readonly content: Buffer } | undefined;
  /** Seconds since 1970-01-01 UTC. */
  readonly time: number;
  /** Number within its chat, counted up. */
  readonly sequence: number;
  readonly anonymous: boolean;
  /** Said in a temporary session that was opened from this group. */
  readonly temp: number | undefined;
  recalled: boolean;
}

export interface FakeQqText {
  readonly chat: FakeQqChat;
  /** In private the person of the chat by default. */
  readonly from?: FakeQqPerson;
  readonly text?: string;
  readonly at?: readonly (number | "all")[];
  readonly replyTo?: number;
  /** Instead of text, at and replyTo. */
  readonly segments?: readonly FakeSegment[];
  readonly anonymous?: boolean;
  readonly temp?: number;
  /** More fields of the event. */
  readonly extra?: FakeParams;
}

/** Which implementation the account runs on: each refuses what the real one refuses. */
export type FakeImplementation = "napcat" | "llbot" | "lagrange" | "gocqhttp";

export interface FakeOneBotSettings {
  readonly implementation: FakeImplementation;
  /** How far the clock of QQ's servers is ahead of this machine's (NapCat's and ours), milliseconds. */
  clockAheadMs: number;
  readonly selfId: number;
  readonly nickname: string;
  /** "" = none is asked for. */
  readonly token: string;
  /** What a wrong token meets: NapCat lets the client in, tells it and closes; others answer HTTP 401. */
  badToken: "napcat" | "401";
  /** How messages are written in events and results. */
  messageFormat: "array" | "string";
  /** How ids are written. Numbers are the rule; frameworks in between make strings of them. */
  ids: "number" | "string";
  negativeMessageIds: boolean;
  /** Events of what the bot itself sends. */
  reportSelf: boolean;
  /** 0 = none. */
  readonly heartbeatMs: number;
  /** What a quote of an unknown message meets: NapCat sends the message without the quote. */
  lostReply: "refuse" | "drop";
  /** Characters of one message. The platform's own limit is not published; about 5,000 is what people report. */
  maxText: number;
}

/** One request of a client, in order. */
export interface FakeOneBotCall {
  readonly action: string;
  readonly params: FakeParams;
  readonly echo: unknown;
  /** Number of the connection it came by. */
  readonly connection: number;
  /** Undefined while it runs, and for ever when no answer is given. */
  retcode: number | undefined;
  message: string;
}

/** What happens to one call instead of, or besides, being answered. `taken`: it has its effect first. */
export type FakeOneBotFault =
  | { readonly kind: "refuse"; readonly retcode: number; readonly message?: string; readonly taken?: boolean }
  | { readonly kind: "swallow"; readonly taken: boolean }
  | { readonly kind: "late"; readonly until: Promise<void> }
  | { readonly kind: "double" }
  | { readonly kind: "wrongEcho" }
  | { readonly kind: "close"; readonly taken: boolean };

export type FakeParams = Readonly<Record<string, unknown>>;

export interface FakeHandshake {
  readonly side: "forward" | "reverse";
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly accepted: boolean;
}

/** A refusal with OneBot's number and NapCat's words. */
export class OneBotRefusal extends Error {
  readonly retcode: number;

  constructor(retcode: number, message: string) {
    super(message);
    this.retcode = retcode;
  }
}

/** NapCat's words when QQ answered, and the answer was no. */
export function refusedByQq(result: number, message: string): OneBotRefusal {
  return new OneBotRefusal(1200, `EventChecker Failed: ${sending}\n${JSON.stringify({ result, errMsg: message })}`);
}

const sending =
  "NTEvent serviceAndMethod:NodeIKernelMsgService/sendMsg ListenerName:NodeIKernelMsgListener/onMsgInfoListUpdate EventRet:";

/** NapCat's words when QQ did not report the message: it may be out or not. */
export const sendTimedOut = `Timeout: ${sending}\n${JSON.stringify({ result: 0, errMsg: "" })}`;

export function chatOf(kind: "private" | "group", id: number): FakeQqChat {
  return `${kind}:${id}`;
}

export function splitChat(chat: FakeQqChat): { readonly kind: "private" | "group"; readonly id: number } {
  const [kind, id] = chat.split(":");
  return { kind: kind === "group" ? "group" : "private", id: Number(id) };
}
