import { toCanonicalJson, type JsonValue } from "../../core/canonical-json.ts";
import { isJsonObject } from "../../core/is-json-object.ts";
import { isShallow } from "./json/is-shallow.ts";
import { dropNulls } from "./json/drop-nulls.ts";

const maxDepth = 64;

/**
 * The output of a call. By the specification the texts repeat the structured content, and servers do it in many forms; the
 * same data reaches the model once. `left` = what was left out, with reasons.
 */
export function combineOutput(
  texts: readonly string[],
  structured: JsonValue | undefined,
  left: readonly string[],
): JsonValue {
  const missing = left.length > 0 ? { left_out: [...left] } : {};
  const text = texts.join("\n\n");
  if (structured === undefined) return left.length === 0 ? text : { text, ...missing };
  const values = listValues(structured);
  if (left.length === 0 && values.includes(text)) return text;
  const rest = dropRepeated(texts, values);
  if (rest === "" && left.length === 0) return structured;
  return { ...(rest !== "" && { text: rest }), structured, ...missing };
}

/** The content, or its single member: servers wrap a text or a list as `{ "result": … }`. */
function listValues(structured: JsonValue): readonly JsonValue[] {
  const inner = isJsonObject(structured) ? Object.values(structured) : [];
  return inner.length === 1 ? [structured, ...inner] : [structured];
}

/** Keeps only the parts of the texts that do not repeat the values. */
function dropRepeated(texts: readonly string[], values: readonly JsonValue[]): string {
  const forms = new Set(values.map(toForm));
  const isSame = (text: string, form: string | undefined): boolean =>
    form !== undefined && (form === toForm(text) || form === readForm(text));
  // A list may come as one text for each of its items.
  const isSpread = values.some(
    (value) =>
      Array.isArray(value) &&
      value.length === texts.length &&
      texts.every((text, at) => isSame(text, toForm((value as readonly JsonValue[])[at] ?? null))),
  );
  if (isSpread) return "";
  const rest = texts.map((text) => {
    if (forms.has(toForm(text))) return "";
    const whole = readForm(text);
    return whole !== undefined && forms.has(whole) ? "" : cutRepeated(text, forms);
  });
  return rest.filter((text) => text !== "").join("\n\n");
}

/** Returns the words around the same JSON, which may be in a fence. */
function cutRepeated(text: string, forms: ReadonlySet<string>): string {
  const starts = ["{", "["].map((sign) => text.indexOf(sign)).filter((at) => at !== -1);
  const start = Math.min(...starts);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  if (starts.length === 0 || end <= start) return text;
  const form = readForm(text.slice(start, end));
  if (form === undefined || !forms.has(form)) return text;
  const before = dropFence(text.slice(0, start).trimEnd());
  const after = text.slice(end).trimStart();
  const rest = [before, (after.startsWith("```") ? after.slice(3) : after).trim()];
  return rest.filter((part) => part !== "").join("\n");
}

function dropFence(text: string): string {
  const mark = ["```json", "```"].find((end) => text.endsWith(end)) ?? "";
  return text.slice(0, text.length - mark.length).trimEnd();
}

/** The canonical form of a text that is JSON; undefined if it is not. */
function readForm(text: string): string | undefined {
  try {
    return toForm(JSON.parse(text) as JsonValue);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Nulls count as left out: one of both forms often leaves them out. */
function toForm(value: JsonValue): string {
  return isShallow(value, maxDepth) ? toCanonicalJson(dropNulls(value)) : "";
}
