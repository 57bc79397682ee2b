import type { FormatName, ImportPiece } from "../../../../src/features/chatlog/import/import-format.ts";
import { readExport } from "../../../../src/features/chatlog/import/read-export.ts";

/** The content of an export, as one list; `size` = bytes of each part it comes in. */
export async function collectExport(
  bytes: Uint8Array,
  { format, size = 65_536, zone = "Asia/Shanghai" }: { format?: FormatName; size?: number; zone?: string } = {},
): Promise<{ readonly format: FormatName | undefined; readonly pieces: readonly ImportPiece[] }> {
  async function* cut() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const read = await readExport(cut, { zone, ...(format !== undefined && { format }) });
  if (read.kind !== "opened") return { format: undefined, pieces: [] };
  const pieces: ImportPiece[] = [];
  for await (const part of read.pieces) pieces.push(...part);
  return { format: read.format, pieces };
}

/** One line a piece: `chat NAME SOURCE`, `LINE TIME NAME(PERSON)#ID TEXT`, `LINE faulty`. */
export function showPieces(pieces: readonly ImportPiece[]): readonly string[] {
  return pieces.map((piece) => {
    switch (piece.kind) {
      case "chat":
        return `chat ${piece.chat.name} ${piece.chat.source} ${piece.chat.sharesIds ? "shared" : "own"}`;
      case "faulty":
        return `${piece.line} faulty`;
      case "message": {
        const { at, id = "", sender, text } = piece.message;
        const { name, person = "", self } = sender;
        const who = `${name}(${person})${self === true ? "!" : ""}#${id}`;
        return `${piece.line} ${new Date(at).toISOString().slice(0, 19)} ${who} ${text}`;
      }
    }
  });
}
