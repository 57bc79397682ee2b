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
