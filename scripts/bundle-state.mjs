// What scripts/node.mjs and the tests know of the bundle: where the one of the present sources lies, and whether it was built.
// Plain JavaScript for Node 18, without dependencies.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The program of the bundle of these sources and packages, which may not be built yet. */
export function findBundle(root) {
  const program = join(root, "dist", stampSources(root), "kurisu.mjs");
  return { program, built: existsSync(program) };
}

/** Sizes and times instead of contents: this is looked at before each command. */
function stampSources(root) {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const path of [...listFiles(root, "src"), join("scripts", "bundle.mjs")].sort((a, b) => (a < b ? -1 : 1))) {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

function listFiles(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(root, path) : [path];
  });
}
