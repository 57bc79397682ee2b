/** The names of formats on the command line. */
export const formatNames = ["telegram", "qq-text", "qq-json", "wechat", "onebot", "jsonl"] as const;
export type FormatName = (typeof formatNames)[number];

/** One chat of an export. */
export interface SourceChat {
  /** "" = the file does not tell. */
  readonly name: string;
  /** Tells apart the chats of one platform that have the same name; "" = the file does not tell. */
  readonly source: string;
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
    /** The file says that whoever exported it wrote this. */
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
  /** It cannot be read; the rest can, unless the file is over there. */
  | { readonly kind: "faulty"; readonly line: number; readonly reason: string; readonly isEnd?: true };

export interface ReadingOptions {
  /** IANA zone of times that name none. */
  readonly zone: string;
}

/** Takes the text of one file, in parts of any size. */
export interface FormatReader {
  push(text: string): void;
  end(): void;
}

/** One shape of an export. */
export interface ImportFormat {
  readonly name: FormatName;
  /** Whether a file that begins so is one. */
  recognises(head: string): boolean;
  open(emit: (piece: ImportPiece) => void, options: ReadingOptions): FormatReader;
}
