import { createJsonFormat } from "../create-json-format.ts";
import type { ImportedMessage, JsonMessageReader, SourceChat } from "../import-format.ts";
import { readAccount, readFields, readId, readText, type Fields } from "../read-fields.ts";
import { readInstant, type ReadTime } from "../read-time.ts";
import { readOneBotText } from "./read-onebot-text.ts";

const others = ["raw_message", "message_type", "post_type", "user_id", "sender.user_id"];

/**
 * The answers of `get_group_msg_history` and `get_friend_msg_history` as they came, their `data`, a list of messages or
 * events, or one of them a line. Sources: botuniverse/onebot-11 (event/message.md, message/segment.md); NapCatQQ 1fa0980
 * (GetGroupMsgHistory.ts).
 */
export const oneBotFormat = createJsonFormat({
  name: "onebot",
  needs: "a sender, a time and an id",
  recognises: ({ messageKeys: keys }) => keys.has("message_id") && others.some((key) => keys.has(key)),
  begin({ readTime }): JsonMessageReader {
    let peer: string | undefined;
    return {
      describeChat(message) {
        peer = readPeer(message) ?? peer;
        return describeChat(message, peer);
      },
      read: (message) => readMessage(message, readTime),
    };
  },
});

function describeChat(message: Fields, peer: string | undefined): SourceChat {
  const group = readAccount(message["group_id"]);
  if (group !== undefined) {
    const name = readText(message["group_name"]) || `QQ ${group}`;
    return { name, source: `qq:group:${group}`, id: `qq:group:${group}`, sharesIds: true };
  }
  const known = peer !== undefined && { id: `qq:private:${peer}` };
  return { name: peer === undefined ? "" : `QQ ${peer}`, source: "qq:private", ...known, sharesIds: true };
}

/** Whom a private chat is with: known where the message names the account that keeps it. */
function readPeer(message: Fields): string | undefined {
  const self = readAccount(message["self_id"]);
  const user = readAccount(message["user_id"]);
  if (self === undefined || user === undefined) return undefined;
  return user === self ? readAccount(message["target_id"]) : user;
}

function readMessage(fields: Fields, readTime: ReadTime): ImportedMessage | "empty" | undefined {
  if ((fields["post_type"] ?? "message") !== "message" && fields["post_type"] !== "message_sent") return "empty";
  const sender = readFields(fields["sender"]) ?? {};
  const user = readAccount(fields["user_id"]) ?? readAccount(sender["user_id"]);
  const at = readInstant(fields["time"], readTime);
  const id = readId(fields["message_id"]);
  if (user === undefined || at === undefined || id === undefined) return undefined;
  const text = readOneBotText(fields["message"] ?? fields["raw_message"]);
  if (text.trim() === "") return "empty";
  const name = readText(sender["card"]) || readText(sender["nickname"]) || user;
  return { at, id, text, sender: { name, person: `qq:${user}` } };
}
