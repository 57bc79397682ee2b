/** Bytes of a page before which its encoding is declared (HTML, "prescan a byte stream to determine its encoding"). */
const prescan = 4096;

/** Encodings of pages in our languages that name none; the last one fits everything. */
const guesses = ["utf-8", "gb18030", "shift_jis", "windows-1252"];

/**
 * The text of a response in whatever encoding it declares: a byte order mark, the Content-Type header, the page itself,
 * else the first guess that fits all of it. A character cut off at the end is left out.
 */
export function decodeText(body: Uint8Array, contentType: string): string {
  const declared = [findMark(body), findInHeader(contentType), findInPage(body)].find((label) => label !== undefined);
  const decoded = declared === undefined ? undefined : decodeAs(body, declared, false);
  if (decoded !== undefined) return decoded;
  return guesses.map((label) => decodeAs(body, label, true)).find((text) => text !== undefined) ?? "";
}

/** Text has no zero bytes, but for UTF-16 with its mark. */
export function looksBinary(body: Uint8Array): boolean {
  return findMark(body) === undefined && body.subarray(0, prescan).includes(0);
}

function findMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return undefined;
}

function findInHeader(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1];
}

function findInPage(body: Uint8Array): string | undefined {
  const start = Buffer.from(body.subarray(0, prescan)).toString("latin1");
  const label =
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)?.[1] ??
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/i.exec(start)?.[1];
  // A readable declaration is not in UTF-16, whatever it says.
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label;
}

/** Undefined when there is no such encoding, or, with `strict`, when the body is not written in it. */
function decodeAs(body: Uint8Array, label: string, strict: boolean): string | undefined {
  try {
    return new TextDecoder(label, { fatal: strict }).decode(body, { stream: true });
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}
