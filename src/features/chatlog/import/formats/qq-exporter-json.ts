import { createJsonFormat } from "../create-json-format.ts";
import type { ImportedMessage, SourceChat } from "../import-format.ts";
import { readAccount, readFields, readId, readList, readText, type Fields } from "../read-fields.ts";
import { readWriter } from "../read-self.ts";
import { readInstant, type ReadTime } from "../read-time.ts";
import { readQqElements } from "./read-qq-elements.ts";
import { toQqName } from "./to-qq-name.ts";

/**
 * JSON of QQ exporters: shuakami/qq-chat-exporter V4 and V5 (one file, or the chunks of its JSONL form), a list of such messages,
 * and messages with `elements` as QQNT keeps them. V5: id, timestamp in milliseconds, sender { uin, name, groupCard },
 * content.text, recalled, system. V4: messageId, an ISO timestamp, isRecalled, isSystemMessage, names in rawMessage. QQNT:
 * msgId, msgTime, senderUin, sendNickName, sendMemberName, elements. Sources: qq-chat-exporter 888b51f (qq-chat-export-core,
 * json_exporter.rs and types.rs) and hellodigua/ChatLab 4e7ba91 (shuakami-qq-exporter, shuakami-qq-exporter-chunked).
 */
export const qqExporterJsonFormat = createJsonFormat({
  name: "qq-json",
  needs: "a sender, a time and a text",
  recognises({ messageKeys: keys, root }) {
    if (["sender.uin", "sender.uid"].some((key) => keys.has(key)) && (keys.has("content") || keys.has("elements")))
      return true;
    if (keys.has("elements")) return ["sender", "senderUin", "senderUid", "sendNickName"].some((key) => keys.has(key));
    return readFields(root["metadata"]) !== undefined && readFields(root["chatInfo"]) !== undefined;
  },
  begin({ beside, root, readTime }) {
    const info = readFields(beside["chatInfo"]) ?? readFields(root["chatInfo"]) ?? {};
    const chat = describeChat(info);
    const self = readAccount(info["selfUin"]);
    const selfUid = readText(info["selfUid"]);
    return {
      describeChat: () => chat,
      read: (message) => readMessage(message, readTime, { self, selfUid }),
    };
  },
});

function describeChat(info: Fields): SourceChat {
  const peer = readAccount(info["peerUin"]) ?? readId(info["peerUid"]);
  const kind = readText(info["type"]) === "group" ? "group" : "private";
  const id = peer !== undefined && { id: `qq:${kind}:${peer}` };
  return { name: readText(info["name"]), source: `qq:${readId(info["peerUin"]) ?? ""}`, ...id, sharesIds: false };
}

function readMessage(
  message: Fields,
  readTime: ReadTime,
  own: { readonly self: string | undefined; readonly selfUid: string },
): ImportedMessage | "empty" | undefined {
  const sender = readFields(message["sender"]) ?? {};
  const raw = readFields(message["rawMessage"]) ?? message;
  const times = [message["timestamp"], message["time"], message["msgTime"], raw["msgTime"]];
  const at = times.map((time) => readInstant(time, readTime)).find((time) => time !== undefined);
  const uin = [sender["uin"], raw["senderUin"], message["sender_qq"], sender["user_id"]]
    .map(readAccount)
    .find((account) => account !== undefined);
  const uid = readText(sender["uid"]) || readText(raw["senderUid"]);
  const name = readName(message, sender, raw) || uin || uid;
  if (at === undefined || name === "") return undefined;
  if (message["recalled"] === true || message["isRecalled"] === true) return "empty";
  if (message["system"] === true || message["isSystemMessage"] === true) return "empty";
  const text = readWords(message);
  if (text.trim() === "") return "empty";
  const id = readId(message["id"]) ?? readId(message["messageId"]) ?? readId(message["msgId"]);
  const isMine = (uin !== undefined && uin === own.self) || (uid !== "" && uid === own.selfUid);
  const person = uin === undefined ? undefined : `qq:${uin}`;
  const whose = { ...readWriter({ ...sender, ...message }, person), ...(isMine && { self: true as const }) };
  return { at, text, sender: { name, ...whose }, ...(id !== undefined && id !== "0" && { id }) };
}

/** The name in the group takes precedence over the account's. */
function readName(message: Fields, sender: Fields, raw: Fields): string {
  const card = readText(sender["groupCard"]) || readText(sender["card"]) || readText(raw["sendMemberName"]);
  const own = readText(raw["sendNickName"]) || readText(sender["name"]) || readText(sender["nickname"]);
  return toQqName(card || own || readText(message["sender"]) || readText(message["senderName"]));
}

function readWords(message: Fields): string {
  const content = message["content"];
  if (typeof content === "string" && content !== "") return content;
  const whole = readText(readFields(content)?.["text"]);
  if (whole !== "") return whole;
  const lists = [message["elements"], readFields(content)?.["elements"], content];
  return lists.map((list) => readQqElements(readList(list))).find((text) => text !== "") ?? readText(message["text"]);
}
