import { readAccount, readId, readText } from "../read-fields.ts";
import { readInstant } from "../read-time.ts";
import type { ReadExporterMessage } from "./read-exporter-message.ts";

/** Message types of ChatLab from here on are notices and what was taken back (shared-types: SYSTEM 80, RECALL 81). */
const [system, recall] = [80, 81];

/** A message of ChatLab: sender (the platform's id), accountName, groupNickname, timestamp in seconds, type, content. */
export function readChatlabMessage(platform: string): ReadExporterMessage {
  return (message, readTime) => {
    const at = readInstant(message["timestamp"], readTime);
    const sender = readId(message["sender"]);
    if (at === undefined || sender === undefined) return undefined;
    const text = readText(message["content"]);
    if (text.trim() === "" || message["type"] === system || message["type"] === recall) return "empty";
    const account = readAccount(sender);
    const hasAccounts = account !== undefined && (platform === "qq" || platform === "telegram");
    const name = readText(message["groupNickname"]) || readText(message["accountName"]) || sender;
    const id = readId(message["platformMessageId"]);
    return {
      at,
      text,
      sender: { name, ...(hasAccounts && { person: `${platform}:${account}` }) },
      ...(id !== undefined && { id }),
    };
  };
}
