import type { PersonaSound } from "../core/persona/persona.ts";
import type { ChannelCapabilities, SpeechFormat } from "./channel-capabilities.ts";
import type { ChannelHealth } from "./channel-health.ts";
import type { JsonObject } from "../core/conversation.ts";
import type { ToolActivity } from "./tool-activity.ts";
import type { Attachment, FetchedFile, FileSource } from "./attachment.ts";

/** The words between a chat platform and the gateway. A channel knows platform ids only, never sessions or turns' insides. */

/** A place people talk in. Ids are strings, also where the platform counts. */
export interface ChatAddress {
  readonly platform: string;
  /** Our own account there: the bot's numeric id, the QQ number, or `local`. */
  readonly account: string;
  readonly chat: string;
  /** Topic or forum thread, null where there is none. */
  readonly thread: string | null;
}

export interface Sender {
  /** The platform's own user id; never a display name. */
  readonly id: string;
  readonly name: string;
  /** Only a person may decide. anonymous = an anonymous admin, a channel post, a linked chat. */
  readonly kind: "person" | "bot" | "anonymous";
  /** BCP 47 tag, if the platform reports it. */
  readonly locale?: string;
  /** They run the group this was written in, according to the platform; absent when the event does not say. */
  readonly administrator?: boolean;
}

interface InboundBase {
  /** Unique within (platform, account); the same key again is the same event. */
  readonly key: string;
  readonly address: ChatAddress;
  readonly sender: Sender;
  /** When it was written by the platform's clock, milliseconds (platforms count whole seconds). */
  readonly sentAt: number;
  /** The id that the platform has for the chat today, where the address keeps the one it had first. */
  readonly movedTo?: string;
}

export interface InboundMessage extends InboundBase {
  readonly kind: "message";
  readonly chatKind: "private" | "group";
  /** Set when others can read a private chat, such as the administrators of a channel. Confidential notices are not sent there. */
  readonly isOverlooked?: true;
  /** The group's name as its people chose it, one line; absent when the platform does not report it. */
  readonly chatTitle?: string;
  readonly messageId: string;
  /** The text, or the caption of a picture or file; "" when there is none. */
  readonly text: string;
  /** The user only opened the chat and sent nothing. Absent for real messages. */
  readonly opening?: true;
  /** Attachments, in order. */
  readonly attachments: readonly Attachment[];
  /** The message this one quotes. `fromUs` when we wrote it; `forwarded` when its text is what others wrote elsewhere, at any length. */
  readonly quote?: {
    readonly messageId: string;
    readonly fromUs: boolean;
    readonly text: string;
    /** The files sent with its text, where the platform reports them. */
    readonly attachments?: readonly Attachment[];
    readonly forwarded?: true;
  };
  /** It addresses us: @mention, a reply to us, a /command@us; always true in private. */
  readonly addressed: boolean;
  readonly edited: boolean;
  readonly forwarded: boolean;
  /** The text is a caption. */
  readonly caption: boolean;
  /** It came together with others that have the same value; together they are one message, with one caption. */
  readonly album?: string;
  /** Written through another bot (inline mode). */
  readonly viaBot: boolean;
  /** Calls that a command ordered: the turn begins with the gate's verdict on them; the text says it for the model. No channel sets it. */
  readonly ordered?: readonly { readonly name: string; readonly arguments: JsonObject }[];
  /** 「改成 …」: the id of the question whose calls the text changes. No channel sets it. */
  readonly changes?: string;
}

/** A pressed button. `data` is what the button carried; `answer` closes the platform's spinner with a short toast. */
export interface ButtonPress extends InboundBase {
  readonly kind: "press";
  readonly messageId: string;
  readonly data: string;
  readonly pressId: string;
}

/**
 * A user reacted to a message. `emoji` = the user's reactions there now, as signs or as names in brackets; [] = taken
 * away.
 */
export interface InboundReaction extends InboundBase {
  readonly kind: "reaction";
  readonly messageId: string;
  readonly emoji: readonly string[];
}

