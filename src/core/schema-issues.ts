import { z } from "zod";
import { findNearest } from "./find-nearest.ts";

/** A problem that zod found, in words for the author of the file. */
export interface ExplainedIssue {
  readonly path: readonly (string | number)[];
  readonly problem: string;
  /** Whether the name of the key is wrong or its value. */
  readonly at: "key" | "value";
}

/** An unknown key becomes a problem of its own at that key; values of sensitive fields are never repeated. */
export function explainIssues(
  issues: readonly z.core.$ZodIssue[],
  schema: z.core.$ZodType,
  value: unknown,
): ExplainedIssue[] {
  return issues.flatMap((issue) => explainIssue(issue, schema, value));
}

function explainIssue(issue: z.core.$ZodIssue, schema: z.core.$ZodType, root: unknown): ExplainedIssue[] {
  const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(schema, path);
    return issue.keys.map((key) => ({ path: [...path, key], problem: describeUnknownKey(key, known), at: "key" }));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    // The alternative that got furthest is the one the author meant.
    const depth = (branch: readonly z.core.$ZodIssue[]): number => Math.max(...branch.map((item) => item.path.length));
    const best = issue.errors.filter((branch) => branch.length > 0).sort((a, b) => depth(b) - depth(a))[0];
    if (best !== undefined && depth(best) > 0) {
      const nested = best.map((item) => ({ ...item, path: [...issue.path, ...item.path] }));
      return explainIssues(nested, schema, root);
    }
  }
  const found = valueAt(root, path);
  if (found === undefined) {
    const wanted = issue.code === "invalid_type" ? ` (expected ${issue.expected})` : "";
    return [{ path, problem: `is missing${wanted}`, at: "key" }];
  }
  if (isSensitive(schema, path)) return [{ path, problem: "has the wrong form (value not shown)", at: "value" }];
  return [{ path, problem: describeWrongValue(issue), at: issue.code === "invalid_key" ? "key" : "value" }];
}

function describeWrongValue(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") return `must be one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    return issue.errors.map((branch) => branch.map((item) => describeWrongValue(item)).join(" and ")).join(", or ");
  }
  if (issue.code === "invalid_key") return issue.issues.map((item) => item.message).join("; ");
  const text = issue.message.replace(/^Invalid (?:input|string|option|number): /, "");
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function describeUnknownKey(key: string, known: readonly string[]): string {
  const nearest = findNearest(key, known);
  return nearest === undefined ? "is not a known key" : `is not a known key; did you mean ${nearest}?`;
}

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root;
  for (const key of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

type Path = readonly PropertyKey[];

interface Definition {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly getter?: () => z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly options?: readonly z.core.$ZodType[];
  readonly items?: readonly z.core.$ZodType[];
  readonly left?: z.core.$ZodType;
  readonly right?: z.core.$ZodType;
}

function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def;
}

/** The schema itself and everything it wraps or offers as alternatives, at the same depth of the value. */
function alternativesOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  const definition = definitionOf(schema);
  const wrapped = [definition.innerType, definition.in, definition.getter?.(), definition.left, definition.right];
  const inner = [...wrapped.filter((item) => item !== undefined), ...(definition.options ?? [])];
  return [schema, ...inner.flatMap(alternativesOf)];
}

function stepInto(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType[] {
  return alternativesOf(schema).flatMap((alternative) => {
    const { shape, element, valueType, items } = definitionOf(alternative);
    const child = shape?.[String(key)] ?? (typeof key === "number" ? items?.[key] : undefined) ?? element ?? valueType;
    return child === undefined ? [] : [child];
  });
}

/** True when the value at this path, or one that contains it, is marked `.meta({ sensitive: true })`. */
function isSensitive(schema: z.core.$ZodType, path: Path): boolean {
  let places = [schema];
  for (const key of [undefined, ...path]) {
    if (key !== undefined) places = places.flatMap((place) => stepInto(place, key));
    const marked = places.flatMap(alternativesOf).some((place) => z.globalRegistry.get(place)?.["sensitive"] === true);
    if (marked) return true;
  }
  return false;
}

/** The keys the schema knows at this path; none where it is no object. */
function knownKeys(schema: z.core.$ZodType, path: Path): string[] {
  let places = [schema];
  for (const key of path) places = places.flatMap((place) => stepInto(place, key));
  return places.flatMap(alternativesOf).flatMap((place) => Object.keys(definitionOf(place).shape ?? {}));
}
