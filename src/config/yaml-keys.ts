import { isAlias, isMap, isScalar, LineCounter, type Document } from "yaml";
import type { KeyPath } from "./changed-paths.ts";
import { parseYaml } from "../core/parsed-yaml.ts";

/** The values of a text of YAML, with the lines of their keys. */
export interface ReadKeys {
  /** Anchors and aliases resolved, variables as written. */
  readonly value: unknown;
  /** Each written key that has no keys below it, with its line. */
  readonly leaves: readonly { readonly path: KeyPath; readonly line: number }[];
  /** The line of a key, or of the nearest one above it. */
  lineOf(path: KeyPath): number;
}

/** Undefined for a text that is no YAML, or that uses tags, too many aliases, or one within its own anchor. */
export function readYamlKeys(text: string): ReadKeys | undefined {
  const lineCounter = new LineCounter();
  const document = parseYaml(text, lineCounter);
  if (document.errors.length > 0 || document.warnings.length > 0) return undefined;
  const value = resolve(document);
  if (value === undefined || hasCycle(value)) return undefined;
  const lines = new Map<string, number>();
  const leaves: { path: KeyPath; line: number }[] = [];
  walk(document.contents, []);

  function walk(given: unknown, above: KeyPath): void {
    const node = isAlias(given) ? given.resolve(document) : given;
    if (!isMap(node)) return;
    for (const { key, value: below } of node.items) {
      const path = [...above, isScalar(key) ? String(key.value) : String(key)];
      // Keys of an anchor stand elsewhere: for them the line of the alias counts.
      const line = isAlias(given)
        ? (lines.get(JSON.stringify(above)) ?? 1)
        : lineCounter.linePos(isScalar(key) ? (key.range?.[0] ?? 0) : 0).line;
      lines.set(JSON.stringify(path), line);
      const seen = isAlias(below) ? below.resolve(document) : below;
      if (isMap(seen) && seen.items.length > 0) walk(below, path);
      else leaves.push({ path, line });
    }
  }

  return {
    value,
    leaves,
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const line = lines.get(JSON.stringify(path.slice(0, length)));
        if (line !== undefined) return line;
      }
      return 1;
    },
  };
}

/** An empty text is an empty section. */
function resolve(document: Document): unknown {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return value === null || value === undefined ? {} : value;
  } catch (error) {
    // Too many aliases; the reader of the configuration reports them.
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** An alias within its own anchor: no path of keys comes to an end there. */
function hasCycle(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return false;
  } catch {
    return true;
  }
}
