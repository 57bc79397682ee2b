import type { JsonValue } from "../../core/canonical-json.ts";

/** Stores a whole text and returns its path, or undefined when that failed. */
type KeepText = (text: string, field: string) => Promise<string | undefined>;

interface LongText {
  readonly path: readonly string[];
  readonly text: string;
}

/** Shorter texts are not cut; it would save too little. */
const shortest = 1_000;

/**
 * Cuts the longest texts of an output in the middle until all of it has at most `limit` characters of JSON. Structure
 * and short fields stay unchanged; a long output without long texts is cut as one text.
 */
export async function cutLongTexts(output: JsonValue, limit: number, keep: KeepText): Promise<JsonValue> {
  const before = measure(output);
  if (before <= limit) return output;
  const long = listLongTexts(output).sort((a, b) => b.text.length - a.text.length);
  const rest = before - long.reduce((sum, { text }) => sum + measure(text), 0);
  const share = long.length === 0 ? 0 : Math.floor((limit - rest) / long.length);
  if (share < shortest) {
    const whole = typeof output === "string" ? output : JSON.stringify(output, null, 1);
    return cutText(whole, limit, await keep(whole, ""));
  }
  let cut = output;
  for (const { path, text } of long) {
    if (measure(text) <= share) continue;
    cut = replaceAt(cut, path, cutText(text, share, await keep(text, path.join("-"))));
  }
  return cut;
}

function measure(value: JsonValue): number {
  return JSON.stringify(value).length;
}

function listLongTexts(value: JsonValue, path: readonly string[] = []): LongText[] {
  if (typeof value === "string") return value.length > shortest ? [{ path, text: value }] : [];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]) => listLongTexts(item, [...path, key]));
}

function replaceAt(value: JsonValue, [key, ...path]: readonly string[], text: string): JsonValue {
  if (key === undefined) return text;
  if (Array.isArray(value))
    return value.map((item: JsonValue, index) => (String(index) === key ? replaceAt(item, path, text) : item));
  const fields = value as { readonly [key: string]: JsonValue };
  return { ...fields, [key]: replaceAt(fields[key] ?? null, path, text) };
}

/** The beginning and end of a text, with the note between them, within `limit` as JSON. */
function cutText(text: string, limit: number, path: string | undefined): string {
  const bytes = Buffer.byteLength(text);
  const where =
    path === undefined ? "it could not be kept; ask for a smaller part" : `whole in ${path}, read it with file_read`;
  for (let half = Math.floor(limit / 2); ; half = Math.floor(half * 0.9)) {
    const start = dropHalfPair(text.slice(0, half));
    const end = dropHalfPair(text.slice(-half));
    const left = bytes - Buffer.byteLength(start) - Buffer.byteLength(end);
    const cut = `${start}\n[… ${left} of ${bytes} bytes left out; ${where} …]\n${end}`;
    if (measure(cut) <= limit || half < 50) return cut;
  }
}

/** Drops half of a surrogate pair that was cut in two. */
function dropHalfPair(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "").replace(/^[\udc00-\udfff]/, "");
}
