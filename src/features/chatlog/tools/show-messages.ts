import { plainName } from "../../../core/name-with-tag.ts";
import { formatIso } from "../../../core/schedule/zoned-time.ts";
import type { Taint } from "../../../core/conversation.ts";
import { joinTaint } from "../../../core/taint.ts";
import { isNamedByOthers, linkMessage, nameChat } from "../name-places.ts";
import { tagged } from "../find-senders.ts";
import type { ReadableMessage } from "../format-messages.ts";
import { findHumans } from "../../../store/queries/account-links.ts";
import { readLogChats, readLogKeys } from "../queries/chat-log-people.ts";
import type { LogChat, LogMessage } from "../queries/chat-log.ts";
import type { ToolContext } from "../../../kernel/tools/types.ts";
import { labelMessages } from "./label-messages.ts";
import type { OpenLog } from "./open-log.ts";

const maxTextLength = 1_000;

/** A message as the model is given it; `line_number` is its number for good. */
export interface ShownMessage {
  readonly [key: string]: string | number | boolean;
  readonly line_number: number;
  readonly at: string;
  readonly from: string;
  readonly text: string;
}

/** Messages made ready to be shown to who asked, with the label that they carry for them. */
export interface ReadyMessages {
  readonly readable: readonly (ReadableMessage & {
    readonly message: LogMessage;
    readonly where: LogChat | undefined;
    /** The asker has said it. */
    readonly isOwn: boolean;
  })[];
  readonly taint: Taint;
  readonly sources: readonly string[];
}

export async function readyMessages(
  log: OpenLog,
  messages: readonly LogMessage[],
  context: Pick<ToolContext, "language" | "taint">,
): Promise<ReadyMessages> {
  const { db } = log;
  const chats = new Map(
    (await readLogChats(db, [...new Set(messages.map(({ chat }) => chat))])).map((one) => [one.id, one]),
  );
  const keys = await readLogKeys(
    db,
    messages.map(({ id }) => id),
  );
  const humans = await findHumans(db, [...new Set(messages.map(({ sender }) => sender.person))]);
  const isOne = chats.size < 2;
  const readable = messages.map((message) => {
    const { chat, id, role, saidAt, sender, text } = message;
    const where = chats.get(chat);
    const human = humans.get(sender.person);
    // A private chat with one person leaves no doubt about the sender.
    const hasTag = role !== "her" && !(where?.kind === "private" && isOne);
    const link = linkMessage({ key: keys.get(id) ?? "", session: where?.session ?? null });
    return {
      id,
      saidAt,
      message,
      where,
      isOwn: role !== "her" && log.accounts.includes(sender.person),
      text: text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1).toWellFormed()}…` : text,
      from: hasTag
        ? tagged({ ...sender, ...(human !== undefined && { human }) })
        : plainName(role === "her" ? log.her : sender.name),
      ...(!isOne && where && { chat: nameChat(where) }),
      ...(link !== undefined && { link }),
    };
  });
  const label = labelMessages(messages, { ...context, accounts: log.accounts, chats });
  const isExposed = [...chats.values()].some(isNamedByOthers);
  return { readable, ...label, ...(isExposed && { taint: joinTaint(label.taint, "exposed") }) };
}

/** Formats a message for the model. `you` is her. With metadata it has the chat, the sender and the place. */
export function showMessage(
  { chat, from, id, isOwn, link, message, saidAt, text, where }: ReadyMessages["readable"][number],
  { metadata, zone }: { readonly metadata: boolean; readonly zone: string },
): ShownMessage {
  return {
    line_number: id,
    at: formatIso(saidAt, zone),
    from: message.role === "her" ? "you" : from,
    text,
    ...(chat !== undefined && { chat }),
    ...(isOwn && { own: true }),
    ...(metadata && {
      ...(where && { chat: nameChat(where), chat_kind: where.kind }),
      ...(link !== undefined && { link }),
    }),
  };
}
