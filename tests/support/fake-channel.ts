import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Attachment, FetchedFile, FileSource } from "../../src/channels/attachment.ts";
import type {
  ButtonPress,
  Channel,
  ChatAddress,
  ContactRequestEvent,
  RequestAnswer,
  Choice,
  Delivery,
  FileMessage,
  InboundEvent,
  InboundMessage,
  LiveView,
  Mark,
  MemberLeft,
  MessageRecall,
  OutboundMessage,
} from "../../src/channels/types.ts";

export interface SentMessage {
  /** The platform's id. */
  readonly id: string;
  readonly message: OutboundMessage;
  readonly text: string;
  /** Of a file, as it arrived. */
  readonly content?: Buffer;
  /** Counted up with every event of the channel, in or out. */
  readonly tick: number;
  /** Given if an earlier process may have sent it. */
  readonly writtenAt?: number;
}

/** A chat platform in memory. It keeps what it was given and delivers what it is told to. */
export class FakeChannel implements Channel {
  readonly platform: string;
  /** A test may change what it is about. */
  readonly capabilities = {
    streaming: "draft" as "draft" | "none",
    buttons: true,
    edit: true,
    reactions: true,
    removal: true,
    textLimit: 4_000,
    fileLimit: 1_000_000,
    voice: "mp3" as const,
    displays: false,
    idsDifferByChat: false,
  };
  readonly sent: SentMessage[] = [];
  readonly views: LiveView[] = [];
  readonly closed: { readonly messageId: string; readonly text: string }[] = [];
  readonly relabelled: { readonly messageId: string; readonly labels: readonly string[] }[] = [];
  readonly toasts: string[] = [];
  readonly removed: string[] = [];
  /** Answered by `show`: the message that carries the view. */
  previewId: string | undefined;
  /** Marks, in order. */
  readonly marks: { readonly messageId: string; readonly mark: Mark }[] = [];
  /** Where typing was shown. */
  readonly typing: ChatAddress[] = [];
  /** Replaces the delivery of a part; undefined = it arrives. */
  onSend: (message: OutboundMessage, index: number) => Promise<Delivery | undefined> | Delivery | undefined = () =>
    undefined;
  /** Who runs which group: `<chat> <user>`. */
  readonly administrators = new Set<string>();
  /** What can be fetched, by the `id` of its source; anything else is gone. */
  readonly files = new Map<string, FetchedFile>();
  /** Called when a file is fetched. */
  onFetch: (source: FileSource) => Promise<void> = () => Promise.resolve();
  readonly fetched: FileSource[] = [];
  onShow: () => Promise<void> = () => Promise.resolve();
  tick = 0;
  #receive: ((events: readonly InboundEvent[]) => Promise<void>) | undefined;
  #lastId = 0;
  /** Says that an account can send again. */
  comeBack: (account: string) => void = () => undefined;

  constructor(platform = "fake") {
    this.platform = platform;
  }

  start(
    receive: (events: readonly InboundEvent[]) => Promise<void>,
    _?: unknown,
    onReconnect: (account: string) => void = () => undefined,
  ): Promise<void> {
    this.#receive = receive;
    this.comeBack = onReconnect;
    return Promise.resolve();
  }

  isAdministrator({ chat }: ChatAddress, user: string): Promise<boolean> {
    return Promise.resolve(this.administrators.has(`${chat} ${user}`));
  }

  stopReceiving(): Promise<void> {
    this.#receive = undefined;
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return this.stopReceiving();
  }

  split(message: OutboundMessage): readonly string[] {
    const parts: string[] = [];
    for (let at = 0; at < message.text.length; at += this.capabilities.textLimit)
      parts.push(message.text.slice(at, at + this.capabilities.textLimit));
    return parts.length === 0 ? [""] : parts;
  }

  async send(message: OutboundMessage, part: Parameters<Channel["send"]>[1]): Promise<Delivery> {
    const instead = await this.onSend(message, part.index);
    if (instead) return instead;
    this.#lastId += 1;
    const id = `m${this.#lastId}`;
    const { text, writtenAt } = part;
    this.sent.push({ id, message, text, tick: this.nextTick(), ...(writtenAt !== undefined && { writtenAt }) });
    return { kind: "sent", messageId: id };
  }

  async sendFile(message: FileMessage, path: string): Promise<Delivery> {
    const instead = await this.onSend(message, 0);
    if (instead) return instead;
    this.#lastId += 1;
    const id = `m${this.#lastId}`;
    this.sent.push({ id, message, text: message.text, content: await readFile(path), tick: this.nextTick() });
    return { kind: "sent", messageId: id };
  }

  async fetchFile(
    _address: ChatAddress,
    source: FileSource,
    { maxBytes }: { readonly maxBytes: number },
  ): Promise<FetchedFile> {
    this.fetched.push(source);
    await this.onFetch(source);
    const found = this.files.get(source["id"] ?? "") ?? ({ kind: "gone", reason: "HTTP 404" } as const);
    const tooLarge = found.kind === "fetched" && found.content.length > maxBytes;
    return tooLarge ? { kind: "tooLarge", limit: maxBytes } : found;
  }

