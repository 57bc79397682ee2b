import type { JsonValue } from "../../core/canonical-json.ts";

/** Keeps a text whole somewhere and answers its path; undefined = it could not be kept. */
type KeepText = (text: string, field: string) => Promise<string | undefined>;

interface LongText {
  readonly path: readonly string[];
  readonly text: string;
}

/** Texts shorter than this stay; it would not help to cut them. */
const shortest = 1_000;

/**
 * The output with its longest texts cut from the middle until all of it is at most `limit` characters of JSON. Shape and
 * short fields stay as they are; an output that is long without long texts is cut as one text.
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

/** Beginning and end of a text that together, with what is said between them, weigh at most `limit` as JSON. */
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

/** A surrogate whose other half was cut away is no character. */
function dropHalfPair(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "").replace(/^[\udc00-\udfff]/, "");
}
