// What scripts/node.mjs and scripts/bundle.mjs know of bundles: where the one of the present sources lies, whether it was
// built, and which former ones may go. Plain JavaScript for Node 18, without dependencies.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "./install-state.mjs";

/** Bundles of former sources that stay in any case. */
const kept = 4;
const oldAfter = 24 * 60 * 60_000;
/** A build that was killed leaves its folder. */
const abandonedAfter = 10 * 60_000;
/** Each process that runs a bundle has a file here, named after its id (src/launch.ts). */
export const marksOfRunning = "running";

/** Further inputs that decide the contents of a bundle. */
const alsoStamped = [
  "package-lock.json",
  "tsconfig.json",
  "config/skills/sentences.tsv",
  "config/personas/replies.tsv",
  "config/personas/default/persona.yaml",
  "config/personas/kurisu/persona.yaml",
  "config/personas/kurisu/voice.tsv",
  "scripts/bundle.mjs",
  "scripts/console-page.mjs",
  "scripts/learn-models.mjs",
  "scripts/plain-templates.mjs",
];

/** The program of the bundle of these sources and packages, which may not be built yet. */
export function findBundle(root) {
  const program = join(root, "dist", stampSources(root), "kurisu.mjs");
  return { program, built: existsSync(program) };
}

/** Contents, since times can be set: 800 files take 7 ms, their sizes and times 3. */
function stampSources(root) {
  const hash = createHash("sha256");
  for (const path of [...listFiles(root, "src"), ...alsoStamped].sort((a, b) => (a < b ? -1 : 1))) {
    const file = join(root, path);
    if (!existsSync(file)) continue;
    const content = readFileSync(file);
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}

function listFiles(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(root, path) : [path];
  });
}

/**
 * A running Kurisu still loads chunks of her bundle, however old it is. A bundle that no process runs goes after a day,
 * except the newest few. A killed process leaves its mark, which does not count.
 */
export function dropOldBundles(folder, current) {
  const others = readdirSync(folder)
    .filter((name) => name !== current)
    .map((name) => ({ name, age: Date.now() - findLastUse(join(folder, name)) }))
    .sort((a, b) => a.age - b.age);
  const isLeft = ({ name, age }) => name.startsWith(".") && age > abandonedAfter;
  const old = others
    .filter(({ name }) => !name.startsWith("."))
    .slice(kept)
    .filter(({ age }) => age > oldAfter);
  for (const { name } of [...old, ...others.filter(isLeft)])
    if (!isRunning(join(folder, name))) rmSync(join(folder, name), { recursive: true, force: true });
}

function findLastUse(bundle) {
  const times = [bundle, join(bundle, marksOfRunning)].map(
    (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs,
  );
  return Math.max(...times.map((time) => time ?? 0));
}

function isRunning(bundle) {
  const marks = join(bundle, marksOfRunning);
  return existsSync(marks) && readdirSync(marks).some((id) => isAlive(Number(id)));
}
