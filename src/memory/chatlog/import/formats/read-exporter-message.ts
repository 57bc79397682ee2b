import type { ImportedMessage } from "../import-format.ts";
import { readAccount, readFields, readId, readText, type Fields } from "../read-fields.ts";
import { readInstant, type ReadTime } from "../read-time.ts";

/** empty = nothing in it is anybody's words: a notice, a message that was taken back. */
export type ReadExporterMessage = (message: Fields, readTime: ReadTime) => ImportedMessage | "empty" | undefined;

/**
 * A message of shuakami/qq-chat-exporter. V5: id, timestamp in milliseconds, sender { uin, name, groupCard }, content.text,
 * recalled, system. V4: messageId, an ISO timestamp, isRecalled, isSystemMessage, names in rawMessage.
 */
export function readExporterMessage(self: string | undefined): ReadExporterMessage {
  return (message, readTime) => {
    const sender = readFields(message["sender"]) ?? {};
    const raw = readFields(message["rawMessage"]) ?? {};
    const at = readInstant(message["timestamp"], readTime) ?? readInstant(message["time"], readTime);
    const uin = readAccount(sender["uin"]) ?? readAccount(raw["senderUin"]);
    const card = readText(sender["groupCard"]) || readText(raw["sendMemberName"]);
    const name = card || readText(raw["sendNickName"]) || readText(sender["name"]) || uin || readText(sender["uid"]);
    if (at === undefined || name === "") return undefined;
    if (message["recalled"] === true || message["isRecalled"] === true) return "empty";
    if (message["system"] === true || message["isSystemMessage"] === true) return "empty";
    const text = readText(readFields(message["content"])?.["text"]);
    if (text.trim() === "") return "empty";
    const id = readId(message["id"]) ?? readId(message["messageId"]);
    const whose = { ...(uin !== undefined && { person: `qq:${uin}` }), ...(uin !== undefined && uin === self && mine) };
    return { at, text, sender: { name, ...whose }, ...(id !== undefined && id !== "0" && { id }) };
  };
}

const mine = { self: true } as const;