/** The chat itself changed: it has another id, the bot was removed from it or blocked, or is a member again. */
export interface ChatChange extends InboundBase {
  readonly kind: "chat";
  readonly change:
    | { readonly kind: "moved"; readonly to: string }
    /** `reason` is the platform's, one line. */
    | { readonly kind: "gone"; readonly reason: string }
    | { readonly kind: "back" };
}

/** Another user is no member of the group any more: they left, or were removed. The sender is the user who left. */
export interface MemberLeft extends InboundBase {
  readonly kind: "left";
}

/** A user pressed the platform's own stop button of a running reply. */
interface StopPress extends InboundBase {
  readonly kind: "stop";
  readonly turn: string;
}

/**
 * A message was taken back. The sender is the user who took it back; `administrator` = not its author, but a user who
 * runs the group.
 */
export interface MessageRecall extends InboundBase {
  readonly kind: "recall";
  readonly messageId: string;
}

/**
 * A user wants to be a friend, to join a group that the bot runs, or to have the bot in a group: `address` is that
 * chat.
 */
export interface ContactRequestEvent extends InboundBase {
  readonly kind: "request";
  readonly request: "friend" | "join" | "invitation";
  /** The platform's own reference. */
  readonly flag: string;
  /** A single line that a stranger wrote. */
  readonly comment: string;
}

/** More was written in a chat while there was no connection than can be read afterwards. */
export interface MissedMessages extends InboundBase {
  readonly kind: "missed";
}

/** An event that asks nothing of us; `rule` names why. */
interface IgnoredEvent {
  readonly kind: "ignored";
  readonly key: string;
  readonly rule: string;
}

/** An event that the inbox keeps. Each kind has its handler in kernel/inbox/dispatch.ts. */
export type StoredEvent =
  | InboundMessage
  | ButtonPress
  | InboundReaction
  | MessageRecall
  | ChatChange
  | MemberLeft
  | StopPress
  | ContactRequestEvent
  | MissedMessages;

export type InboundEvent = StoredEvent | IgnoredEvent;

/** How an answer to a request ended. later = it never left; unknown = it may have arrived or not. Reasons are one line. */
export type RequestAnswer =
  | { readonly kind: "done" }
  | { readonly kind: "refused" | "later" | "unknown"; readonly reason: string };

/** The outcome of a press. over = it was too late for it. */
export type PressResult = "done" | "forbidden" | "over" | "failed";

export interface Choice {
  readonly label: string;
  /** At most 64 bytes. */
  readonly data: string;
  readonly style: "approve" | "reject" | "plain";
}

/** A call of a question, as shown to people. */
interface QuestionCall {
  /** Its id in the turn. */
  readonly call?: string;
  readonly tool: string;
  readonly summary: string;
}

/** A finished message on its way out. The text is Markdown unless `plain`. */
export interface OutboundMessage {
  /** The outbox row; the same id again is the same message. */
  readonly id: string;
  readonly kind: "reply" | "question" | "notice" | "file" | "voice";
  readonly address: ChatAddress;
  readonly text: string;
  readonly plain: boolean;
  /** Only for a plain text: its columns line up only in letters of one width. */
  readonly preformatted?: boolean;
  /** Only for Markdown: the platform may fold quoted lines, because no decision depends on them. */
  readonly folds?: true;
  readonly turn?: string;
  /** The inbox row that caused it; a one-shot client waits for it. */
  readonly cause?: string;
  readonly choices?: readonly Choice[];
  /** The text begins with this name, which the platform turns into a mention of the user where it can. Only for a plain text in a group. */
  readonly mention?: { readonly user: string; readonly name: string };
  /** A user waits for it: where a chat refuses it, it is delivered elsewhere. */
  readonly isReminder?: true;
  /** The platform message this one answers; used in groups. */
  readonly replyTo?: string;
  readonly question?: {
    readonly id: string;
    readonly code: string;
    readonly calls: readonly QuestionCall[];
    readonly expiresAt: number;
  };
  /** It represents this question, which is answered in another chat, in its own; the outcome replaces it. */
  readonly standsFor?: string;
  readonly error?: { readonly code: string };
  /** Only for kind `file`; the text is the caption, plain. The content is kept under the message's id. */
  readonly file?: {
    readonly name: string;
    readonly bytes: number;
    readonly sha256: string;
    /** Shown as a picture where the platform can; it may then be compressed. */
    readonly picture?: boolean;
    /** A voice message. When it may be out, the channel must answer `unknown` rather than risk a second copy. */
    readonly voice?: boolean;
  };
  /** Only for kind `voice`: the words are turned into sound when the message goes out. Where that fails, `text` is sent instead. */
  readonly speech?: { readonly text: string; readonly format: SpeechFormat; readonly sound?: PersonaSound };
  /** Said on the way; more comes from the same cause. */
  readonly partial?: boolean;
}

