import type { ConsoleHooks } from "../../kernel/feature/console-hooks.ts";
import { exportWords } from "./words.ts";
import { createHash } from "node:crypto";
import type { ConversationMessage } from "../../core/conversation.ts";
import { exportPerson } from "../erase/export-person.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { findWholeSession } from "../../store/queries/sessions.ts";
import { listNewestMessages } from "./queries/list-newest-messages.ts";
import type { Store } from "../../store/open-store.ts";
import type { Scrub } from "../../kernel/tools/key-argument.ts";
import type { Clock } from "../../core/clock.ts";
import type { Channel } from "../../channels/types.ts";
import { queueMessage } from "../../kernel/outbox/outbox.ts";
import type { OutgoingFiles } from "../../kernel/outbox/outgoing-files.ts";
import type { CommandAnswer, CommandCall } from "../../kernel/commands/command-call.ts";
import { tellAs } from "../../kernel/outbox/tell-as.ts";

const limits = { messages: 5_000, bytes: 2 * 1024 * 1024, call: 300, result: 600 } as const;

/** Maximum bytes about one person; beyond that the command line is used, which writes it piece by piece. */
const maxOfPerson = 20 * 1024 * 1024;

type WriteConversation = NonNullable<ConsoleHooks["writeConversation"]>;
type ExportFormat = Parameters<WriteConversation>[1];
type WrittenConversation = NonNullable<Awaited<ReturnType<WriteConversation>>>;

/** A message as it is exported; notes for the model are not part of the conversation and stay out. */
interface Entry {
  readonly at: string;
  readonly by: string;
  readonly text: string;
  readonly calls?: readonly { readonly tool: string; readonly arguments: string }[];
}

/**
 * `/export`, `/export json`, `/export me`: the current line of this chat's conversation as a file, the newest messages
 * first to count. In a group it belongs to all members, so an owner or an administrator asks for it. The arguments and
 * results of her tools there may be an owner's: an administrator gets only what was said.
 */
export function createExportConversation(parts: {
  readonly store: Store;
  readonly outgoing: Pick<OutgoingFiles, "keep">;
  readonly findChannel: (platform: string) => Channel | undefined;
  readonly scrub: Scrub;
  readonly zone: () => string;
  readonly clock: Clock;
}) {
  const { store, outgoing, clock } = parts;

  async function send({ item, message }: CommandCall, name: string, content: Buffer): Promise<void> {
    const id = `${item.id}.export`;
    await outgoing.keep(id, content);
    const sha256 = createHash("sha256").update(content).digest("hex");
    const file = { name, bytes: content.length, sha256 };
    const { address } = message;
    const sent = { id, kind: "file", address, text: "", plain: true, cause: item.id, partial: true, file } as const;
    await queueMessage(store.main, sent, clock.now());
  }

  /** `/export me`: everything that is kept of the one who asks, in private. */
  async function exportMe(call: CommandCall): Promise<CommandAnswer> {
    const { message, person, language } = call;
    const texts = exportWords[language];
    if (message.chatKind !== "private") return tellAs("privately", call.language, texts.exportMeInPrivate);
    const limit = parts.findChannel(message.address.platform)?.capabilities.fileLimit ?? 0;
    if (limit === 0) return { text: texts.exportNotHere };
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const stored of exportPerson(store, person.id, clock.now())) {
      const piece = parts.scrub(stored);
      bytes += Buffer.byteLength(piece);
      if (bytes > Math.min(limit, maxOfPerson)) return { text: texts.exportMeTooLarge };
      pieces.push(Buffer.from(piece));
    }
    await send(call, "kurisu-me.json", Buffer.concat(pieces));
    return { text: texts.exportedMe };
  }

  /** The current line of a conversation, as much of it as `bytes` hold. Undefined when nothing was said. */
  async function write(
    session: string,
    {
      bytes,
      format,
      withTools,
    }: { readonly format: ExportFormat; readonly withTools: boolean; readonly bytes: number },
  ): Promise<WrittenConversation | undefined> {
    const time = new Intl.DateTimeFormat("sv-SE", { timeZone: parts.zone(), dateStyle: "short", timeStyle: "medium" });
    const row = await findWholeSession(store.main, session);
    const found = row === undefined ? [] : await listNewestMessages(store.main, row, limits.messages);
    const { taken, left } = takeNewest(
      found
        .flatMap((one) => toEntry(one.message, time.format(one.at), { scrub: parts.scrub, withTools }))
        .map(format === "json" ? writeJson : writeMarkdown),
      Math.min(bytes, limits.bytes) - 1_000,
    );
    if (taken.length === 0) return undefined;
    return {
      name: `kurisu-${time.format(clock.now()).slice(0, 10)}.${format}`,
      content: Buffer.from(format === "json" ? `[\n${taken.join(",\n")}\n]\n` : taken.join("\n")),
      count: taken.length,
      isCut: left > 0 || found.length === limits.messages,
    };
  }

  async function answer(call: CommandCall): Promise<CommandAnswer> {
    const { message, session, person, rest, language } = call;
    const texts = exportWords[language];
    if (rest.trim().toLowerCase() === "me") return exportMe(call);
    const wanted = rest.trim().toLowerCase() || "md";
    if (wanted !== "md" && wanted !== "json") return { text: texts.exportUsage };
    const channel = parts.findChannel(message.address.platform);
    const { administrator } = message.sender;
    const mayAsk =
      message.chatKind === "private" ||
      person.role === "owner" ||
      (administrator ?? (await channel?.isAdministrator?.(message.address, message.sender.id)) ?? false);
    if (!mayAsk) return tellAs("denied", call.language, texts.exportNotYours);
    const limit = channel?.capabilities.fileLimit ?? 0;
    if (limit === 0) return { text: texts.exportNotHere };
    const withTools = message.chatKind === "private" || person.role === "owner";
    const written = await write(session, { format: wanted, withTools, bytes: limit });
    if (written === undefined) return { text: texts.exportEmpty };
    const { content, count, isCut, name } = written;
    await send(call, name, content);
    return { text: texts.exported({ count, isCut }) };
  }

  return {
    answer,
    /** For an owner, who sees the tools too. */
    writeConversation: (session: string, format: ExportFormat) =>
      write(session, { format, withTools: true, bytes: Infinity }),
  };
}

