import { basename } from "node:path";
import type { Configuration } from "../config.ts";
import { watchConfiguration } from "./watch-configuration.ts";

/** The configuration as of now: it follows its files, and a faulty change leaves the last good one in force. */
export interface LiveConfiguration {
  readonly now: () => Configuration;
  /** The names of the files whose change is refused; empty = what is in force is what is there. */
  readonly refusedFiles: () => readonly string[];
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
  let faults = "";
  let watch: { reload(): void } | undefined;
  return {
    now: () => current,
    refusedFiles: () => listFiles(faults),
    reload() {
      // Without a watch, as in one-shot commands, there is nothing else that follows a change.
      if (watch) watch.reload();
      else current = parts.load(current);
    },
    follow({ onChange, onFault, ...reactions }) {
      watch = watchConfiguration({
        ...reactions,
        folder: first.configFolder,
        also: parts.also,
        files: [first.mcp.projectFile, ...parts.files],
        shared: () => current.sharedSkillFolders,
        load: () => parts.load(current),
        onChange(next) {
          current = next;
          faults = "";
          onChange(next);
        },
        onFault(found) {
          faults = found;
          onFault(found);
        },
      });
    },
  };
}

/** The files that faults are in, each once: a line is `file:line:column …`, or names something else first. */
function listFiles(faults: string): readonly string[] {
  const places = faults.split("\n").flatMap((line) => (line === "" ? [] : [line.split(/:\d+:\d+ |: /)[0] ?? ""]));
  return [...new Set(places.map((place) => basename(place)))];
}
