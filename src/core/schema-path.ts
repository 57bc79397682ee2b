import { z } from "zod";

/** Questions about the place in a zod schema that a path of keys leads to. */

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

/** True when the value at this path, or one it lies in, is marked `.meta({ sensitive: true })`. */
export function isSensitive(schema: z.core.$ZodType, path: Path): boolean {
  let places = [schema];
  for (const key of [undefined, ...path]) {
    if (key !== undefined) places = places.flatMap((place) => stepInto(place, key));
    const marked = places.flatMap(alternativesOf).some((place) => z.globalRegistry.get(place)?.["sensitive"] === true);
    if (marked) return true;
  }
  return false;
}

/** The keys the schema knows at this path; none where it is no object. */
export function knownKeys(schema: z.core.$ZodType, path: Path): string[] {
  let places = [schema];
  for (const key of path) places = places.flatMap((place) => stepInto(place, key));
  return places.flatMap(alternativesOf).flatMap((place) => Object.keys(definitionOf(place).shape ?? {}));
}
