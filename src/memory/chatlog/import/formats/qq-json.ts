import type { FormatReader, ImportFormat, ImportPiece, ReadingOptions, SourceChat } from "../import-format.ts";
import { openJsonExport } from "../open-json-export.ts";
import { openJsonLines } from "../open-json-lines.ts";
import { readFields, readId, readText, type Fields } from "../read-fields.ts";
import { createReadTime } from "../read-time.ts";
import { readExporterMessage, type ReadExporterMessage } from "./read-exporter-message.ts";
import { readChatlabMessage } from "./read-chatlab-message.ts";

const taken: ReadonlySet<string> = new Set(["metadata", "chatInfo", "chatlab", "meta"]);

/**
 * JSON of QQ exporters: shuakami/qq-chat-exporter V4 and V5 (one file, or the chunks of its JSONL form) and ChatLab's own
 * form, as JSON and as JSONL. Sources: qq-chat-exporter 888b51f, its V5 format as described for importers, and
 * hellodigua/ChatLab 4e7ba91 (shuakami-qq-exporter, shuakami-qq-exporter-chunked, chatlab, chatlab-jsonl).
 */
export const qqJsonFormat: ImportFormat = {
  name: "qq-json",
  recognises: (head) =>
    /^\s*\{/.test(head) &&
    (/"chatlab"\s*:\s*\{/.test(head) || (/"metadata"\s*:\s*\{/.test(head) && /"chatInfo"\s*:\s*\{/.test(head))),
  open: openQqJson,
};

/** A file of `chunks/` of the exporter, and ChatLab's JSONL. */
export const qqJsonLinesFormat: ImportFormat = {
  name: "qq-json",
  recognises(head) {
    const [first = ""] = head.trimStart().split("\n", 1);
    if (/"_type"\s*:\s*"header"/.test(first)) return true;
    if (!first.startsWith("{") || /"messages"\s*:/.test(first)) return false;
    return /"sender"\s*:\s*\{[^{}]*"ui[dn]"/.test(first) && /"content"\s*:\s*\{/.test(first);
  },
  open: openQqJsonLines,
};

function openQqJson(emit: (piece: ImportPiece) => void, options: ReadingOptions): FormatReader {
  const read = createExportReading(emit, options);
  return openJsonExport(emit, {
    choose(path) {
      const [first, second] = path;
      if (first === undefined) return "enter";
      if (first === "messages") return second === undefined ? "enter" : "take";
      return path.length === 1 && taken.has(first) ? "take" : "skip";
    },
    onField: ([name = ""], value) => read.note(name, readFields(value) ?? {}),
    onMessage: read.message,
  });
}

function openQqJsonLines(emit: (piece: ImportPiece) => void, options: ReadingOptions): FormatReader {
  const read = createExportReading(emit, options);
  return openJsonLines(emit, (fields, line) => {
    const kind = fields["_type"];
    if (kind === "header") {
      read.note("chatlab", readFields(fields["chatlab"]) ?? {});
      read.note("meta", readFields(fields["meta"]) ?? {});
    } else if (kind !== "member") read.message(fields, line);
  });
}

/** The messages of one file, in the form that its own head tells. */
function createExportReading(emit: (piece: ImportPiece) => void, { zone }: ReadingOptions) {
  const readTime = createReadTime(zone);
  const notes = new Map<string, Fields>();
  let readMessage: ReadExporterMessage | undefined;

  function begin(): ReadExporterMessage {
    const meta = notes.get("meta") ?? {};
    const chatInfo = notes.get("chatInfo") ?? {};
    const isChatlab = notes.has("chatlab");
    const platform = isChatlab ? readText(meta["platform"]) : "qq";
    const chat: SourceChat = {
      name: readText((isChatlab ? meta : chatInfo)["name"]),
      source: `${platform}:${(isChatlab ? readId(meta["groupId"]) : readId(chatInfo["peerUin"])) ?? ""}`,
      sharesIds: false,
    };
    emit({ kind: "chat", chat });
    return isChatlab ? readChatlabMessage(platform) : readExporterMessage(readId(chatInfo["selfUin"]));
  }

  return {
    note: (name: string, fields: Fields) => void notes.set(name, fields),
    message(fields: Fields, line: number) {
      readMessage ??= begin();
      const read = readMessage(fields, readTime);
      if (read === undefined) emit({ kind: "faulty", line, reason: "it has no sender, time or text that can be read" });
      else if (read !== "empty") emit({ kind: "message", line, message: read });
    },
  };
}
