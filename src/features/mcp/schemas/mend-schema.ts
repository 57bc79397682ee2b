import type { JsonValue } from "../../../core/canonical-json.ts";
import type { JsonObject } from "../../../core/conversation.ts";
import { isJsonObject } from "../../../core/is-json-object.ts";
import { describe } from "./describe.ts";
import { inlineReferences } from "./inline-references.ts";
import { mendPattern } from "./mend-pattern.ts";
import { nameProperties } from "./name-properties.ts";
import { tidySchema } from "./tidy-schema.ts";
import { walkSchema } from "./walk-schema.ts";

export interface MendedSchema {
  /** As a model is shown it. */
  readonly parameters: JsonObject;
  /** The keywords that a model reads otherwise than the server wrote them; empty = none. */
  readonly mended: readonly string[];
  /** The same with the real names, to map names back; absent if no name was changed. */
  readonly real?: JsonObject;
}

type Note = (keyword: string) => void;

/** Says nothing to a model, and much to a server that is strict about keywords. */
const silent = ["$schema", "$id", "id", "$anchor", "$comment"];
/** Keywords that model servers take. Any other one may be refused, and says too little to be worth that. */
const shown = new Set(
  (
    "type format title description enum default pattern minLength maxLength minimum maximum items minItems maxItems " +
    "properties required minProperties maxProperties additionalProperties patternProperties anyOf allOf $ref $defs definitions"
  ).split(" "),
);
/** Keywords that are replaced by others, or by words in the description. */
const told = new Set("const oneOf exclusiveMinimum exclusiveMaximum multipleOf uniqueItems prefixItems".split(" "));
/** A server can make up keywords without end. */
const maxMended = 40;
const maxKeywordLength = 40;

/**
 * Converts a schema into one that every model server accepts. A single refused schema would make the request fail with
 * all its tools. The result only ever allows more than the real one, which the executor checks.
 */
export function mendSchema(schema: JsonObject): MendedSchema {
  const mended = new Set<string>();
  const note: Note = (keyword) => {
    if (mended.size < maxMended) mended.add(keyword.slice(0, maxKeywordLength));
  };
  const tidy = tidySchema(schema);
  noteChanges(schema, tidy, note);
  const inlined = inlineReferences(tidy);
  if (inlined !== undefined) note("$ref");
  const real = inlined ?? tidy;
  const renamed: string[] = [];
  const parameters = walkSchema(real, (one) => {
    const plain = mendKeywords(one, note);
    const named = renameProperties(plain);
    if (named === undefined) return plain;
    renamed.push("properties");
    return named;
  });
  const isRenamed = renamed.length > 0;
  return { parameters, mended: [...new Set([...mended, ...renamed])].toSorted(), ...(isRenamed && { real }) };
}

/** Notes the keywords that tidying has changed, at any depth. */
function noteChanges(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  note: Note,
  keyword = "schema",
): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (!isJsonObject(before) || !isJsonObject(after)) {
    if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
      before.forEach((item: JsonValue, at) => noteChanges(item, (after as readonly JsonValue[])[at], note, keyword));
    else note(keyword);
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const isName = keyword === "properties";
    noteChanges(before[key], after[key], note, isName ? "schema" : key);
  }
}

function mendKeywords(schema: JsonObject, note: Note): JsonObject {
  const entries = Object.entries(schema).filter(([key, value]) => {
    if (silent.includes(key) && typeof value === "string") return false;
    const isGone = !(shown.has(key) || told.has(key)) || (key === "additionalProperties" && isEmpty(value));
    const isNothing = key === "default" && value === null;
    if (isGone) note(key);
    return !isGone && !isNothing;
  });
  const steps = [mendPattern, mendType, mendValues, mendWords, mendEnum, mendItems, mendProperties];
  return steps.reduce<JsonObject>((one, step) => step(one, note), Object.fromEntries(entries));
}

/** Not every server takes a list of types: null is left out, and said in words. */
function mendType({ type, ...rest }: JsonObject, note: Note): JsonObject {
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest };
  note("type");
  const others = (type as readonly JsonValue[]).filter((one) => one !== "null");
  const values = rest["enum"];
  const withoutNull = Array.isArray(values) ? { enum: values.filter((one: JsonValue) => one !== null) } : {};
  const plain = others.length < type.length ? describe({ ...rest, ...withoutNull }, "May be null.") : rest;
  if (others.length === 1) return { type: others[0] ?? "string", ...plain };
  // Next to another choice, or with keywords of one of the types, it adds too little to be worth a choice.
  return "anyOf" in plain || others.length === 0 ? plain : { ...plain, anyOf: others.map((one) => ({ type: one })) };
}

