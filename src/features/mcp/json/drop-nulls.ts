import type { JsonValue } from "../../../core/canonical-json.ts";
import { isJsonObject } from "../../../core/is-json-object.ts";

/** Many servers write null for what they leave out. */
export function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}

/** Takes the nulls out of objects, at any depth. */
export function dropNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => dropNulls(item));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [key, dropNulls(item)]));
}
