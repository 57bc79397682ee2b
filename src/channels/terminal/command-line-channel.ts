import { randomUUID, createHash } from "node:crypto";
import { join } from "node:path";
import { constants, copyFile, mkdir, readFile } from "node:fs/promises";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { markBadEnd } from "../command-end.ts";
import { toInboxId, toSessionId } from "../session-id.ts";
import { createAudience } from "./audience.ts";
import { eraseTerminalFiles } from "./erase-terminal-files.ts";
import { createHandedFiles } from "../handed-files.ts";
import type { Attachment, FileKind } from "../attachment.ts";
import type {
  ButtonPress,
  Channel,
  ChatAddress,
  Delivery,
  InboundEvent,
  LiveView,
  OutboundMessage,
  FileMessage,
} from "../types.ts";
import type { ToolActivity } from "../tool-activity.ts";
import type { CommandLineClient } from "./events.ts";
import { numberFileName } from "../../core/safe-file-name.ts";

const account = "local";
/** Above what is refused as too long; no more is stored. */
const maxTextLength = 32_000;
const fileLimit = 50 * 1024 * 1024;
/** The message that a file belongs to has long been handled by then. */
const keptMs = 24 * 3_600_000;

/** Kurisu's own command line: terminals in this process and clients of the socket. Chats are session names. */
export interface CommandLineChannel extends Channel {
  /** Shows a chat's messages to the client from now on. Call the answer to go away. */
  attach(client: CommandLineClient): () => void;
  /**
   * Hands in one line. Answers its id once it is safely stored; events carry it as `cause`. `from` hears the result.
   */
  say(line: CommandLine, from?: CommandLineClient): Promise<string>;
  /**
   * Decides one question by its id, as a button does. Answers the press's id; `pressed` reports the result to `from`.
   */
  press(press: CommandLinePress, from: CommandLineClient): Promise<string>;
  /** Delivers what waited for a client. After the first `say`, so that no earlier word answers a question unseen. */
  announce(chat: string): void;
}

export interface CommandLine {
  readonly chat: string;
  readonly user: string;
  readonly text: string;
  readonly files?: readonly HandedFile[];
  /** Names of things that it points to. */
  readonly links?: readonly string[];
}

/** A file that a client hands in with a line. */
export interface HandedFile {
  readonly kind: Extract<FileKind, "file" | "image" | "audio">;
  readonly name: string;
  readonly mimeType?: string;
  readonly base64: string;
}

export interface CommandLinePress {
  readonly chat: string;
  readonly user: string;
  readonly question: string;
  readonly decision: "approved" | "rejected";
}

/** How much of a turn a client has been told. */
interface Told {
  text: string;
  readonly tools: Map<string, string>;
  /** The drafts of calls that have not begun. */
  readonly written: Map<string, string>;
}

