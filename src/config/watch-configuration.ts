import { readdirSync, statSync, watch, type FSWatcher } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError, describeError } from "../core/errors.ts";
import { listSharedWatches } from "../features/skills/loader/shared-folders.ts";

interface WatchOptions<Loaded> {
  /** Reads everything again; throws AppError CONFIG_INVALID on a fault. */
  readonly load: () => Loaded;
  /** The config folder; it is not watched if it is missing when the watch begins. */
  readonly folder: string;
  /** Other folders that belong to it; created by others before the watch begins. */
  readonly also?: readonly string[];
  /** Single files elsewhere; they may appear and disappear. */
  readonly files?: readonly string[];
  /** Folders of skills shared with other agents, as currently set; they may appear and disappear. */
  readonly shared?: () => readonly string[];
  /** How long the files must be quiet: editors write in several steps. */
  readonly debounceMs?: number;
  readonly onChange: (next: Loaded) => void;
  /** The last good configuration stays in force. The same faults are reported once. */
  readonly onFault: (faults: string) => void;
  /** A folder whose changes will go unnoticed. */
  readonly onUnwatched: (problem: string) => void;
  readonly signal: AbortSignal;
}

/** The folders that people edit while Kurisu runs; changes elsewhere, such as in generated schemas, have no effect. */
const watchedFolders = ["system", "personas", "skills", "agents", "tools"];

/**
 * Watches folders, not files: an editor that replaces a file by renaming ends that file's watch. Subfolders are listed
 * again after every event, because not every platform supports recursive watches.
 */
export function watchConfiguration<Loaded>(options: WatchOptions<Loaded>): { reload(): void } {
  const {
    load,
    folder,
    also = [],
    files = [],
    shared = () => [],
    debounceMs = 150,
    onChange,
    onFault,
    onUnwatched,
    signal,
  } = options;
  /** The folders, each with the relevant names in it; undefined for all names. */
  let wanted: ReadonlyMap<string, ReadonlySet<string> | undefined> = new Map();
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly folder: string }>();
  let timer: NodeJS.Timeout | undefined;
  let lastFaults: string | undefined;

  function reload(): void {
    let next: Loaded;
    try {
      next = load();
    } catch (error) {
      const faults = error instanceof AppError ? error.message : describeError(error);
      if (faults !== lastFaults) onFault(faults);
      lastFaults = faults;
      return;
    }
    lastFaults = undefined;
    onChange(next);
    // The set of shared folders may have changed too.
    watchFolders();
  }

  function watchFolders(): void {
    if (signal.aborted) return;
    const whole = [
      folder,
      ...watchedFolders.flatMap((name) => listFolders(join(folder, name))),
      ...also.flatMap(listFolders),
    ];
    const single = new Map<string, ReadonlySet<string> | undefined>(listSharedWatches(shared()));
    for (const file of files) {
      const names = single.get(dirname(file));
      if (names !== undefined || !single.has(dirname(file)))
        single.set(dirname(file), new Set([...(names ?? []), basename(file)]));
    }
    wanted = new Map([...single, ...whole.map((path) => [path, undefined] as const)]);
    // Ends the watch of a folder that another one replaced under the same name.
    for (const [path, { watcher, folder: known }] of watchers)
      if (!wanted.has(path) || nameFolder(path) !== known) forget(path, watcher);
    for (const path of wanted.keys()) if (!watchers.has(path)) watchFolder(path);
  }

  function watchFolder(path: string): void {
    try {
      const watcher = watch(path, { persistent: false }, (_event, name) => {
        const names = wanted.get(path);
        if (names === undefined || name === null || names.has(name)) schedule();
      });
      watcher.on("error", () => forget(path, watcher));
      watchers.set(path, { watcher, folder: nameFolder(path) });
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== "ENOENT" && code !== "ENOTDIR") onUnwatched(`${path} cannot be watched: ${describeError(error)}`);
    }
  }

  function forget(path: string, watcher: FSWatcher): void {
    watcher.close();
    if (watchers.get(path)?.watcher === watcher) watchers.delete(path);
  }

  function schedule(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Folders first: a write between the two steps is then an event and not an unnoticed change.
      watchFolders();
      reload();
    }, debounceMs);
  }

  watchFolders();
  signal.addEventListener(
    "abort",
    () => {
      clearTimeout(timer);
      for (const [path, { watcher }] of watchers) forget(path, watcher);
    },
    { once: true },
  );
  return { reload };
}

/** The current identity of a path in the file system; inode numbers can be reused. */
function nameFolder(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}:${found.birthtimeMs}` : "";
}

/** The folder and everything below it; empty when it does not exist. */
function listFolders(path: string): string[] {
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
  return [
    path,
    ...entries.filter((entry) => entry.isDirectory()).flatMap((entry) => listFolders(join(path, entry.name))),
  ];
}
