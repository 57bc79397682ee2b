import type { JsonValue } from "../../../core/canonical-json.ts";
import type { JsonObject } from "../../../core/conversation.ts";
import { isJsonObject } from "../../../core/is-json-object.ts";
import { mapSubschemas } from "./walk-schema.ts";

/** Schemas that one may become; a larger one keeps its references. A few lines can branch without end. */
const maxSchemas = 2_000;
const maxDepth = 48;

/**
 * A schema with its references replaced by their targets: not every model server follows references. One that contains
 * itself is followed once. Returns undefined if it has none and defines nothing, or would become too large.
 */
export function inlineReferences(root: JsonObject): JsonObject | undefined {
  let count = 0;
  let found = false;
  function inline(schema: JsonObject, path: readonly string[], depth: number): JsonObject {
    count += 1;
    if (count > maxSchemas || depth > maxDepth) throw new TooLarge();
    const { $ref: reference, ...rest } = schema;
    const target = typeof reference === "string" ? findTarget(root, reference) : undefined;
    if (typeof reference !== "string" || target === undefined)
      return mapSubschemas(schema, (one) => inline(one, path, depth + 1));
    found = true;
    if (path.includes(reference))
      return { ...(target["type"] !== undefined && { type: target["type"] }), ...inline(rest, path, depth + 1) };
    const { $defs: _, definitions: _old, ...plain } = target;
    return { ...inline(plain, [...path, reference], depth + 1), ...inline(rest, path, depth + 1) };
  }
  try {
    const { $defs, definitions, ...own } = root;
    const inlined = inline(own, [], 0);
    // Some say what nothing refers to.
    return found || $defs !== undefined || definitions !== undefined ? inlined : undefined;
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/** RFC 6901, inside of the schema only. */
function findTarget(root: JsonObject, reference: string): JsonObject | undefined {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  let at: JsonValue | undefined = root;
  for (const part of reference.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as JsonObject)[key];
  }
  return isJsonObject(at) ? at : undefined;
}
