import { readdirSync, statSync, watch, type FSWatcher } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError, describeError } from "../core/errors.ts";
import { listSharedWatches } from "../features/skills/loader/shared-folders.ts";

interface WatchOptions<Loaded> {
  /** Reads everything anew; throws AppError CONFIG_INVALID when something is wrong. */
  readonly load: () => Loaded;
  /** The config folder; what does not exist when the watch begins is not watched. */
  readonly folder: string;
  /** Other folders whose files belong to it; made by others before the watch begins. */
  readonly also?: readonly string[];
  /** Single files elsewhere; they may come and go. */
  readonly files?: readonly string[];
  /** Folders of skills that other agents read, too, as they are set now; they may come and go. */
  readonly shared?: () => readonly string[];
  /** How long the files must be quiet: editors write in several steps. */
  readonly debounceMs?: number;
  readonly onChange: (next: Loaded) => void;
  /** The last good configuration stays in force. The same faults are reported once. */
  readonly onFault: (faults: string) => void;
  /** A folder whose changes will not be noticed. */
  readonly onUnwatched: (problem: string) => void;
  readonly signal: AbortSignal;
}

/** Generated schemas and the like change nothing; the rest is what people edit while Kurisu runs. */
const watchedFolders = ["system", "personas", "skills", "agents", "tools"];

/**
 * Watches folders, not files: a file that an editor replaces by renaming takes its watch with it. Subfolders are
 * looked for again after every event, because a recursive watch is not to be had on every platform.
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
  /** Each with the names in it that matter; undefined = all of them. */
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
    // Which folders are shared may have changed with it.
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
    // A folder that another took the place of is watched no more, though its name is still there.
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
      // First the folders: what is written between the two is then an event, not a change nobody saw.
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

/** The identity of a path now, as the file system tells things apart; a number may be given out again. */
function nameFolder(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}:${found.birthtimeMs}` : "";
}

/** The folder and everything below it; none when it is not there. */
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
