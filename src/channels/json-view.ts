/** Readers for JSON without a guaranteed shape. A wrong shape reads as absent; nothing here throws. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function readRecord(value: unknown): JsonRecord | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;
}

export function readArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

export function readText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function readInteger(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}

/** A platform id as a string. */
export function readId(value: unknown): string | undefined {
  const id = readInteger(value);
  return id === undefined ? undefined : String(id);
}

/** A name or title that strangers chose: one line, at most `limit` UTF-16 units, no half characters. */
export function readLabel(value: unknown, limit = 100): string {
  const start = (readText(value) ?? "").slice(0, limit * 10);
  const line = start.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.slice(0, limit).toWellFormed();
}
