import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { nameCheckFolder } from "../../../src/sandbox/mount-check.ts";
import { untilTestEnds, type KeepUntil } from "../keep-until.ts";

/** One installation of Kurisu for one test: a data folder and a config folder, gone when the test is over. */
export interface KurisuFolder {
  readonly home: string;
  readonly config: string;
  /** `name` is relative to the config folder, such as `system/tools.yaml`. */
  configure(name: string, text: string): void;
  /** The lines of a file in the sessions' workspaces, all of them together or those whose name fits; [] where there is none. */
  workspaceLines(file: string, fits?: (workspace: string) => boolean): readonly string[];
  /** Names of the conversations' workspaces that hold anything: an empty one is made while a question is open. */
  workspaces(): readonly string[];
}

/** `home` puts the data folder elsewhere (a small disk); it is not removed then. */
export function createKurisuFolder(
  files: Readonly<Record<string, string>> = {},
  home?: string,
  keep: KeepUntil = untilTestEnds,
): KurisuFolder {
  const root = mkdtempSync(join(tmpdir(), "kurisu-story-"));
  keep(() => rmSync(root, { recursive: true, force: true }));
  const folder = { home: home ?? join(root, "home"), config: join(root, "config") };
  mkdirSync(join(folder.config, "system"), { recursive: true });

  function configure(name: string, text: string): void {
    const path = join(folder.config, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  const all = join(folder.home, "workspaces");
  // Where a start looks whether containers see the workspaces: it comes and goes by itself.
  const checked = nameCheckFolder(join(realpathSync(dirname(folder.home)), basename(folder.home), "workspaces"));
  const workspaces = () => list(all).filter((name) => name !== checked && list(join(all, name)).length > 0);
  for (const [name, text] of Object.entries(files)) configure(name, text);
  return {
    ...folder,
    configure,
    workspaces,
    workspaceLines: (file, fits = () => true) =>
      workspaces()
        .filter(fits)
        .flatMap((name) => read(join(all, name, file)).split("\n"))
        .filter((line) => line !== ""),
  };
}

function list(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
