import { join } from "node:path";
import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import { describeError } from "../../core/errors.ts";
import { consolePlatform } from "../../core/own-platforms.ts";
import type { Attachment } from "../attachment.ts";
import { toInboxId } from "../session-id.ts";
import type { Channel, InboundEvent } from "../types.ts";
import { createConsoleFiles, type ConsoleFile, type ConsoleFiles } from "./console-files.ts";

const account = "local";
/** The only person there: whoever is signed in as the owner. */
const user = "owner";
const dayMs = 24 * 3_600_000;
const maxFileBytes = 50 * 1024 * 1024;

interface ConsoleLine {
  /** The name of the chat. */
  readonly chat: string;
  readonly text: string;
  /** Ids of kept files. */
  readonly files: readonly string[];
  /** The same again is the same message. */
  readonly key: string;
  readonly locale: string;
}

/**
 * The owner's chats in the web console. The page reads the conversation from the store, so no client has to be connected:
 * what is stored has arrived. That is what differs from the terminal's channel, of which nothing else would be left.
 */
export interface ConsoleChannel extends Channel {
  /** Answers the id of the stored message, or undefined when one of the files is not there. */
  say(line: ConsoleLine): Promise<string | undefined>;
  /** Takes a message back that may have arrived or not; one that comes later under its key is none. */
  recall(line: Pick<ConsoleLine, "chat" | "key">): Promise<void>;
  readonly files: Pick<ConsoleFiles, "keep" | "find">;
  readonly fetchFile: NonNullable<Channel["fetchFile"]>;
}

export const ownChatAddress = (chat: string) => ({ platform: consolePlatform, account, chat, thread: null });
const keyOf = (key: string): string => `say:${key}`;

/** The id of the stored message. */
export const nameOwnMessage = (chat: string, key: string): string => toInboxId(ownChatAddress(chat), keyOf(key));

export function createConsoleChannel({
  home,
  clock,
  log,
}: {
  /** Files of both sides are kept below it, in console-files/. */
  readonly home: string;
  readonly clock: Clock;
  readonly log?: Pick<Logger, "warn">;
}): ConsoleChannel {
  const files = createConsoleFiles({ folder: join(home, "console-files"), clock });
  const startedAt = clock.now();
  let sweeping: NodeJS.Timeout | undefined;
  let receive: ((events: readonly InboundEvent[]) => Promise<void>) | undefined;

  function tell(events: readonly InboundEvent[]): Promise<void> {
    if (receive === undefined) throw new Error("the console was used before it was started");
    return receive(events);
  }

  async function sweepOrLog(): Promise<void> {
    try {
      await files.sweep();
    } catch (error) {
      log?.warn({ reason: describeError(error) }, "files of the console that no message took could not be removed");
    }
  }

  return {
    platform: consolePlatform,
    capabilities: {
      streaming: "draft",
      buttons: false,
      edit: true,
      reactions: false,
      removal: false,
      textLimit: Infinity,
      fileLimit: maxFileBytes,
      voice: false,
      displays: true,
    },
    files,
    async start(onReceive) {
      receive = onReceive;
      await sweepOrLog();
      sweeping ??= setInterval(() => void sweepOrLog(), dayMs).unref();
    },
    stopReceiving: () => Promise.resolve(),
    async stop() {
      clearInterval(sweeping);
      sweeping = undefined;
    },
    split: ({ text }) => [text],
    send: ({ id }) => Promise.resolve({ kind: "sent", messageId: id }),
    async sendFile({ address, file: { name }, id: message }, path) {
      const { id } = await files.keepCopy(path, { name, chat: address.chat, message });
      return { kind: "sent", messageId: id };
    },
    show: () => Promise.resolve(undefined),
    close: (_address, messageId) => Promise.resolve({ kind: "sent", messageId }),
    async fetchFile(_address, { id = "" }, { maxBytes }) {
      const file = await files.find(id);
      if (file === undefined) return { kind: "gone", reason: "no such file" };
      if (file.bytes > maxBytes) return { kind: "tooLarge", limit: maxBytes };
      const content = await files.read(id);
      return content === undefined
        ? { kind: "gone", reason: "no such file" }
        : { kind: "fetched", content, name: file.name, mimeType: file.type };
    },
    eraseFiles: async (users) => (users.includes(user) ? files.erase() : 0),
    eraseChatFiles: ({ chat }) => files.eraseChat(chat),
    health: () => ({ state: "ready", since: startedAt, detail: "in the page" }),
    async recall({ chat, key }) {
      const recall = {
        kind: "recall",
        address: ownChatAddress(chat),
        sender: { id: user, name: user, kind: "person" },
        sentAt: clock.now(),
        messageId: keyOf(key),
      } as const;
      await tell([
        // Takes the place of the message, where that has not come.
        { ...recall, key: keyOf(key) },
        { ...recall, key: `take-back:${key}` },
      ]);
    },
    async say({ chat, files: ids, key: given, locale, text }) {
      const found = await Promise.all(ids.map((id) => files.find(id)));
      if (found.some((file) => file === undefined)) return undefined;
      const attachments = found.flatMap((file): readonly Attachment[] => (file ? [toAttachment(file)] : []));
      const address = ownChatAddress(chat);
      const key = keyOf(given);
      // Before the message is stored: what a stored message names is never swept.
      for (const id of ids) await files.settle(id, chat);
      await tell([
        {
          kind: "message",
          key,
          address,
          sender: { id: user, name: user, kind: "person", locale },
          sentAt: clock.now(),
          chatKind: "private",
          messageId: key,
          text,
          attachments,
          addressed: true,
          edited: false,
          forwarded: false,
          // Words sent with a file decide nothing, as on every platform.
          caption: attachments.length > 0,
          viaBot: false,
        },
      ]);
      return nameOwnMessage(chat, given);
    },
  };
}

function toAttachment({ bytes, id, kind, name, type }: ConsoleFile): Attachment {
  return { kind, name, mimeType: type, bytes, source: { id } };
}