/** Keywords that Gemini refuses and others have a word for, in that word; limits that it has none for, in the description. */
function mendWords(schema: JsonObject, note: Note): JsonObject {
  const { const: value, oneOf, exclusiveMinimum, exclusiveMaximum, multipleOf, uniqueItems, ...rest } = schema;
  const said: string[] = [];
  const tell = (keyword: string, words: string): void => {
    note(keyword);
    said.push(words);
  };
  const changed: Record<string, JsonValue> = { ...rest };
  if (oneOf !== undefined) {
    if (changed["anyOf"] !== undefined) note("oneOf");
    changed["anyOf"] ??= oneOf;
  }
  if (typeof value === "string" && value !== "") changed["enum"] = [value];
  else if (value !== undefined) tell("const", `Always ${JSON.stringify(value)}.`);
  if (typeof exclusiveMinimum === "number") {
    changed["minimum"] ??= exclusiveMinimum;
    tell("exclusiveMinimum", `More than ${exclusiveMinimum}.`);
  }
  if (typeof exclusiveMaximum === "number") {
    changed["maximum"] ??= exclusiveMaximum;
    tell("exclusiveMaximum", `Less than ${exclusiveMaximum}.`);
  }
  if (typeof multipleOf === "number") tell("multipleOf", `A multiple of ${multipleOf}.`);
  if (uniqueItems === true) tell("uniqueItems", "Each once.");
  return describe(changed, said.join(" "));
}

/** Gemini accepts only enums of strings; any other is moved into the description. */
function mendEnum({ enum: given, ...rest }: JsonObject, note: Note): JsonObject {
  if (!Array.isArray(given)) return rest;
  const values = given as readonly JsonValue[];
  const isWords = values.every((one) => typeof one === "string" && one !== "");
  if (isWords && values.length > 0 && rest["type"] === "string") return { ...rest, enum: values };
  note("enum");
  return describe(rest, values.length > 0 ? `One of: ${values.map((one) => JSON.stringify(one)).join(", ")}.` : "");
}

/** Values say of what type they are. */
function mendValues(schema: JsonObject, note: Note): JsonObject {
  if (schema["type"] !== undefined || (!("const" in schema) && !("enum" in schema))) return schema;
  const values = "const" in schema ? [schema["const"]] : (schema["enum"] as readonly JsonValue[]);
  const [type, ...others] = new Set(values.map(nameType));
  if (type === undefined || others.length > 0) return schema;
  note("const" in schema ? "const" : "enum");
  return { type, ...schema };
}

function nameType(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

/** A list says what is in it, in one schema. */
function mendItems({ prefixItems, ...schema }: JsonObject, note: Note): JsonObject {
  const { items } = schema;
  const isList = schema["type"] === "array" || items !== undefined || prefixItems !== undefined;
  if (!isList || (isJsonObject(items) && schema["type"] !== undefined && prefixItems === undefined)) return schema;
  note("items");
  const several = [prefixItems, items].find((one) => Array.isArray(one)) as readonly JsonValue[] | undefined;
  const choices = (several ?? []).filter(isJsonObject);
  const type = schema["type"] === undefined && !("anyOf" in schema) ? { type: "array" } : {};
  if (isJsonObject(items)) return { ...type, ...schema };
  return { ...type, ...schema, items: choices.length > 1 ? { anyOf: choices } : (choices[0] ?? {}) };
}

function mendProperties(schema: JsonObject, note: Note): JsonObject {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return schema;
  const known = Object.entries(properties).filter(([, one]) => one !== false);
  const fields = known.map(([name, one]): [string, JsonValue] => [name, isJsonObject(one) ? one : {}]);
  const names = new Set(known.map(([name]) => name));
  const isWhole = !["anyOf", "oneOf", "allOf", "$ref"].some((key) => key in schema);
  const wanted = Array.isArray(required) ? [...new Set(required as readonly string[])] : [];
  const needed = isWhole ? wanted.filter((name) => names.has(name)) : wanted;
  if (needed.length < (Array.isArray(required) ? required.length : 0)) note("required");
  if (fields.some(([name, one]) => one !== properties[name]) || names.size < Object.keys(properties).length)
    note("properties");
  const type = schema["type"] === undefined && isWhole ? { type: "object" } : {};
  return {
    ...type,
    ...schema,
    properties: Object.fromEntries(fields),
    ...(Array.isArray(required) && { required: needed }),
  };
}

/** Returns undefined if all names can stay. */
function renameProperties(schema: JsonObject): JsonObject | undefined {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return undefined;
  const names = nameProperties(properties);
  if ([...names].every(([name, shown]) => name === shown)) return undefined;
  const fields = Object.entries(properties).map(([name, one]): [string, JsonValue] => {
    const shown = names.get(name) ?? name;
    return [shown, shown !== name && isJsonObject(one) ? describe(one, `Called ${JSON.stringify(name)} there.`) : one];
  });
  const needed = Array.isArray(required) && {
    required: (required as readonly string[]).map((name) => names.get(name) ?? name),
  };
  return { ...schema, properties: Object.fromEntries(fields), ...needed };
}

function isEmpty(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
