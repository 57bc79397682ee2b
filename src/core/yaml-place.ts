import { readFileSync } from "node:fs";
import { isNode, LineCounter, parseDocument } from "yaml";

/** Where the value of a key stands in a YAML file, counted from 1. undefined = there is no such file, or no such key. */
export function findYamlPlace(
  file: string,
  path: readonly (string | number)[],
): { readonly line: number; readonly column: number } | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const lineCounter = new LineCounter();
  const node: unknown = parseDocument(text, { lineCounter }).getIn(path, true);
  if (!isNode(node) || !node.range) return undefined;
  const { line, col } = lineCounter.linePos(node.range[0]);
  return { line, column: col };
}