export type FileMessage = OutboundMessage & { readonly file: NonNullable<OutboundMessage["file"]> };

/** A running turn: everything shown so far, whole. A later view replaces an earlier one; views may be dropped. */
export interface LiveView {
  readonly turn: string;
  readonly cause: string;
  readonly address: ChatAddress;
  readonly text: string;
  readonly tools: readonly ToolActivity[];
}

/**
 * How a delivery ended. refused = never try again; later = try again after that many milliseconds; unknown = it may be
 * out or not, and the platform cannot say: not sent again by itself.
 */
export type Delivery =
  /**
   * `sentAt` = when it went out by the platform's own clock (the one of InboundMessage), milliseconds. `whole` = the parts
   * after this one went with it.
   */
  | { readonly kind: "sent"; readonly messageId: string; readonly sentAt?: number; readonly whole?: true }
  | { readonly kind: "refused"; readonly reason: string }
  /** `untried` = it only waits its turn: no failed attempt. `outage` = nothing at all can be sent now: it waits for days. */
  | {
      readonly kind: "later";
      readonly afterMs: number;
      readonly reason: string;
      readonly untried?: true;
      readonly outage?: true;
    }
  | { readonly kind: "unknown"; readonly reason: string; readonly whole?: true }
  /** No one is there to read it (a terminal that is closed); kept until a client comes back. */
  | { readonly kind: "absent" };

/** An emoji that the bot puts under a message of another user: received, done, failed; none takes it away. */
export type Mark = "seen" | "done" | "failed" | "none";

/** Messages of people, oldest first. `older` = there may be more before them; pass it to get the next page. */
export type HistoryPage =
  | {
      readonly kind: "page";
      readonly address: ChatAddress;
      readonly messages: readonly InboundMessage[];
      readonly older?: string;
    }
  /** It cannot be fetched; the reason is one line. */
  | { readonly kind: "unavailable"; readonly reason: string };

/** The page of a chat's history: the newest, or the one before. */
export interface HistoryPlace {
  readonly count: number;
  /** From the page before: the account of the history, and where that page began. Absent for the newest page. */
  readonly after?: { readonly account: string; readonly older: string };
}

/** Pages of what a platform keeps of a chat, backwards. Never throws. */
export type ReadHistory = (chat: string, page: HistoryPlace) => Promise<HistoryPage>;

/**
 * A chat platform: Telegram, QQ by OneBot, the command line.
 * `start` resolves once the channel supervises itself; it reconnects on its own and only reports through `health`.
 */
