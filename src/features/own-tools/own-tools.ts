import { basename, join } from "node:path";
import { type ConfigFault, formatFault } from "../../core/yaml-file.ts";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { ownToolWords } from "./words.ts";
import type { Finding } from "../../kernel/feature/finding.ts";
import { createAskOwnTool } from "./ask-own-tool.ts";
import { createOwnTools } from "./create-own-tools.ts";
import { type OwnToolFile, readOwnTools } from "./read-own-tools.ts";
import { readToolsLock } from "./tools-lock.ts";

/** The files of config/tools. */
export interface OwnToolFolder {
  /** All files; the lock decides which of them may run. */
  readonly files: readonly OwnToolFile[];
  /** Faults of the files that are left out; a faulty file disables only its own tool. */
  readonly faults: readonly ConfigFault[];
}

/**
 * Tools that the operator writes: one TypeScript file of config/tools each.
 *
 *     readFiles       reads the files and looks at their syntax; nothing of them is run
 *     tool `use_tool` shows an owner the code, and writes the approval of exactly that content into `tools.lock`
 *     changingTools   each call of a tool runs its code in a separate process (`ask-own-tool.ts`)
 */
export const ownTools = defineFeature({
  name: "own-tools",
  readFiles({ configFolder, home, isOurTool, shownPath }): OwnToolFolder {
    // Read before the files: an approval covers only content that was read before.
    const lock = readToolsLock(home);
    const faults: ConfigFault[] = [];
    const files = readOwnTools(
      join(configFolder, "tools"),
      isOurTool,
      (fault) => faults.push({ ...fault, file: shownPath(fault.file) }),
      ({ name, digest }) => lock[name]?.digest === digest,
    );
    return { files, faults };
  },
  // A name may be that of a file that cannot be read now: it stays off, and nothing takes its place.
  listToolNames(own) {
    const { files, faults } = own as OwnToolFolder;
    return [...files.map(({ name }) => name), ...faults.map(({ file }) => basename(file, ".ts"))];
  },
  configure: (_values, _files, own) => own as OwnToolFolder,
  async check({ faults }) {
    return faults.map((fault): Finding => ({
      check: `tool ${basename(fault.file, ".ts")}`,
      state: "broken",
      detail: `off: ${formatFault(fault)}. Correct the file or take it out of config/tools; everything else is loaded`,
    }));
  },
  words: ownToolWords,
  make(kernel, folder) {
    const { home, toolSettings, clock, log } = kernel;
    const own = createOwnTools({
      files: () => folder().files,
      exclude: () => toolSettings().exclude,
      options: () => toolSettings().options,
      home,
      ask: createAskOwnTool(),
      clock,
      log,
    });
    return { own, changingTools: { list: own.tools, settle: own.settle } };
  },
  soleTools: {
    use_tool: async ({ own }) => (await import("./use-tool.ts")).createUseToolTool({ own }),
  },
});
