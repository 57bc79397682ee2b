import { decodeText } from "./decode-text.ts";
import { FileRefused } from "./file-faults.ts";
import type { FileAnswer } from "./types.ts";

/** A text without what editors hide: the mark at its beginning, and line ends other than "\n". */
export interface ShapedText {
  readonly text: string;
  /** The bytes of another text in the same shape. */
  readonly shape: (text: string) => Buffer;
}

const mark = Buffer.from("\uFEFF");

/**
 * Reads a file for changing it. Where every line ends in "\r\n" the text is shown with "\n" and written back as it was;
 * with line ends of both kinds it stays as it is, since the right one for a new line is unknown.
 */
export function readShaped(bytes: Buffer, path: string): FileAnswer<ShapedText> {
  const hasMark = bytes.subarray(0, mark.length).equals(mark);
  let text: string;
  try {
    text = decodeText(bytes, path);
  } catch (error) {
    if (error instanceof FileRefused) return { ok: false, error: error.message };
    throw error;
  }
  const isCrlf = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  return {
    ok: true,
    text: isCrlf ? withoutCarriage(text) : text,
    shape: (changed) => {
      const lines = isCrlf ? withoutCarriage(changed).replaceAll("\n", "\r\n") : changed;
      return Buffer.concat([hasMark ? mark : Buffer.alloc(0), Buffer.from(lines, "utf8")]);
    },
  };
}

/** The same for a text that shall be found in one or put into it. */
export function matchLineEnds(wanted: string, text: string): string {
  return text.includes("\r\n") ? wanted : withoutCarriage(wanted);
}

const withoutCarriage = (text: string): string => text.replaceAll("\r\n", "\n");
