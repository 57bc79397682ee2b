import type { JsonValue } from "../../../core/canonical-json.ts";
import type { JsonObject } from "../../../core/conversation.ts";
import { isJsonObject } from "../../../core/is-json-object.ts";
import { walkSchema } from "./walk-schema.ts";

const types = ["string", "number", "integer", "boolean", "object", "array", "null"];
/** Common misspellings of these types. */
const otherNames: Readonly<Record<string, string | undefined>> = {
  str: "string",
  text: "string",
  int: "integer",
  long: "integer",
  float: "number",
  double: "number",
  bool: "boolean",
  dict: "object",
  list: "array",
};

const isNumber = (value: JsonValue): boolean => typeof value === "number";
const isText = (value: JsonValue): boolean => typeof value === "string";
const isFilledList = (value: JsonValue): boolean => Array.isArray(value) && value.length > 0;
const isSchema = (value: JsonValue): boolean => isJsonObject(value) || typeof value === "boolean";

/** The required type of each keyword; a value of another type means nothing, and some validators throw over it. */
const kinds: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  ...Object.fromEntries(
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"].map((key) => [key, isNumber]),
  ),
  ...Object.fromEntries(
    ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map((key) => [key, isNumber]),
  ),
  ...Object.fromEntries(["enum", "anyOf", "oneOf", "allOf"].map((key) => [key, isFilledList])),
  ...Object.fromEntries(
    ["properties", "patternProperties", "$defs", "definitions", "dependencies"].map((key) => [key, isJsonObject]),
  ),
  ...Object.fromEntries(["pattern", "format", "$ref", "description", "title"].map((key) => [key, isText])),
  required: (value) => Array.isArray(value) && value.every((one: JsonValue) => typeof one === "string"),
  uniqueItems: (value) => typeof value === "boolean",
  additionalProperties: isSchema,
  not: isSchema,
  items: (value) => isSchema(value) || Array.isArray(value),
  type: (value) => isText(value) || isFilledList(value),
};

/** Formats of the specification. A validator warns on the terminal about each one that it does not know. */
const formats: readonly JsonValue[] = (
  "date-time date time duration email hostname ipv4 ipv6 uri uri-reference " +
  "uri-template uuid regex json-pointer relative-json-pointer"
).split(" ");

/** The same schema in the vocabulary of current drafts, without meaningless keywords. */
export function tidySchema(schema: JsonObject): JsonObject {
  return walkSchema(schema, tidyKeywords);
}

function tidyKeywords(schema: JsonObject): JsonObject {
  const { type, nullable, ...rest } = readDraft4(schema);
  const kept = Object.entries(rest).filter(
    ([key, value]) =>
      key === "default" || key === "const" || (value !== null && (kinds[key]?.(value) ?? true) && isKnown(key, value)),
  );
  const named = type === undefined ? [] : readTypes(type);
  if (nullable === true && named.length > 0 && !named.includes("null")) named.push("null");
  const told = named.length === 0 ? {} : { type: named.length === 1 ? (named[0] ?? "") : named };
  return { ...told, ...Object.fromEntries(kept) };
}

function isKnown(key: string, value: JsonValue): boolean {
  return key !== "format" || formats.includes(value);
}

/** In draft 4 the exclusive limits are flags of the others. */
function readDraft4(schema: JsonObject): JsonObject {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const lower = exclusiveMinimum === true && typeof minimum === "number";
  const upper = exclusiveMaximum === true && typeof maximum === "number";
  if (!lower && !upper) return schema;
  const gone = [...(lower ? ["minimum"] : []), ...(upper ? ["maximum"] : [])];
  const rest = Object.entries(schema).filter(([key]) => !gone.includes(key));
  return {
    ...Object.fromEntries(rest),
    ...(lower && { exclusiveMinimum: minimum }),
    ...(upper && { exclusiveMaximum: maximum }),
  };
}

/** `any` is no limit. An unknown type stays: its meaning is the server's. */
function readTypes(type: JsonValue): JsonValue[] {
  const given = [type].flat() as readonly JsonValue[];
  const read = given.map((one) => {
    if (typeof one !== "string" || types.includes(one)) return one;
    const plain = one.toLowerCase();
    return types.includes(plain) ? plain : (otherNames[plain] ?? one);
  });
  return read.some((one) => one === "any") ? [] : [...new Set(read)];
}
