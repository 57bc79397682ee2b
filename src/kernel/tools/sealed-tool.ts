import type { Tool } from "./types.ts";
import type { KnownTool } from "../gate/types.ts";
import type { Workspace } from "../../workspace/types.ts";

/** A tool that can be inspected and judged. It has no `run`; only `runTool` can run it. */
export interface SealedTool<Input = unknown> extends KnownTool<Input> {
  readonly onCopy?: (copy: Workspace) => SealedTool<Input>;
}

let open: (sealed: SealedTool) => Tool;

class Seal {
  readonly #tool: Tool;

  static {
    open = (sealed) => {
      if (!(#tool in sealed)) throw new TypeError(`${sealed.name} did not come from the registry`);
      return sealed.#tool;
    };
  }

  constructor(tool: Tool) {
    this.#tool = tool;
    // Getters stay getters, because a tool's properties may change.
    const { run: _, onCopy: __, ...known } = Object.getOwnPropertyDescriptors(tool);
    Object.defineProperties(this, known);
    const { onCopy } = tool;
    if (onCopy) Object.defineProperty(this, "onCopy", { value: (copy: Workspace) => sealTool(onCopy(copy)) });
    Object.freeze(this);
  }
}

export function sealTool(tool: Tool): SealedTool {
  return new Seal(tool) as unknown as SealedTool;
}

/** Only for kernel/tools/run-tool.ts (tests/architecture.test.ts). */
export function openSealedTool(sealed: SealedTool): Tool {
  return open(sealed);
}
