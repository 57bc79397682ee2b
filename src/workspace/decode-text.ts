import { FileRefused } from "./file-faults.ts";

/** Bytes as text, without a mark at its beginning. Only UTF-8 without NUL is text. */
export function decodeText(bytes: Buffer, shown: string): string {
  if (hasMark(bytes, 0xff, 0xfe) || hasMark(bytes, 0xfe, 0xff)) {
    const remedy = `make it UTF-8 in the shell (iconv -f UTF-16 -t UTF-8 -o new old)`;
    throw new FileRefused(`"${shown}" is not a text file that can be used: it is UTF-16; ${remedy}.`);
  }
  const binary = new FileRefused(
    `"${shown}" is not a text file (${bytes.length} bytes that are no UTF-8); look at it in the shell (file, xxd, iconv).`,
  );
  if (bytes.includes(0)) throw binary;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw binary;
  }
}

function hasMark(bytes: Buffer, first: number, second: number): boolean {
  return bytes[0] === first && bytes[1] === second;
}
