import type { InboundMessage } from "../types.ts";
import { readId, readRecord, readText, type JsonRecord } from "../json-view.ts";
import type { BotIdentity } from "./read-mention.ts";

/** More than Telegram lets anybody write. */
const longestText = 32_000;

/**
 * The message that is replied to. A reply that leads out of this chat gets an id no message of ours can have,
 * so that it never counts as an answer to one of our questions, nor as a message without a quote.
 */
export function readQuote(message: JsonRecord, me: BotIdentity): InboundMessage["quote"] {
  const quoted = readText(readRecord(message["quote"])?.["text"])?.slice(0, longestText);
  const reply = readRecord(message["reply_to_message"]);
  if (reply !== undefined) {
    const messageId = readId(reply["message_id"]);
    if (messageId === undefined || isTopicRoot(message, reply)) return undefined;
    const text = quoted ?? (readText(reply["text"]) ?? readText(reply["caption"]) ?? "").slice(0, longestText);
    const chat = readId(readRecord(reply["chat"])?.["id"]);
    if (chat !== undefined && chat !== readId(readRecord(message["chat"])?.["id"])) {
      return { messageId: `elsewhere:${chat}:${messageId}`, fromUs: false, text };
    }
    return { messageId, fromUs: readId(readRecord(reply["from"])?.["id"]) === me.id, text };
  }
  const external = readRecord(message["external_reply"]);
  if (external !== undefined) {
    const chat = readId(readRecord(external["chat"])?.["id"]) ?? "unknown";
    const messageId = `elsewhere:${chat}:${readId(external["message_id"]) ?? "unknown"}`;
    return { messageId, fromUs: false, text: quoted ?? "" };
  }
  const story = readRecord(message["reply_to_story"]);
  if (story !== undefined) return { messageId: `story:${readId(story["id"]) ?? "unknown"}`, fromUs: false, text: "" };
  return undefined;
}

/** Every message of a topic looks like a reply to the service message that opened it, which is ours if we opened it. */
function isTopicRoot(message: JsonRecord, reply: JsonRecord): boolean {
  if (reply["forum_topic_created"] !== undefined) return true;
  return message["is_topic_message"] === true && readId(reply["message_id"]) === readId(message["message_thread_id"]);
}
