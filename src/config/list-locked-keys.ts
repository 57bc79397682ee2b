import { formatJsonSchema } from "./system-files.ts";
import type { KeyPath } from "./changed-paths.ts";
import { isWritableInConsole, keysOfTheConsole } from "./keys-of-the-console.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** The keys of a file that the console cannot write; a section of such keys alone is one of them. */
export function listLockedKeys(name: string): readonly string[] {
  return list(JSON.parse(formatJsonSchema(name)) as Schema, []);

  function list({ additionalProperties, properties = {} }: Schema, above: KeyPath): readonly string[] {
    const named = typeof additionalProperties === "object" ? { NAME: additionalProperties } : {};
    return Object.entries({ ...properties, ...named }).flatMap(([key, below]) => {
      const path = [...above, key];
      if (isWritableInConsole(name, path)) return [];
      const isPartlyWritable = (keysOfTheConsole[name] ?? []).some((entry) => entry.startsWith(`${path.join(".")}.`));
      return isPartlyWritable ? list(below, path) : [path.join(".")];
    });
  }
}
