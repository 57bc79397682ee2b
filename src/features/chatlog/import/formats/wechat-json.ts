import { createJsonFormat } from "../create-json-format.ts";
import type { ImportedMessage, SourceChat } from "../import-format.ts";
import { readFields, readId, readText, type Fields } from "../read-fields.ts";
import { isSelf } from "../read-self.ts";
import { readInstant, type ReadTime } from "../read-time.ts";

/**
 * JSON of WeFlow, EchoTrace and CipherTalk: session { wxid, nickname, remark, displayName }, messages with createTime in seconds,
 * senderUsername, senderDisplayName, type in Chinese, isSend. Sources: hellodigua/ChatLab 4e7ba91 (weflow,
 * ycccccccy-echotrace); ILoveBingLu/CipherTalk 4bc3c46 (electron/services/exportService.ts, detailed-json).
 */
export const wechatJsonFormat = createJsonFormat({
  name: "wechat",
  needs: "a time",
  recognises: ({ messageKeys: keys }) =>
    keys.has("createTime") && ["isSend", "senderUsername", "senderDisplayName"].some((key) => keys.has(key)),
  begin({ beside, root, readTime }) {
    const chat = describeSession(readFields(beside["session"]) ?? readFields(root["session"]) ?? {});
    return { describeChat: () => chat, read: (message) => readMessage(message, readTime) };
  },
});

function describeSession(session: Fields): SourceChat {
  const [name = ""] = ["displayName", "remark", "nickname"]
    .map((key) => readText(session[key]))
    .filter((text) => text !== "");
  const id = readText(session["wxid"]);
  return { name, source: `wechat:${id}`, ...(id !== "" && { id: `wechat:${id}` }), sharesIds: false };
}

function readMessage(fields: Fields, readTime: ReadTime): ImportedMessage | "empty" | undefined {
  const at = readInstant(fields["createTime"], readTime) ?? readInstant(fields["formattedTime"], readTime);
  if (at === undefined) return undefined;
  const text = readText(fields["content"]);
  if (text.trim() === "" || fields["type"] === "系统消息" || fields["isSend"] === null) return "empty";
  const name = readText(fields["senderDisplayName"]) || readText(fields["senderUsername"]) || "?";
  const id = readId(fields["localId"]);
  return {
    at,
    text,
    sender: { name, ...(isSelf(fields) && { self: true as const }) },
    ...(id !== undefined && { id }),
  };
}
