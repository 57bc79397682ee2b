import { parseJson } from "../../../core/parse-json.ts";
import type { FormatReader, ImportPiece } from "./import-format.ts";
import { readFields, type Fields } from "./read-fields.ts";
import { createJsonScanner, type JsonPath, type JsonStep } from "./scan-json.ts";

/** One JSON document with messages in it. Values that are not asked for are never held. */
export function openJsonExport(
  emit: (piece: ImportPiece) => void,
  parts: {
    readonly choose: (path: JsonPath) => JsonStep;
    /** A taken value that is no message. */
    readonly onField: (path: JsonPath, value: unknown) => void;
    /** Elements of a list called messages, and of a list that is the whole document. */
    readonly onMessage: (message: Fields, line: number) => void;
    readonly onClose?: (path: JsonPath) => void;
  },
): FormatReader {
  const { choose, onField, onMessage, onClose } = parts;
  const scanner = createJsonScanner({
    choose,
    onValue(path, text, line) {
      const isMessage = path.at(-1) === "*";
      if (text === undefined) {
        if (isMessage) emit({ kind: "faulty", line, reason: "it is longer than any message" });
        return;
      }
      const value = parseJson(text);
      if (!isMessage) return onField(path, value);
      const message = readFields(value);
      if (message === undefined) emit({ kind: "faulty", line, reason: "it is no message" });
      else onMessage(message, line);
    },
    ...(onClose !== undefined && { onClose }),
    onBroken: (line) =>
      emit({ kind: "faulty", line, reason: "the file breaks off or is no JSON from here on", isEnd: true }),
  });
  return { push: scanner.push, end: () => void scanner.end() };
}
