import type { FormatReader, ImportedMessage, ImportFormat, ImportPiece, ReadingOptions } from "../import-format.ts";
import { joinText, nameMedia } from "../name-media.ts";
import { readId } from "../read-fields.ts";
import { createReadTime, readInstant, type ReadTime } from "../read-time.ts";
import { createCsvSplitter } from "../split-csv.ts";

/**
 * WeChat as comma-separated values. Sources: LC044/WeChatMsg 117f811 (MemoTrace, exporter_csv.py: localId, TalkerId, Type,
 * SubType, IsSender, CreateTime, Status, StrContent, StrTime, and in groups Remark, NickName, Sender); PyWxDump and
 * WeFlow (id, MsgSvrID, type_name, is_sender, talker, room_name?, msg or content, src?, CreateTime).
 */
export const wechatCsvFormat: ImportFormat = {
  name: "wechat",
  recognises: (head) =>
    /^(?:localId,TalkerId,Type,SubType,IsSender|id,MsgSvrID,type_name,is_sender)/.test(head.trimStart()),
  open: openWechatCsv,
};

type Row = (column: string) => string;

function openWechatCsv(emit: (piece: ImportPiece) => void, { zone }: ReadingOptions): FormatReader {
  const readTime = createReadTime(zone);
  let columns: ReadonlyMap<string, number> | undefined;
  return createCsvSplitter((fields, line) => {
    if (columns === undefined) {
      columns = new Map(fields.map((name, at) => [name.trim(), at]));
      emit({ kind: "chat", chat: { name: "", source: "", sharesIds: false } });
      return;
    }
    const places = columns;
    const row: Row = (column) => fields[places.get(column) ?? -1] ?? "";
    const read = readRow(row, readTime);
    if (read === undefined) emit({ kind: "faulty", line, reason: "it has no time that can be read" });
    else if (read !== "empty") emit({ kind: "message", line, message: read });
  });
}

function readRow(row: Row, readTime: ReadTime): ImportedMessage | "empty" | undefined {
  const at = readInstant(row("CreateTime"), readTime) ?? readTime(row("StrTime"));
  if (at === undefined) return undefined;
  const isMine = (row("IsSender") || row("is_sender")) === "1";
  const text = describe(row("Type"), row("StrContent")) || joinText(row("msg") || row("content"));
  if (text.trim() === "" || row("Type") === "10000" || row("type_name") === "系统通知") return "empty";
  const other = row("Remark") || row("NickName") || row("Sender") || row("talker");
  const id = readId(row("MsgSvrID"));
  return {
    at,
    text,
    sender: isMine ? { name: "我", self: true } : { name: other || "对方" },
    ...(id !== undefined && { id }),
  };
}

const media: Readonly<Record<string, Parameters<typeof nameMedia>[0]>> = {
  "3": "image",
  "34": "voice",
  "42": "contact",
  "43": "video",
  "47": "sticker",
  "48": "location",
};
const longestTitle = 300;

/** MemoTrace keeps WeChat's own XML for everything but texts (types of its table MSG). */
function describe(type: string, content: string): string {
  const kind = media[type];
  if (kind !== undefined) return nameMedia(kind);
  if (type !== "49") return type === "" ? "" : content;
  const start = content.indexOf("<title>");
  const end = start < 0 ? -1 : content.indexOf("</title>", start);
  const title = end < 0 ? "" : content.slice(start + 7, Math.min(end, start + 7 + longestTitle));
  return nameMedia("share", title);
}
