import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { listImports, type SourceFile } from "./source-rules.ts";

/** The kernel and the rooms below it. The command line and the assembly may know features. */
const kernelRooms = /^(?:config\.ts$|(?:config|kernel|channels|workspace|models|sandbox|web|store|language|core)\/)/;

/** The feature that a file of src belongs to; undefined = none. */
export function featureOf(path: string): string | undefined {
  return /^(?:src\/)?features\/([^/]+)\//.exec(path)?.[1];
}

function* listLocalImports(files: readonly SourceFile[]): Generator<{ readonly from: string; readonly to: string }> {
  for (const { path, text } of files)
    for (const specifier of listImports(text))
      if (path.startsWith("src/") && specifier.startsWith("."))
        yield { from: path, to: posix.normalize(posix.join(dirname(path), specifier)) };
}

/** `FROM -> TO` of each file of the kernel, or of a room below it, that imports a feature. */
export function listKernelImportsOfFeatures(files: readonly SourceFile[]): string[] {
  const found = [...listLocalImports(files)].filter(
    ({ from, to }) =>
      kernelRooms.test(from.replace(/^src\//, "")) && featureOf(from) === undefined && featureOf(to) !== undefined,
  );
  return [...new Set(found.map(({ from, to }) => `${from} -> ${to}`))].toSorted();
}

/** Features that another one still imports without naming them in `needs`, because those need it. It only shrinks. */
const needsNotDeclaredYet: Readonly<Record<string, readonly string[]>> = {
  mcp: ["skills"],
  memory: ["chatlog"],
};

/** Imports of one defined feature by another that it does not name in `needs`. */
export function listUndeclaredNeeds(
  files: readonly SourceFile[],
  needs: Readonly<Record<string, readonly string[]>>,
): string[] {
  const inFeatures = (path: string) => path.startsWith("src/features/");
  return [...listLocalImports(files)]
    .filter(({ from, to }) => inFeatures(from) && inFeatures(to))
    .flatMap(({ from, to }) => {
      const [own = "", other = ""] = [featureOf(from), featureOf(to)];
      return own === other || needs[own]?.includes(other) || needsNotDeclaredYet[own]?.includes(other)
        ? []
        : [`${from}: imports ${to}, and ${own} does not need ${other}`];
    });
}

/** The imports of features by the kernel that are still allowed. A line that is gone from the code must go from the list. */
export function readAllowedImports(): string[] {
  const text = readFileSync(join(import.meta.dirname, "feature-imports.txt"), "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}
