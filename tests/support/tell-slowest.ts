import { relative } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";

const shown = 10;

/** Says at the end of a run which files took longest: where time can be saved, and what SlowestFirst should know. */
export class TellSlowest implements Reporter {
  #root = "";

  onInit({ config }: Vitest): void {
    this.#root = config.root;
  }

  onTestRunEnd(files: readonly TestModule[]): void {
    if (files.length <= shown) return;
    const slowest = files
      .map((file) => ({ name: relative(this.#root, file.moduleId), ms: file.diagnostic().duration }))
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, shown);
    const lines = slowest.map(({ name, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${name}`);
    console.log(`\nThe slowest files, in seconds of a worker:\n${lines.join("\n")}\n`);
  }
}