export function createCommandLineChannel(parts: {
  readonly clock: Clock;
  /** Files that are sent are put below it, under received/. */
  readonly home: string;
  readonly language: () => Language;
}): CommandLineChannel {
  const { clock, home, language } = parts;
  const audience = createAudience();
  const handed = createHandedFiles({ folder: join(home, "handed-in"), keptMs, clock });
  const told = new WeakMap<CommandLineClient, Map<string, Told>>();
  const startedAt = clock.now();
  let receive: ((events: readonly InboundEvent[]) => Promise<void>) | undefined;
  let onPresence: (address: ChatAddress) => void = () => undefined;

  const addressOf = (chat: string): ChatAddress => ({ platform: "cli", account, chat, thread: null });
  const listening = ({ chat }: ChatAddress) => audience.inChat(chat);
  const concerned = ({ address, cause, turn }: Pick<OutboundMessage, "address" | "cause" | "turn">) =>
    audience.concerned(address.chat, { cause, turn });

  function recall(client: CommandLineClient, turn: string): Told {
    const turns = told.get(client) ?? new Map<string, Told>();
    told.set(client, turns);
    const known = turns.get(turn) ?? { text: "", tools: new Map(), written: new Map() };
    turns.set(turn, known);
    return known;
  }

  function tellProgress(client: CommandLineClient, view: LiveView): void {
    const known = recall(client, view.turn);
    if (view.text.startsWith(known.text) && view.text.length > known.text.length) {
      client.onEvent({ type: "delta", text: view.text.slice(known.text.length), turn: view.turn, cause: view.cause });
      known.text = view.text;
    }
    for (const tool of view.tools) tellTool(client, known, tool, view);
  }

  function tellTool(client: CommandLineClient, known: Told, tool: ToolActivity, view: LiveView): void {
    const { cause, turn } = view;
    const { agent, display, ended, id, name, status, summary, note, timingMs } = tool;
    const by = agent === undefined ? {} : { agent };
    const base = { type: "tool", id, name, ...by, summary, turn, cause } as const;
    if (status === "writing") {
      if (known.written.get(id) === summary) return;
      known.written.set(id, summary);
      return client.onEvent({ ...base, status });
    }
    const begun = known.tools.has(id);
    const shown = note === undefined ? status : `${status} ${note}`;
    if (known.tools.get(id) === shown) return;
    known.tools.set(id, shown);
    // A denied call never began.
    if (!begun && status !== "denied") client.onEvent({ ...base, status: "started" });
    const took = timingMs === undefined ? {} : { ms: timingMs };
    const seen = { ...(ended && { mark: markBadEnd(ended) }), ...(display !== undefined && { display }) };
    if (status !== "started") client.onEvent({ ...base, status, ...took, ...seen });
    else if (note !== undefined) client.onEvent({ ...base, status, note });
  }

  function tell(client: CommandLineClient, message: OutboundMessage): void {
    const { text, cause, turn = null, question, error } = message;
    if (question) {
      const { id, code, calls, expiresAt } = question;
      const until = new Date(expiresAt).toISOString();
      client.onEvent({ type: "approval", id, code, calls, expiresAt: until, text, turn, cause });
    } else if (error) client.onEvent({ type: "error", code: error.code, message: text, cause });
    // The question of an MCP server has no line as its cause. What was shown of its turn stays known.
    else if (message.partial && cause === undefined) return client.onEvent({ type: "asked", text, turn, cause });
    else if (message.partial) tellRest(client, message);
    else client.onEvent({ type: "reply", text, ...(message.plain && { plain: true }), turn, cause });
    // A notice alongside a turn's work is not part of what the turn says.
    if (turn !== null && message.kind !== "notice") told.get(client)?.delete(turn);
  }

  /** Earlier words were shown as they came; only a client that missed them gets them now. */
  function tellRest(client: CommandLineClient, { text, plain, turn, cause }: OutboundMessage): void {
    const known = turn === undefined ? "" : recall(client, turn).text.trim();
    const rest = text.startsWith(known) ? text.slice(known.length) : text;
    if (rest === "" || cause === undefined) return;
    client.onEvent({ type: "delta", text: rest, ...(plain && { plain }), turn: turn ?? null, cause });
  }

  async function keep({ base64, kind, name, mimeType }: HandedFile): Promise<Attachment> {
    const content = Buffer.from(base64, "base64");
    const source = { id: await handed.keep(content) };
    return { kind, name, ...(mimeType !== undefined && { mimeType }), bytes: content.length, source };
  }

  /** Stores one event of a person, and answers its id. */
  async function take(
    key: string,
    { chat, user }: Pick<CommandLine, "chat" | "user">,
    from: CommandLineClient | undefined,
    build: (base: Pick<ButtonPress, "key" | "address" | "sender" | "sentAt">) => InboundEvent,
  ): Promise<string> {
    if (!receive) throw new Error("the command line was used before it was started");
    const address = addressOf(chat);
    const cause = toInboxId(address, key);
    // Before it is stored: its first events come at once.
    if (from) audience.remember(cause, from);
    const sender = { id: user, name: user, kind: "person", locale: language() } as const;
    await receive([build({ key, address, sender, sentAt: clock.now() })]);
    return cause;
  }

  return {
    platform: "cli",
    capabilities: {
      streaming: "draft",
      // For editors, which show what a question can be answered with.
      buttons: true,
      edit: true,
      reactions: false,
      removal: false,
      textLimit: Infinity,
      fileLimit,
      voice: false,
      displays: true,
    },
    async start(onReceive, onSomebody) {
      receive = onReceive;
      onPresence = onSomebody;
      await handed.start();
    },
    // People who say something now get the answer that Kurisu is stopping.
    stopReceiving: () => Promise.resolve(),
    stop() {
      handed.stop();
      audience.clear();
      return Promise.resolve();
    },
    split: (message) => [message.text],
    send(message): Promise<Delivery> {
      // A question goes to every client in the chat: an approval by any of them would answer it.
      const present = message.question ? listening(message.address) : concerned(message);
      if (present.length === 0) return Promise.resolve({ kind: "absent" });
      for (const client of present) tell(client, message);
      return Promise.resolve({ kind: "sent", messageId: message.id });
    },
    async sendFile(message, kept): Promise<Delivery> {
      if (listening(message.address).length === 0) return { kind: "absent" };
      const { cause, file, text: caption } = message;
      const path = await saveReceived(join(home, "received"), file, kept);
      const text = `${caption}\n${wordsFor(language()).file.delivered({ name: file.name, path })}`.trim();
      for (const client of concerned(message)) client.onEvent({ type: "file", text, cause });
      return { kind: "sent", messageId: message.id };
    },
    hasClient: (session) => audience.all().some(({ chat }) => toSessionId(addressOf(chat)) === session),
    hasAsker({ cause, turn }) {
      if (cause?.startsWith("cli:") === true) return audience.sayer(cause) !== undefined;
      // Something else led to it, such as a decision in the console.
      return turn === undefined || audience.isInTurn(turn);
    },
    eraseFiles: (users, alone) => eraseTerminalFiles(home, users, alone),
    show(view) {
      for (const client of concerned(view)) tellProgress(client, view);
      return Promise.resolve(undefined);
    },
    close(address, messageId, text): Promise<Delivery> {
      for (const client of listening(address))
        client.onEvent({ type: "closed", id: messageId, text, cause: undefined });
      return Promise.resolve({ kind: "sent", messageId });
    },
    health: () => ({ state: "ready", since: startedAt, detail: `${audience.all().length} connected` }),
    attach: (client) => audience.add(client),
    async say({ chat, user, text, files = [], links = [] }, from) {
      const attachments: Attachment[] = links.map((name) => ({ kind: "other", name }));
      for (const file of files) attachments.push(await keep(file));
      return take(`line:${randomUUID()}`, { chat, user }, from, (base) => ({
        ...base,
        kind: "message",
        chatKind: "private",
        messageId: base.key,
        text: text.slice(0, maxTextLength),
        attachments,
        addressed: true,
        edited: false,
        forwarded: false,
        // Words sent with a file decide nothing, as on every platform.
        caption: attachments.length > 0,
        viaBot: false,
      }));
    },
    press: ({ chat, user, question, decision }, from) =>
      take(`press:${randomUUID()}`, { chat, user }, from, (base) => ({
        ...base,
        kind: "press",
        messageId: question,
        data: `a:${question}:${decision === "approved" ? "y" : "n"}`,
        pressId: base.key,
      })),
    answerPress({ address, key }, text, result = "done") {
      const cause = toInboxId(address, key);
      audience.sayer(cause)?.onEvent({ type: "pressed", result, text, cause });
      return Promise.resolve();
    },
    fetchFile: (_address, source, { maxBytes }) => handed.find(source, maxBytes),
    announce: (chat) => onPresence(addressOf(chat)),
  };
}

const maxNumbers = 999;

/**
 * Copies a file that was sent to a terminal to where its person finds it, and answers the path. Nothing is overwritten;
 * the same file again (a message that is sent once more after a crash) is the one that is there.
 */
async function saveReceived(folder: string, file: FileMessage["file"], kept: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let number = 1; ; number += 1) {
    const path = join(folder, numberFileName(file.name, number));
    try {
      await copyFile(kept, path, constants.COPYFILE_EXCL);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || number === maxNumbers) throw error;
    }
    if ((await hash(path)) === file.sha256) return path;
  }
}

async function hash(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}