  async show(view: LiveView): Promise<string | undefined> {
    await this.onShow();
    this.views.push(view);
    return this.previewId;
  }

  close(_address: ChatAddress, messageId: string, text: string): Promise<Delivery> {
    this.closed.push({ messageId, text });
    return Promise.resolve({ kind: "sent", messageId });
  }

  relabel(_address: ChatAddress, messageId: string, choices: readonly Choice[]): Promise<Delivery> {
    this.relabelled.push({ messageId, labels: choices.map(({ label }) => label) });
    return Promise.resolve({ kind: "sent", messageId });
  }

  answerPress(_press: ButtonPress, text: string): Promise<void> {
    this.toasts.push(text);
    return Promise.resolve();
  }

  remove(_address: ChatAddress, messageId: string): Promise<Delivery> {
    this.removed.push(messageId);
    return Promise.resolve({ kind: "sent", messageId });
  }

  react(_address: ChatAddress, messageId: string, mark: Mark): Promise<void> {
    this.marks.push({ messageId, mark });
    return Promise.resolve();
  }

  /** How requests were answered: `<flag> <yes or no>`. */
  readonly requestAnswers: string[] = [];
  onRequest: () => Promise<RequestAnswer> | RequestAnswer = () => ({ kind: "done" });

  async answerRequest(
    _address: ChatAddress,
    { flag }: Pick<ContactRequestEvent, "flag">,
    approve: boolean,
  ): Promise<RequestAnswer> {
    const answer = await this.onRequest();
    this.requestAnswers.push(`${flag} ${approve ? "yes" : "no"}`);
    return answer;
  }

  showTyping(address: ChatAddress): Promise<void> {
    this.typing.push(address);
    return Promise.resolve();
  }

  health() {
    return { state: "ready", since: 0, detail: "" } as const;
  }

  nextTick(): number {
    this.tick += 1;
    return this.tick;
  }

  /** Hands events in, as the platform would: resolves when they are stored. */
  async deliver(...events: InboundEvent[]): Promise<void> {
    if (!this.#receive) throw new Error("the channel was used before it was started");
    await this.#receive(events);
  }
}

export interface Said {
  readonly platform?: string;
  readonly user?: string;
  readonly chat?: string;
  readonly group?: boolean;
  /** The name of the group. */
  readonly title?: string;
  readonly key?: string;
  /** The id of a message of ours, or any quotation. */
  readonly quote?: string | NonNullable<InboundMessage["quote"]>;
  readonly edited?: boolean;
  readonly forwarded?: boolean;
  readonly caption?: boolean;
  readonly viaBot?: boolean;
  readonly addressed?: boolean;
  readonly sender?: "person" | "bot" | "anonymous";
  readonly attachments?: readonly Attachment[];
  readonly album?: string;
}

export function fakeAddress(chat: string, platform = "fake"): ChatAddress {
  return { platform, account: "bot", chat, thread: null };
}

export function makeMessage(text: string, said: Said = {}): InboundMessage {
  const { user = "owner", chat = user, group = false, key = randomUUID() } = said;
  return {
    kind: "message",
    key,
    address: fakeAddress(chat, said.platform),
    sender: { id: user, name: user, kind: said.sender ?? "person" },
    sentAt: 0,
    chatKind: group ? "group" : "private",
    ...(said.title !== undefined && { chatTitle: said.title }),
    messageId: `in-${key}`,
    text,
    attachments: said.attachments ?? [],
    ...(said.quote !== undefined && {
      quote: typeof said.quote === "string" ? { messageId: said.quote, fromUs: true, text: "" } : said.quote,
    }),
    addressed: said.addressed ?? true,
    edited: said.edited ?? false,
    forwarded: said.forwarded ?? false,
    caption: said.caption ?? false,
    viaBot: said.viaBot ?? false,
    ...(said.album !== undefined && { album: said.album }),
  };
}

export function makePress(data: string, said: Said & { readonly messageId: string }): ButtonPress {
  const { user = "owner", chat = user, key = randomUUID() } = said;
  return {
    kind: "press",
    key,
    address: fakeAddress(chat, said.platform),
    sender: { id: user, name: user, kind: said.sender ?? "person" },
    sentAt: 0,
    messageId: said.messageId,
    data,
    pressId: key,
  };
}

/** The author takes a message back, or `by` does. */
export function makeRecall(
  { address, messageId, sender }: InboundMessage,
  by: { readonly user?: string; readonly administrator?: true } = {},
): MessageRecall {
  const { user = sender.id, administrator } = by;
  return {
    kind: "recall",
    key: `recall:${messageId}:${user}`,
    address,
    sender: { id: user, name: user, kind: "person", ...(administrator && { administrator }) },
    sentAt: 0,
    messageId,
  };
}

/** Somebody leaves a group. */
export function makeLeaving(user: string, chat: string, more: Partial<MemberLeft> = {}): MemberLeft {
  const sender = { id: user, name: user, kind: "person" } as const;
  return { kind: "left", key: `left:${randomUUID()}`, address: fakeAddress(chat), sender, sentAt: 0, ...more };
}
