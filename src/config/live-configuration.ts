import type { Configuration } from "../config.ts";
import { watchConfiguration } from "./watch-configuration.ts";

/** The configuration as of now: it follows its files, and a faulty change leaves the last good one in force. */
export interface LiveConfiguration {
  readonly now: () => Configuration;
  /** Reads it anew: what was just written is there for the next call. */
  reload(): void;
  /** From now on follows changed files. */
  follow(reactions: Reactions): void;
}

interface Reactions {
  readonly onChange: (next: Configuration) => void;
  readonly onFault: (faults: string) => void;
  /** A folder whose changes will not be noticed. */
  readonly onUnwatched: (problem: string) => void;
  readonly signal: AbortSignal;
}

export function createLiveConfiguration(
  first: Configuration,
  parts: {
    readonly load: (previous: Configuration) => Configuration;
    /** Other folders whose files belong to it; made before `follow`. */
    readonly also: readonly string[];
    /** Other single files of it; they may come and go. */
    readonly files: readonly string[];
  },
): LiveConfiguration {
  let current = first;
  let watch: { reload(): void } | undefined;
  return {
    now: () => current,
    reload() {
      // Without a watch, as in one-shot commands, there is nothing else that follows a change.
      if (watch) watch.reload();
      else current = parts.load(current);
    },
    follow({ onChange, ...reactions }) {
      watch = watchConfiguration({
        ...reactions,
        folder: first.configFolder,
        also: parts.also,
        files: [first.mcp.projectFile, ...parts.files],
        shared: () => current.sharedSkillFolders,
        load: () => parts.load(current),
        onChange(next) {
          current = next;
          onChange(next);
        },
      });
    },
  };
}
