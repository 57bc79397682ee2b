import type { JsonObject } from "../core/conversation.ts";
import type { JsonValue } from "../core/canonical-json.ts";
import type { KeptAnswer } from "../core/kept-answer.ts";
import { isJsonObject } from "../core/is-json-object.ts";

/** Characters of JSON. A model's longest thoughts have a quarter of it. */
const maxLength = 1_000_000;

/** Undefined when there is nothing to keep, or far more than any answer carries. */
export function boundKept(kept: KeptAnswer): KeptAnswer | undefined {
  const { from: _from, ...rest } = kept;
  if (Object.keys(rest).length === 0) return undefined;
  return JSON.stringify(kept).length > maxLength ? undefined : kept;
}

/** Text that comes in pieces. A signature may be repeated whole. */
const grows = /reason|think|thought|^(?:text|summary|content)$/i;
const growsUnlessRepeated = /signature|^data$|encrypted/i;

type Fields = Record<string, JsonValue>;

/**
 * Adds the next part of streamed fields to `target`, in place. Text is joined, lists are continued, and entries of a list
 * with the same `index` are one entry (OpenRouter's reasoning_details); of everything else the last value counts.
 */
export function addFields(target: Fields, next: JsonObject): void {
  for (const [key, value] of Object.entries(next)) {
    if (value === null || value === undefined || key === "__proto__") continue;
    const before = target[key];
    if (typeof before === "string" && typeof value === "string") {
      if (growsUnlessRepeated.test(key)) target[key] = before === value ? before : before + value;
      else target[key] = grows.test(key) ? before + value : value;
    } else if (Array.isArray(before) && Array.isArray(value)) {
      for (const entry of value as readonly JsonValue[]) addEntry(before as JsonValue[], entry);
    } else if (isJsonObject(before) && isJsonObject(value)) addFields(before, value);
    else target[key] = structuredClone(value) as JsonValue;
  }
}

function addEntry(list: JsonValue[], entry: JsonValue): void {
  const last = list.at(-1);
  if (isJsonObject(last) && isJsonObject(entry) && continuesEntry(last, entry)) addFields(last, entry);
  else list.push(structuredClone(entry));
}

function continuesEntry(last: JsonObject, entry: JsonObject): boolean {
  const isSame = (key: string): boolean =>
    entry[key] === undefined || last[key] === undefined || entry[key] === last[key];
  return last["index"] !== undefined && last["index"] === entry["index"] && isSame("type") && isSame("id");
}
