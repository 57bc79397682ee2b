import type { Fields } from "./read-fields.ts";
import type { ReadTime } from "./read-time.ts";

/** The names of formats on the command line. */
export const formatNames = ["telegram", "qq-text", "qq-json", "wechat", "onebot", "jsonl"] as const;
export type FormatName = (typeof formatNames)[number];

/** One chat of an export. */
export interface SourceChat {
  /** "" if the file does not name it. */
  readonly name: string;
  /** The space that the ids of its messages count in; "" if the file does not show it. */
  readonly source: string;
  /**
   * Its own id, with platform and kind (`telegram:channel:9`); absent if the file has none, so that its name is used
   * instead.
   */
  readonly id?: string;
  /** The ids of its messages are those that the platform's channel here sees, too. */
  readonly sharesIds: boolean;
}

/** One message as an export has it. */
export interface ImportedMessage {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sender: {
    readonly name: string;
    /** An account, where the format has ids: `telegram:1`, `qq:2`. */
    readonly person?: string;
    /** According to the file, the exporting person wrote this. */
    readonly self?: true;
  };
  readonly text: string;
  /** Unique within its chat; absent = the format has none. */
  readonly id?: string;
}

/** Part of an export, in the order of the file. Messages belong to the chat before them. */
export type ImportPiece =
  | { readonly kind: "chat"; readonly chat: SourceChat }
  /** `line` = where it begins, counted from 1. */
  | { readonly kind: "message"; readonly line: number; readonly message: ImportedMessage }
  /** It cannot be read; the rest can, unless the file ends there. */
  | { readonly kind: "faulty"; readonly line: number; readonly reason: string; readonly isEnd?: true };

export interface ReadingOptions {
  /** IANA zone of times that name none. */
  readonly zone: string;
  /** The chat that this file is a chunk of, as the manifest describes it. */
  readonly beside?: Fields;
}

/** Takes the text of one file, in parts of any size. */
export interface FormatReader {
  push(text: string): void;
  end(): void;
}

/** The structure of a file, found by one pass over it before its messages are read. */
export interface ExportSurvey {
  /** Its first 32,768 characters: text formats say there what they are. */
  readonly head: string;
  /** Absent = it holds no JSON. */
  readonly json?: JsonShape;
}

/** The structure of a JSON file of any size and with its keys in any order. */
export interface JsonShape {
  /** One document with lists of messages in it, or one object per line. */
  readonly container: "document" | "lines";
  /** The keys of messages that were looked at, and of the objects in them (`sender`, `sender.uin`). */
  readonly messageKeys: ReadonlySet<string>;
  /** The fields next to each list of messages, in the order of the lists. */
  readonly holders: readonly Fields[];
  /** The fields at the top of the document, or in the first line of a file of lines. */
  readonly root: Fields;
  /** The keys at the top, to say what the file looks like. */
  readonly rootKeys: readonly string[];
}

/** One shape of an export. */
export interface ImportFormat {
  readonly name: FormatName;
  recognises(survey: ExportSurvey): boolean;
  open(emit: (piece: ImportPiece) => void, options: ReadingOptions, survey: ExportSurvey): FormatReader;
}

/**
 * The parts of a message of a JSON export: its chat, and its content; `empty` = nothing was said, undefined = it cannot
 * be read.
 */
export interface JsonMessageReader {
  describeChat(message: Fields): SourceChat;
  read(message: Fields): ImportedMessage | "empty" | undefined;
}

/** One shape of messages, in any container. */
export interface JsonMessageFormat {
  readonly name: FormatName;
  recognises(shape: JsonShape): boolean;
  /** The fields a message needs, named in the error when it has none of them. */
  readonly needs: string;
  /** `beside` = the fields next to the list of messages. */
  begin(context: { readonly beside: Fields; readonly root: Fields; readonly readTime: ReadTime }): JsonMessageReader;
}
