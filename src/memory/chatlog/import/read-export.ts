import { decodeText } from "./decode-text.ts";
import { jsonlFormat } from "./formats/jsonl.ts";
import { oneBotFormat, oneBotLinesFormat } from "./formats/onebot.ts";
import { qqExporterTextFormat } from "./formats/qq-exporter-text.ts";
import { qqJsonFormat, qqJsonLinesFormat } from "./formats/qq-json.ts";
import { qqTextFormat } from "./formats/qq-text.ts";
import { telegramFormat } from "./formats/telegram.ts";
import { wechatCsvFormat } from "./formats/wechat-csv.ts";
import { wechatJsonFormat } from "./formats/wechat-json.ts";
import { wechatTextFormat } from "./formats/wechat-text.ts";
import type { FormatName, ImportedMessage, ImportFormat, ImportPiece, ReadingOptions } from "./import-format.ts";

/** The first one that recognises a file reads it. */
const formats: readonly ImportFormat[] = [
  qqExporterTextFormat,
  qqTextFormat,
  wechatCsvFormat,
  wechatTextFormat,
  qqJsonLinesFormat,
  qqJsonFormat,
  wechatJsonFormat,
  telegramFormat,
  oneBotFormat,
  oneBotLinesFormat,
  jsonlFormat,
];

/** By so many characters a format is recognised. */
const headSize = 32_768;
/** Far above what any platform lets anybody write. */
const longestText = 32_000;
const longestName = 200;

/** The next pieces of an export, as many as a part of the file held. */
export type ExportReading =
  | { readonly kind: "unrecognised" }
  | { readonly kind: "opened"; readonly format: FormatName; readonly pieces: AsyncIterable<readonly ImportPiece[]> };

/**
 * Reads the export of a file's bytes, part by part: memory does not depend on its size. `format` is told by the first
 * characters where it is not given.
 */
export async function readExport(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadingOptions & { readonly format?: FormatName },
): Promise<ExportReading> {
  const text = decodeText(bytes);
  let head = "";
  while (head.length < headSize) {
    const next = await text.next();
    if (next.done === true) break;
    head += next.value;
  }
  const beginning = head.slice(0, headSize);
  const wanted = formats.filter(({ name }) => options.format === undefined || name === options.format);
  // Of several shapes under a name that was given, the last is the plainest.
  const given = options.format === undefined ? undefined : wanted.at(-1);
  const format = wanted.find((one) => one.recognises(beginning)) ?? given;
  if (format === undefined) return { kind: "unrecognised" };
  return { kind: "opened", format: format.name, pieces: readPieces(format, head, text, options) };
}

async function* readPieces(
  format: ImportFormat,
  head: string,
  rest: AsyncIterable<string>,
  options: ReadingOptions,
): AsyncGenerator<readonly ImportPiece[]> {
  let pieces: ImportPiece[] = [];
  const reader = format.open((piece) => pieces.push(tidy(piece)), options);
  const takeAll = (): readonly ImportPiece[] => {
    const ready = pieces;
    pieces = [];
    return ready;
  };
  reader.push(head);
  yield takeAll();
  for await (const text of rest) {
    reader.push(text);
    yield takeAll();
  }
  reader.end();
  yield takeAll();
}

/** Within the limits of a message, and storable: Postgres takes no NUL, and half a character is none. */
function tidy(piece: ImportPiece): ImportPiece {
  switch (piece.kind) {
    case "chat":
      return {
        kind: "chat",
        chat: { ...piece.chat, name: toLabel(piece.chat.name), source: toLabel(piece.chat.source) },
      };
    case "message":
      return { ...piece, message: tidyMessage(piece.message) };
    case "faulty":
      return piece;
  }
}

function tidyMessage({ text, sender, ...message }: ImportedMessage): ImportedMessage {
  const clean = text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
  const stored = clean.replaceAll("\0", "").toWellFormed().trimEnd();
  return { ...message, text: stored, sender: { ...sender, name: toLabel(sender.name) || "?" } };
}

function toLabel(text: string): string {
  return text
    .slice(0, longestName)
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .toWellFormed()
    .trim();
}