export interface Channel {
  readonly platform: string;
  readonly capabilities: ChannelCapabilities;
  /**
   * Starts receiving. `receive` resolves when the events are safely stored: only then may the platform get its
   * confirmation.
   */
  start(
    receive: (events: readonly InboundEvent[]) => Promise<void>,
    /** A client came back to a place where `send` had answered absent; or one of our accounts can send again. */
    onPresence: (address: ChatAddress) => void,
    onReconnect?: (account: string) => void,
  ): Promise<void>;
  /** Takes nothing in any more. `send` goes on working: what is being done must still reach people. */
  stopReceiving(): Promise<void>;
  /** Ends everything; a second call does nothing. */
  stop(): Promise<void>;
  /** The parts one message must be sent in, in order (platform length limits; entities stay whole). */
  split(message: OutboundMessage): readonly string[];
  /**
   * Sends one part of a message, `index` counted from 0. The last part carries the choices.
   * `previewId` is the message a live view already made; the first part then edits it. `writtenAt` is given if an earlier
   * process may have sent this part and died before it wrote that down: it is not out before then (our clock, milliseconds).
   */
  send(
    message: OutboundMessage,
    part: { text: string; index: number; last: boolean; writtenAt?: number },
    previewId?: string,
  ): Promise<Delivery>;
  /** Sends a message of kind `file`. `path` holds the content, on this machine, and does not change. */
  sendFile(message: FileMessage, path: string): Promise<Delivery>;
  /** Fetches what came with a message, at most `maxBytes`. Platforms whose messages carry no files leave it out. */
  fetchFile?(
    address: ChatAddress,
    source: FileSource,
    limits: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<FetchedFile>;
  /** Shows a running turn, best effort. Answers the id of the message that carries it, if the platform made one. */
  show?(view: LiveView, previewId?: string): Promise<string | undefined>;
  /** How long a turn has something to show, milliseconds, before `show` is called first: a short answer is whole by then. */
  firstViewMs?(address: ChatAddress): number;
  /**
   * Replaces a sent question by its outcome, a plain line, and takes the buttons away. Platforms without edits leave it out:
   * there the line is sent as a message.
   */
  close?(address: ChatAddress, messageId: string, text: string): Promise<Delivery>;
  /** Replaces the buttons of a sent question. Platforms without buttons leave it out. */
  relabel?(address: ChatAddress, messageId: string, choices: readonly Choice[]): Promise<Delivery>;
  /** Ends the spinner of a pressed button with a short text (at most 200 characters), or with what the platform has for it. */
  answerPress?(press: ButtonPress, text: string, result?: PressResult): Promise<void>;
  /** Marks another user's message, in place of an earlier mark of ours. Best effort, never throws. */
  react?(address: ChatAddress, messageId: string, mark: Mark): Promise<void>;
  /** Takes a message of ours back. One that is gone already counts as taken back. */
  remove?(address: ChatAddress, messageId: string): Promise<Delivery>;
  /** "… is typing", for a few seconds; the channel drops what comes too often. Best effort, never throws. */
  showTyping?(address: ChatAddress): Promise<void>;
  /** Accepts or declines a request. Never throws. Platforms without requests leave it out. */
  answerRequest?(
    address: ChatAddress,
    request: Pick<ContactRequestEvent, "request" | "flag">,
    approve: boolean,
  ): Promise<RequestAnswer>;
  /**
   * Whether a user runs this group on the platform; false where groups have no administrators, or there is no answer.
   * Never throws.
   */
  isAdministrator?(address: ChatAddress, user: string): Promise<boolean>;
  /** Whether a client of this chat is connected to this process. Channels without clients of their own leave it out. */
  hasClient?(session: string): boolean;
  /** Whether one of them waits for this message, or no client anywhere does. */
  hasAsker?(message: OutboundMessage): boolean;
  /**
   * Removes files that the channel itself keeps of these users (ids of the platform) in the data folder; `alone` = no
   * other user has a chat there. Answers how many. Channels that keep none leave it out.
   */
  eraseFiles?(users: readonly string[], alone: boolean): Promise<number>;
  /** Removes the files that the channel itself keeps of this chat. Answers how many. Channels that keep none leave it out. */
  eraseChatFiles?(address: ChatAddress): Promise<number>;
  /** The platform's own history of a chat. Platforms without access to it leave it out. */
  readHistory?: ReadHistory;
  health(): ChannelHealth;
}
