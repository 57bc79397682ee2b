import { parseJson } from "../../../core/parse-json.ts";
import type { FormatReader, ImportPiece } from "./import-format.ts";
import { readFields, type Fields } from "./read-fields.ts";
import { createLineSplitter } from "./split-lines.ts";

/** One JSON object a line; empty lines and comments (#) are passed over, anything else is faulty. */
export function openJsonLines(
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
