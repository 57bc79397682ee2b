import { createHash } from "node:crypto";

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** RFC 8785: object keys sorted by UTF-16 code units, no white space, numbers as ECMAScript prints them. */
export function toCanonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${toCanonicalJson(item)}`).join(",")}}`;
}

/** SHA-256 of the canonical form, 64 hexadecimal characters. */
export function hashJson(value: JsonValue): string {
  return createHash("sha256").update(toCanonicalJson(value)).digest("hex");
}
