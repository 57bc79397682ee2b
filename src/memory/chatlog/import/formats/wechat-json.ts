import type { FormatReader, ImportedMessage, ImportFormat, ImportPiece, ReadingOptions } from "../import-format.ts";
import { openJsonExport } from "../open-json-export.ts";
import { readFields, readId, readText, type Fields } from "../read-fields.ts";
import { createReadTime, readInstant, type ReadTime } from "../read-time.ts";

/**
 * JSON of WeFlow and EchoTrace: session { wxid, nickname, remark, displayName }, messages with createTime in seconds,
 * senderUsername, senderDisplayName, type in Chinese, isSend. Source: hellodigua/ChatLab 4e7ba91 (weflow, ycccccccy-echotrace).
 */
export const wechatJsonFormat: ImportFormat = {
  name: "wechat",
  recognises: (head) =>
    /^\s*\{/.test(head) &&
    /"session"\s*:\s*\{/.test(head) &&
    (/"weflow"\s*:\s*\{/.test(head) || /"senderUsername"\s*:/.test(head)),
  open: openWechatJson,
};

function openWechatJson(emit: (piece: ImportPiece) => void, { zone }: ReadingOptions): FormatReader {
  const readTime = createReadTime(zone);
  let session: Fields = {};
  let isTold = false;
  return openJsonExport(emit, {
    choose([first, second]) {
      if (first === undefined) return "enter";
      if (first === "messages") return second === undefined ? "enter" : "take";
      return first === "session" && second === undefined ? "take" : "skip";
    },
    onField(_, value) {
      session = readFields(value) ?? {};
    },
    onMessage(fields, line) {
      if (!isTold) emit({ kind: "chat", chat: describeSession(session) });
      isTold = true;
      const read = readMessage(fields, readTime);
      if (read === undefined) emit({ kind: "faulty", line, reason: "it has no time that can be read" });
      else if (read !== "empty") emit({ kind: "message", line, message: read });
    },
  });
}

function describeSession(session: Fields) {
  const [name = ""] = ["displayName", "remark", "nickname"]
    .map((key) => readText(session[key]))
    .filter((text) => text !== "");
  return { name, source: `wechat:${readText(session["wxid"])}`, sharesIds: false };
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
    sender: { name, ...(fields["isSend"] === 1 && { self: true as const }) },
    ...(id !== undefined && { id }),
  };
}
