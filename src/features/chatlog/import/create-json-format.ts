import type {
  ExportSurvey,
  FormatReader,
  ImportFormat,
  ImportPiece,
  JsonMessageFormat,
  JsonMessageReader,
  ReadingOptions,
  SourceChat,
} from "./import-format.ts";
import { parseJson } from "../../../core/parse-json.ts";
import { readFields, type Fields } from "./read-fields.ts";
import { createReadTime } from "./read-time.ts";
import { walkMessages } from "./walk-messages.ts";
import { createLineSplitter } from "./split-lines.ts";

type Emit = (piece: ImportPiece) => void;

/** A format for messages of that shape: in a document with lists of them, in a list that is the document, or one a line. */
export function createJsonFormat(messages: JsonMessageFormat): ImportFormat {
  return {
    name: messages.name,
    recognises: ({ json }) => json !== undefined && messages.recognises(json),
    open(emit, options, survey) {
      const isLines =
        survey.json === undefined ? !survey.head.trimStart().startsWith("[") : survey.json.container === "lines";
      return (isLines ? openLines : openDocument)(emit, createReading(messages, emit, options), survey);
    },
  };
}

/** Reads messages of one file, chat by chat. */
interface Reading {
  begin(beside: Fields, root: Fields): void;
  message(message: Fields, line: number): void;
}

function createReading(messages: JsonMessageFormat, emit: Emit, options: ReadingOptions): Reading {
  const readTime = createReadTime(options.zone);
  let reader: JsonMessageReader | undefined;
  let told: SourceChat | undefined;

  function tell(chat: SourceChat): void {
    const isSame = told !== undefined && (["id", "source", "name"] as const).every((key) => told?.[key] === chat[key]);
    if (!isSame) emit({ kind: "chat", chat });
    told = chat;
  }

  return {
    begin(beside, root) {
      reader = messages.begin({ beside: { ...beside, ...options.beside }, root, readTime });
      told = undefined;
    },
    message(message, line) {
      const read = reader?.read(message);
      if (read === undefined) return emit({ kind: "faulty", line, reason: `it needs ${messages.needs}` });
      if (read === "empty" || reader === undefined) return;
      tell(reader.describeChat(message));
      emit({ kind: "message", line, message: read });
    },
  };
}

function openDocument(emit: Emit, reading: Reading, { json }: ExportSurvey): FormatReader {
  let current: number | undefined;
  const walk = walkMessages({
    wants: () => true,
    onMessage(text, line, holder) {
      if (holder !== current) reading.begin(json?.holders[holder] ?? {}, json?.root ?? {});
      current = holder;
      if (text === undefined) return emit({ kind: "faulty", line, reason: "it is longer than any message" });
      const message = readFields(parseJson(text));
      if (message === undefined) emit({ kind: "faulty", line, reason: "it is no message" });
      else reading.message(message, line);
    },
    onBroken: (line) =>
      emit({ kind: "faulty", line, reason: "the file breaks off or is no JSON from here on", isEnd: true }),
  });
  return { push: walk.push, end: () => void walk.end() };
}

/** The first line may describe the chat, and others its members (`_type`, as ChatLab has it). */
function openLines(emit: Emit, reading: Reading, { json }: ExportSurvey): FormatReader {
  reading.begin(json?.root ?? {}, json?.root ?? {});
  return openJsonLines(emit, (fields, line) => {
    if (fields["_type"] !== "header" && fields["_type"] !== "member") reading.message(fields, line);
  });
}

/** Reads one JSON object per line; skips empty lines and comments (#) and reports all others as faulty. */
function openJsonLines(
  emit: (piece: ImportPiece) => void,
  onFields: (fields: Fields, line: number) => void,
): FormatReader {
  return createLineSplitter((text, line) => {
    const trimmed = text.trim();
    if (trimmed === "" || trimmed.startsWith("#")) return;
    const fields = readFields(parseJson(trimmed));
    if (fields === undefined) emit({ kind: "faulty", line, reason: "it is no JSON object" });
    else onFields(fields, line);
  });
}
