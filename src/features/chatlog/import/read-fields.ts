/** Untrusted fields by their names; they may be missing or of any type. */
export type Fields = Readonly<Record<string, unknown>>;

export function readFields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** "" = there is none. */
export function readText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A number or a text, as text; undefined = there is none. */
export function readId(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 200) : undefined;
}

/** The number of an account; undefined if it is none. */
export function readAccount(value: unknown): string | undefined {
  const id = readId(value);
  return id !== undefined && /^[1-9]\d{0,19}$/.test(id) ? id : undefined;
}

export function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
