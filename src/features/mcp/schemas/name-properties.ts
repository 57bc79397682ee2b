import type { JsonValue } from "../../../core/canonical-json.ts";
import type { JsonObject } from "../../../core/conversation.ts";
import { isJsonObject } from "../../../core/is-json-object.ts";

const maxLength = 64;
const refused = /[^a-zA-Z0-9_.-]/g;

/** Names of properties as model servers take them, by their real ones: `uids[]` is `uids`. */
export function nameProperties(properties: JsonObject): ReadonlyMap<string, string> {
  const real = Object.keys(properties);
  const taken = new Set(real);
  const names = new Map<string, string>();
  /** By base, so that a thousand names with one base are not counted through for each of them. */
  const next = new Map<string, number>();
  for (const name of real) {
    let shown = name;
    if (name === "" || name.length > maxLength || name.search(refused) !== -1) {
      const base = trimEnds(name.replaceAll(refused, "_")).slice(0, maxLength - 4) || "field";
      shown = base;
      let count = next.get(base) ?? 2;
      for (; taken.has(shown); count += 1) shown = `${base}_${count}`;
      next.set(base, count);
      taken.add(shown);
    }
    names.set(name, shown);
  }
  return names;
}

/** The arguments under their real names. `schema` is the one with the real names, references inlined. */
export function restoreNames(input: JsonObject, schema: JsonObject): JsonObject {
  return restoreValue(input, [schema]) as JsonObject;
}

function restoreValue(value: JsonValue, schemas: readonly JsonObject[]): JsonValue {
  const all = schemas.flatMap(listVariants);
  if (all.length === 0) return value;
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items: one }) => ([one].flat() as JsonValue[]).filter(isJsonObject));
    return value.map((item: JsonValue) => restoreValue(item, items));
  }
  if (!isJsonObject(value)) return value;
  const owners = all.flatMap(({ properties }) => (isJsonObject(properties) ? [properties] : []));
  const real = new Map(
    owners.flatMap((one) => [...nameProperties(one)].map(([name, shown]) => [shown, name] as const)),
  );
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => {
    const isReal = owners.some((one) => Object.hasOwn(one, key));
    const meant = isReal ? key : (real.get(key) ?? key);
    const name = meant !== key && Object.hasOwn(value, meant) ? key : meant;
    const inner = owners.flatMap((one) => (Object.hasOwn(one, name) && isJsonObject(one[name]) ? [one[name]] : []));
    return [name, restoreValue(item, inner)];
  });
  return Object.fromEntries(entries);
}

function listVariants(schema: JsonObject): readonly JsonObject[] {
  const lists = [schema["anyOf"], schema["oneOf"], schema["allOf"]].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  return [schema, ...lists.filter(isJsonObject).flatMap(listVariants)];
}

function trimEnds(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text[start] === "_") start += 1;
  while (end > start && text[end - 1] === "_") end -= 1;
  return text.slice(start, end);
}
