import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { adapters, furtherArguments } from "./readers.ts";
import { findGrowth } from "./find-growth.ts";
import type { PumpWork } from "./pump-reader.ts";

/** Pumps one function after the other, on a thread that can be ended where one hangs. */

type Exported = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

async function findRead(path: string, name: string | undefined): Promise<(text: string) => unknown> {
  if (name === undefined) {
    const adapter = adapters[path];
    if (adapter === undefined) throw new Error(`${path} has no adapter`);
    return adapter;
  }
  const module = (await import(join(import.meta.dirname, "../../../src", path))) as Exported;
  const read = module[name];
  if (read === undefined) throw new Error(`${path} exports no ${name}`);
  return (text) => read(text, ...(furtherArguments[name] ?? []));
}

parentPort?.on("message", (work: PumpWork) => {
  if (work.kind === "list") {
    parentPort?.postMessage([...Object.keys(adapters), ...Object.keys(furtherArguments)]);
    return;
  }
  void (async () => {
    const progress = new Int32Array(work.progress);
    try {
      const slow = findGrowth(await findRead(work.path, work.name), work.units, (unit, size) =>
        progress.set([unit, size]),
      );
      parentPort?.postMessage(slow);
    } catch (error) {
      parentPort?.postMessage([`could not be pumped: ${String(error)}`]);
    }
  })();
});
parentPort?.postMessage("ready");
