import { isDeepStrictEqual } from "node:util";

/** The keys from the top of a file down to one of them. */
export type KeyPath = readonly string[];

/** The deepest keys that differ. A list counts as one value, and a key without a value as none. */
export function listChangedPaths(before: unknown, after: unknown, above: KeyPath = []): readonly KeyPath[] {
  if (isDeepStrictEqual(before ?? undefined, after ?? undefined)) return [];
  const names = [...new Set([before, after].flatMap((value) => (isSection(value) ? Object.keys(value) : [])))];
  if (names.length === 0 || ![before, after].every((value) => isUnset(value) || isSection(value))) return [above];
  return names.flatMap((name) => listChangedPaths(read(before, name), read(after, name), [...above, name]));
}

/** Whether an entry such as `tools.NAME.timeout` covers this key; NAME matches every name. */
export function isAtOrAbove(entry: string, path: KeyPath): boolean {
  const parts = entry.split(".");
  return parts.length <= path.length && parts.every((part, index) => part === "NAME" || part === path[index]);
}

/** A key without a value is as unset as one that is not there. */
const isUnset = (value: unknown): boolean => value === undefined || value === null;

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function read(value: unknown, name: string): unknown {
  return isSection(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