function toEntry(
  message: ConversationMessage,
  at: string,
  { scrub, withTools }: { readonly scrub: Scrub; readonly withTools: boolean },
): readonly Entry[] {
  const show = (text: string, length = Infinity): string => {
    const safe = makeVisible(scrub(text));
    return safe.length > length ? `${safe.slice(0, length)}…` : safe;
  };
  switch (message.role) {
    case "user":
      return [{ at, by: show(`${message.senderName} (${message.senderId})`), text: show(message.text) }];
    case "assistant": {
      if (!withTools && message.text === "") return [];
      const calls = (withTools ? message.calls : []).map((call) => {
        return { tool: show(call.name), arguments: show(JSON.stringify(call.arguments), limits.call) };
      });
      return [{ at, by: "Kurisu", text: show(message.text), ...(calls.length > 0 && { calls }) }];
    }
    case "tool":
      if (!withTools) return [];
      return [
        {
          at,
          by: show(`tool ${message.tool}${message.ok ? "" : " (failed)"}`),
          text: show(message.text, limits.result),
        },
      ];
    case "note":
      return [];
  }
}

/** Newest first in; oldest first out, as many as have room. */
function takeNewest(newest: readonly string[], bytes: number) {
  let used = 0;
  const over = newest.findIndex((text) => (used += Buffer.byteLength(text) + 2) > bytes);
  const count = over < 0 ? newest.length : over;
  return { taken: newest.slice(0, count).toReversed(), left: newest.length - count };
}

function writeJson(entry: Entry): string {
  return JSON.stringify(entry);
}

/**
 * All words are indented, which is code in Markdown: no heading, link, picture or HTML in them takes effect, and no
 * line can pose as ours.
 */
function writeMarkdown({ at, by, text, calls = [] }: Entry): string {
  const indent = (words: string) => words.split(/\r\n?|\n/).map((line) => `    ${line}`);
  const called = calls.map((call) => `→ ${call.tool} ${call.arguments}`);
  const lines = [...(text === "" ? [] : indent(text)), ...called.flatMap(indent)];
  return [`- ${at}`, "", ...indent(`${by}:`), ...lines, ""].join("\n");
}
