import type { JsonValue } from "../../../core/canonical-json.ts";
import type { JsonObject } from "../../../core/conversation.ts";
import { isJsonObject } from "../../../core/is-json-object.ts";

/** They hold names, not keywords, one level down. */
const named = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
/** They hold values, not schemas. */
const literal = ["const", "enum", "default", "examples", "required"];

/** Mends each schema in a schema, the outer ones first. */
export function walkSchema(schema: JsonObject, mend: (one: JsonObject) => JsonObject): JsonObject {
  return mapSubschemas(mend(schema), (one) => walkSchema(one, mend));
}

/** Maps the schemas directly in a schema, also those in keywords that we do not know: a `$ref` may lead there. */
export function mapSubschemas(schema: JsonObject, map: (one: JsonObject) => JsonObject): JsonObject {
  const visit = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map((item: JsonValue) => visit(item));
    return isJsonObject(value) ? map(value) : value;
  };
  const entries = Object.entries(schema).map(([key, value]): [string, JsonValue] => {
    if (literal.includes(key)) return [key, value];
    if (named.includes(key) && isJsonObject(value))
      return [key, Object.fromEntries(Object.entries(value).map(([name, item]) => [name, visit(item)]))];
    return [key, visit(value)];
  });
  return Object.fromEntries(entries);
}
