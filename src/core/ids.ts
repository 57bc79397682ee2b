import { randomBytes, randomInt } from "node:crypto";

/** Letters and digits that people do not mistake for one another (no 0 O 1 I L). */
const readableAlphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/** A sortable unique id: 48 bits of time, then 56 random bits, as 26 lower-case hexadecimal characters after the prefix. */
export function createId(prefix: string, now: number): string {
  return `${prefix}_${now.toString(16).padStart(12, "0")}${randomBytes(7).toString("hex")}`;
}

/** A random code that people can read out and type, such as `K7Q2`. */
export function createReadableCode(length: number): string {
  return Array.from({ length }, () => readableAlphabet[randomInt(readableAlphabet.length)]).join("");
}

/**
 * A random code that a person passes on by hand, such as `8QJ4-M2XT`. It has a digit, so that it is still told from two
 * words when they type it in lower case and with a space: `8qj4 m2xt`.
 */
export function createPairingCode(): string {
  const code = `${createReadableCode(4)}-${createReadableCode(4)}`;
  return /\d/.test(code) ? code : createPairingCode();
}
