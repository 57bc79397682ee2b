import { basename } from "node:path";
import type { Configuration, ReplacedText } from "../config.ts";
import { AppError } from "../core/errors.ts";
import { watchConfiguration } from "./watch-configuration.ts";

/** The current configuration: it follows its files, and a faulty change leaves the last good one in force. */
export interface LiveConfiguration {
  readonly now: () => Configuration;
  /** The files whose change was refused. Empty when the current files are in force. */
  readonly refusedFiles: () => readonly string[];
  /** The faults of the files as they are now, or would be with this text; one a line. Nothing of it comes into force. */
  check(replaced?: ReplacedText): readonly string[];
  /** Reads it again, so that recent writes are visible to the next call. */
  reload(): void;
  /** From now on follows changed files. */
  follow(reactions: Reactions): void;
}

interface Reactions {
  readonly onChange: (next: Configuration) => void;
  readonly onFault: (faults: string) => void;
  /** A folder whose changes will go unnoticed. */
  readonly onUnwatched: (problem: string) => void;
  readonly signal: AbortSignal;
}

export function createLiveConfiguration(
  first: Configuration,
  parts: {
    readonly load: (previous: Configuration, replaced?: ReplacedText) => Configuration;
    /** Other folders that belong to it; created before `follow`. */
    readonly also: readonly string[];
    /** Other single files that belong to it; they may appear and disappear. */
    readonly files: readonly string[];
  },
): LiveConfiguration {
  let current = first;
  let faults = "";
  let watch: { reload(): void } | undefined;
  return {
    now: () => current,
    refusedFiles: () => listFiles(faults),
    check(replaced) {
      try {
        parts.load(current, replaced);
        return [];
      } catch (error) {
        if (error instanceof AppError && error.code === "CONFIG_INVALID") return error.message.split("\n");
        throw error;
      }
    },
    reload() {
      // Without a watch, as in one-shot commands, nothing else follows a change.
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

/** The files with faults, each once: a line is `file:line:column …`, or begins with another name. */
function listFiles(faults: string): readonly string[] {
  const places = faults.split("\n").flatMap((line) => (line === "" ? [] : [line.split(/:\d+:\d+ |: /)[0] ?? ""]));
  return [...new Set(places.map((place) => basename(place)))];
}
