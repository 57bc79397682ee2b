#!/usr/bin/env node
// The entry of the bundle: sets what must be set before anything else loads. The sources begin at main.ts.
// Not by name: a Node that has no such export would end with a SyntaxError before it can be told what is missing.
import * as nodeModule from "node:module";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";

const oldestNode = [24, 12] as const;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
  console.error(
    `Kurisu needs Node ${oldestNode.join(".")} or newer, and this is Node ${process.versions.node}.\n` +
      "  What to do: install Node 24 (https://nodejs.org, or `nvm install 24`), then run the same command again.",
  );
  process.exit(69);
}

// scripts/node.mjs and the image start Node with a young generation of 4 MB. An installed program comes without that option;
// there it keeps its first size, since it would grow to 32 MB during the start and stay so.
if (process.execArgv.length === 0) setFlagsFromString("--semi-space-growth-factor=1");
// V8 waits until the old generation has doubled or more, also when it is mostly garbage of turns that have ended.
setFlagsFromString("--heap-growing-percent=40");
// A reader of the log cannot change how packages use Node.
process.noDeprecation = true;

// A folder that cannot be written to costs time, nothing else.
nodeModule.enableCompileCache(join(import.meta.dirname, "compiled"));
// Node writes it when the process ends by itself; many are killed.
for (const afterMs of [3_000, 60_000]) setTimeout(nodeModule.flushCompileCache, afterMs).unref();

// While this process lives, no build removes the folder that chunks are still loaded from (scripts/bundle-state.mjs).
const mark = join(import.meta.dirname, "running", String(process.pid));
try {
  writeFileSync(mark, "");
  process.on("exit", () => rmSync(mark, { force: true }));
} catch {
  // A package has no such folder, because nothing is built there; a read-only folder is left alone as well.
}

await import("./main.ts");
