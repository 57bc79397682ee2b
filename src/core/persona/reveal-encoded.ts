/**
 * The text with what a machine can read back at once read back: percent-encoding, HTML entities, `\u` escapes, hexadecimal,
 * Base32 and Base64, also inside of one another. For comparing only: a long word may look like Base64 and comes out as anything.
 */
export function revealEncoded(text: string): string {
  let shown = text;
  for (let round = 0; round < maxRounds; round += 1) {
    const next = revealOnce(shown);
    if (next === shown) break;
    shown = next;
  }
  return shown;
}

/** ROT13 of the Latin letters. */
export function rotate(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter < "a" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** The text read from its end, character by character. */
export function reverse(text: string): string {
  return Array.from(text).toReversed().join("");
}

/** Encodings inside of one another that are followed. */
const maxRounds = 3;
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function revealOnce(text: string): string {
  return text
    .replace(/[0-9a-f]{16,}/gi, (digits) => readHexadecimal(digits))
    .replace(/[A-Z2-7]{16,}={0,6}/g, (word) => readBase32(word))
    .replace(/[A-Za-z0-9+/_-]{12,}/g, (word) => readBase64(word))
    .replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/\\x([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/[\u0080-\u00FF]{2,}/g, (bytes) => Buffer.from(bytes, "latin1").toString("utf8"))
    .replace(/\\u\{?([0-9a-f]{4,6})\}?/gi, (whole, digits: string) => toCharacter(Number.parseInt(digits, 16), whole))
    .replace(/&#x([0-9a-f]{1,6});/gi, (whole, digits: string) => toCharacter(Number.parseInt(digits, 16), whole))
    .replace(/&#([0-9]{1,7});/g, (whole, digits: string) => toCharacter(Number(digits), whole))
    .replace(/&([a-z]{2,4});/gi, (whole, name: string) => entities[name.toLowerCase()] ?? whole);
}

function toCharacter(code: number, fallback: string): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : fallback;
}

function readHexadecimal(digits: string): string {
  const read = Buffer.from(digits, "hex").toString("utf8");
  return isText(read) ? read : digits;
}

/** RFC 4648, without checking the padding. */
function readBase32(word: string): string {
  const bytes: number[] = [];
  let bits = 0;
  let known = 0;
  for (const letter of word.replaceAll("=", "")) {
    bits = ((bits << 5) | "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter)) & 0xf_ff;
    known += 5;
    if (known < 8) continue;
    known -= 8;
    bytes.push((bits >> known) & 0xff);
  }
  const read = Buffer.from(bytes).toString("utf8");
  return isText(read) ? read : word;
}

function readBase64(word: string): string {
  const read = Buffer.from(word, "base64").toString("utf8");
  return isText(read) ? read : word;
}

/** Bytes that are no text come out as replacement and control characters; a cut one at either end does not count. */
function isText(read: string): boolean {
  const strange = read.match(/[\uFFFD\p{Cc}]/gu)?.length ?? 0;
  return read !== "" && strange * 8 <= read.length + 8;
}
