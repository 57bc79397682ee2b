import type {
  FormatReader,
  ImportedMessage,
  ImportFormat,
  ImportPiece,
  ReadingOptions,
  SourceChat,
} from "../import-format.ts";
import { nameMedia } from "../name-media.ts";
import { readId } from "../read-fields.ts";
import { isSelf } from "../read-self.ts";
import { createReadTime, readInstant, type ReadTime } from "../read-time.ts";
import { createCsvSplitter } from "../split-csv.ts";
import { describeChatlogText, describeTalker, wechatMedia } from "./wechat-chatlog.ts";

/** The columns that each program has at least, in any order. */
const tables: readonly (readonly string[])[] = [
  ["Type", "IsSender", "CreateTime", "StrContent"],
  ["MsgSvrID", "type_name", "is_sender", "CreateTime"],
  ["Time", "Talker", "Sender", "Content"],
];

/**
 * WeChat as comma-separated values. Sources: LC044/WeChatMsg 117f811 (MemoTrace, exporter_csv.py: localId, TalkerId, Type,
 * SubType, IsSender, CreateTime, Status, StrContent, StrTime, and in groups Remark, NickName, Sender); PyWxDump and
 * WeFlow (id, MsgSvrID, type_name, is_sender, talker, room_name?, msg or content, src?, CreateTime); sjzar/chatlog ca57955
 * (internal/export/export.go: Time, Talker, TalkerName, Sender, SenderName, IsSelf, Type, TypeDesc, Content).
 */
export const wechatCsvFormat: ImportFormat = {
  name: "wechat",
  recognises({ head }) {
    const [first = ""] = head.trimStart().split("\n", 1);
    const columns = new Set(first.split(",").map(toColumn));
    return tables.some((table) => table.every((column) => columns.has(column)));
  },
  open: openWechatCsv,
};

type Row = (column: string) => string;

function toColumn(name: string): string {
  const trimmed = name.trim();
  return trimmed.length > 2 && trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1) : trimmed;
}

function openWechatCsv(emit: (piece: ImportPiece) => void, { zone }: ReadingOptions): FormatReader {
  const readTime = createReadTime(zone);
  let columns: ReadonlyMap<string, number> | undefined;
  let told: SourceChat | undefined;
  return createCsvSplitter((fields, line) => {
    if (columns === undefined) {
      columns = new Map(fields.map((name, at) => [name.trim(), at]));
      return;
    }
    const places = columns;
    const row: Row = (column) => fields[places.get(column) ?? -1] ?? "";
    const chat = describeChat(row);
    if (told === undefined || told.source !== chat.source || told.name !== chat.name) emit({ kind: "chat", chat });
    told = chat;
    const read = readRow(row, readTime);
    if (read === undefined) emit({ kind: "faulty", line, reason: "it has no time that can be read" });
    else if (read !== "empty") emit({ kind: "message", line, message: read });
  });
}

/** Only sjzar/chatlog says whose chat a row is of; the other tables hold one. */
function describeChat(row: Row): SourceChat {
  const talker = row("Talker");
  return talker === "" ? { name: "", source: "", sharesIds: false } : describeTalker(talker, row("TalkerName"));
}

function readRow(row: Row, readTime: ReadTime): ImportedMessage | "empty" | undefined {
  const at = readInstant(row("CreateTime"), readTime) ?? readTime(row("StrTime")) ?? readTime(row("Time"));
  if (at === undefined) return undefined;
  const isMine = isSelf({ isSelf: row("IsSender") || row("is_sender") || row("IsSelf") });
  const text = readWords(row);
  if (text.trim() === "" || row("Type") === "10000" || row("type_name") === "系统通知") return "empty";
  const other = row("Remark") || row("NickName") || row("SenderName") || row("Sender") || row("talker");
  const id = readId(row("MsgSvrID"));
  return {
    at,
    text,
    sender: isMine ? { name: "我", self: true } : { name: other || "对方" },
    ...(id !== undefined && { id }),
  };
}

function readWords(row: Row): string {
  if (row("Talker") !== "") return describeChatlogText(row("Type") || "1", row("Content"), {});
  return describe(row("Type"), row("StrContent")) || row("msg") || row("content");
}

const maxTitleLength = 300;

/** MemoTrace keeps WeChat's own XML for everything but texts (types of its table MSG). */
function describe(type: string, content: string): string {
  const kind = wechatMedia.get(type);
  if (kind !== undefined) return nameMedia(kind);
  if (type !== "49") return type === "" ? "" : content;
  const start = content.indexOf("<title>");
  const end = start < 0 ? -1 : content.indexOf("</title>", start);
  const title = end < 0 ? "" : content.slice(start + 7, Math.min(end, start + 7 + maxTitleLength));
  return nameMedia("share", title);
}
