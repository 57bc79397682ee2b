import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** A file of the bundle, with the modules that it was made of. */
export interface BundleFile {
  readonly name: string;
  readonly content: Buffer;
  readonly modules: readonly string[];
}

/** All programs and chunks of the bundle of the present sources. */
export function readBundle(): readonly BundleFile[] {
  const program = execFileSync(process.execPath, [join(root, "scripts", "bundle.mjs")], { encoding: "utf8" }).trim();
  const folder = dirname(program);
  return globSync("*.mjs", { cwd: folder }).map((name) => {
    return { name, content: readFileSync(join(folder, name)), modules: readModules(join(folder, `${name}.map`)) };
  });
}

/** A chunk that only hands on what is in other chunks has no map. */
function readModules(map: string): readonly string[] {
  return existsSync(map) ? (JSON.parse(readFileSync(map, "utf8")) as { sources: string[] }).sources : [];
}

/** The files that are loaded with these, which import them at their top. */
export function listLoadedWith(files: readonly BundleFile[], names: readonly string[]): readonly BundleFile[] {
  const byName = new Map(files.map((file) => [file.name, file]));
  const loaded = new Set(names);
  for (const name of loaded) {
    const text = byName.get(name)?.content.toString() ?? "";
    // Chunks have their imports at the top and re-exports at the end; a call of import() has a parenthesis.
    for (const [, imported = ""] of text.matchAll(/(?:\bimport|\bfrom)\s*"\.\/([\w.-]+\.mjs)"/g)) loaded.add(imported);
  }
  return files.filter(({ name }) => loaded.has(name));
}

export const measureFiles = (files: readonly BundleFile[]) => ({
  bytes: files.reduce((sum, { content }) => sum + content.length, 0),
  files: files.length,
  modules: new Set(files.flatMap(({ modules }) => modules)).size,
});
