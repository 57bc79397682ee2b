import { decodeText } from "./decode-text.ts";
import { chatlabFormat } from "./formats/chatlab.ts";
import { jsonlFormat } from "./formats/jsonl.ts";
import { oneBotFormat } from "./formats/onebot.ts";
import { qqExporterJsonFormat } from "./formats/qq-exporter-json.ts";
import { qqExporterTextFormat } from "./formats/qq-exporter-text.ts";
import { qqTextFormat } from "./formats/qq-text.ts";
import { qqntListFormat } from "./formats/qqnt-list.ts";
import { telegramFormat } from "./formats/telegram.ts";
import { wechatChatlogFormat } from "./formats/wechat-chatlog.ts";
import { wechatCsvFormat } from "./formats/wechat-csv.ts";
import { wechatJsonFormat } from "./formats/wechat-json.ts";
import { wechatTextFormat } from "./formats/wechat-text.ts";
import type {
  ExportSurvey,
  FormatName,
  ImportedMessage,
  ImportFormat,
  ImportPiece,
  ReadingOptions,
  SourceChat,
} from "./import-format.ts";
import { readManifest, type Manifest } from "./read-manifest.ts";
import { surveyExport } from "./survey-export.ts";

/** The first one that recognises a file reads it. */
const jsonFormats: readonly ImportFormat[] = [
  chatlabFormat,
  jsonlFormat,
  oneBotFormat,
  wechatChatlogFormat,
  wechatJsonFormat,
  qqntListFormat,
  telegramFormat,
  qqExporterJsonFormat,
];
const textFormats: readonly ImportFormat[] = [qqExporterTextFormat, qqTextFormat, wechatCsvFormat, wechatTextFormat];

/** Far above the limits of all platforms. */
const maxTextLength = 32_000;
const maxNameLength = 200;

/** The result of looking at a file. */
export type ExportReading =
  /** `looksLike` = the best guess at the kind of file. */
  | { readonly kind: "unrecognised"; readonly looksLike: string }
  /** The messages are in other files next to it. */
  | { readonly kind: "manifest"; readonly manifest: Manifest }
  | {
      readonly kind: "opened";
      readonly format: FormatName;
      readonly looksLike: string;
      readonly pieces: AsyncIterable<readonly ImportPiece[]>;
    };

/**
 * Reads the export from a file's bytes, part by part: memory does not depend on its size. The file is read twice, since
 * its format and the names of its chats may come after its messages.
 */
export async function readExport(
  openBytes: () => AsyncIterable<Uint8Array>,
  options: ReadingOptions & { readonly format?: FormatName },
): Promise<ExportReading> {
  const survey = await surveyExport(openBytes());
  const manifest = survey.json && readManifest(survey.json);
  if (manifest !== undefined) return { kind: "manifest", manifest };
  const looksLike = describeSurvey(survey);
  // A JSON file may quote what text formats begin with.
  const all = survey.json === undefined ? [...textFormats, ...jsonFormats] : jsonFormats;
  const format = chooseFormat(all, survey, options.format);
  if (format === undefined) return { kind: "unrecognised", looksLike };
  const pieces = readPieces(format, survey, decodeText(openBytes()), options);
  return { kind: "opened", format: format.name, looksLike, pieces };
}

/** When a given name has several shapes, the plainest reads a file that none of them recognises. */
function chooseFormat(
  all: readonly ImportFormat[],
  survey: ExportSurvey,
  wanted: FormatName | undefined,
): ImportFormat | undefined {
  const found = all.find((one) => (wanted === undefined || one.name === wanted) && one.recognises(survey));
  if (found !== undefined || wanted === undefined) return found;
  return [...textFormats, ...jsonFormats].findLast(({ name }) => name === wanted);
}

async function* readPieces(
  format: ImportFormat,
  survey: ExportSurvey,
  texts: AsyncIterable<string>,
  options: ReadingOptions,
): AsyncGenerator<readonly ImportPiece[]> {
  let pieces: ImportPiece[] = [];
  const reader = format.open((piece) => pieces.push(tidy(piece)), options, survey);
  const takeAll = (): readonly ImportPiece[] => {
    const ready = pieces;
    pieces = [];
    return ready;
  };
  for await (const text of texts) {
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
        chat: { ...piece.chat, ...tidyChat(piece.chat) },
      };
    case "message":
      return { ...piece, message: tidyMessage(piece.message) };
    case "faulty":
      return piece;
  }
}

function tidyChat({ id, name, source }: SourceChat): Pick<SourceChat, "id" | "name" | "source"> {
  return { name: toLabel(name), source: toLabel(source), ...(id !== undefined && { id: toLabel(id) }) };
}

function tidyMessage({ text, sender, ...message }: ImportedMessage): ImportedMessage {
  const clean = text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1)}…` : text;
  const stored = clean.replaceAll("\0", "").toWellFormed().trimEnd();
  return { ...message, text: stored, sender: { ...sender, name: toLabel(sender.name) || "?" } };
}

function toLabel(text: string): string {
  return text
    .slice(0, maxNameLength)
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .toWellFormed()
    .trim();
}

const maxKeysShown = 8;
const maxLineShown = 60;

/** Describes a file that no format recognizes, so that its owner sees why it was not read. */
function describeSurvey({ head, json }: ExportSurvey): string {
  if (json !== undefined) {
    const messages = [...json.messageKeys].filter((key) => !key.includes("."));
    if (messages.length > 0) return `${describeContainer(json.container)} of messages with ${listKeys(messages)}`;
    return `${describeContainer(json.container)} with ${listKeys(json.rootKeys)}`;
  }
  const text = head.trimStart();
  if (text === "") return "an empty file";
  if (text.startsWith("{") || text.startsWith("[")) return "JSON without messages, or JSON that breaks off";
  if (text.startsWith("<")) return "a web page or XML";
  const [first = ""] = text.split("\n", 1);
  const line = first.trim();
  return `text that begins with "${line.length > maxLineShown ? `${line.slice(0, maxLineShown)}…` : line}"`;
}

function describeContainer(container: "document" | "lines"): string {
  return container === "lines" ? "JSON, one object a line," : "a JSON document";
}

function listKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, maxKeysShown).join(", ");
  return keys.length > maxKeysShown ? `${shown} and more` : shown || "no keys";
}
