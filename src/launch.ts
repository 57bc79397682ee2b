#!/usr/bin/env node
// Where the bundle begins: what must be set before anything else is loaded. The sources begin at main.ts.
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";

// scripts/node.mjs and the image start Node with a young generation of 4 MB. An installed program comes without that option;
// there it keeps its first size, since it would grow to 32 MB during the start and stay so.
if (process.execArgv.length === 0) setFlagsFromString("--semi-space-growth-factor=1");
// V8 waits until the old generation has doubled or more, also when it is mostly garbage of turns that have ended.
setFlagsFromString("--heap-growing-percent=40");
// A reader of the log cannot change how packages use Node.
process.noDeprecation = true;

// A folder that cannot be written to costs time, nothing else.
enableCompileCache(join(import.meta.dirname, "compiled"));
// Node writes it when the process ends by itself; many are killed.
for (const afterMs of [3_000, 60_000]) setTimeout(flushCompileCache, afterMs).unref();

await import("./main.ts");
