import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const kept = join(root, "node_modules", ".cache", "kurisu-bench");
const patienceMs = 20 * 60_000;

/** A version of the product that can be started. */
export interface Version {
  readonly root: string;
  /** The commit, as short as git writes it. */
  readonly name: string;
}

/** What stands here, committed or not. */
export function describeThis(): Version {
  const hash = askGit("rev-parse", "--short=8", "HEAD");
  const changed = askGit("status", "--porcelain", "--", "src", "config", "scripts/*.mjs", "package-lock.json");
  return { root, name: `${hash ?? "without git"}${changed ? " with changes" : ""}` };
}

/** That commit with its own packages and its own bundle, kept for the next run; undefined = there is no such commit. */
export function checkOut(commit: string): Version | undefined {
  const hash = askGit("rev-parse", "--verify", "--quiet", "--end-of-options", `${commit}^{commit}`);
  if (hash === undefined) return undefined;
  const version = { root: join(kept, hash), name: hash.slice(0, 8) };
  if (existsSync(version.root)) return version;
  console.error(`preparing ${version.name} …`);
  // Node runs no TypeScript below node_modules, and the program that builds the bundle is TypeScript in part.
  const folder = mkdtempSync(join(tmpdir(), "kurisu-commit-"));
  const ready = `${version.root}.${process.pid}`;
  try {
    const files = execFileSync("git", ["archive", hash], { cwd: root, maxBuffer: 1024 ** 3 });
    execFileSync("tar", ["-x", "-C", folder], { input: files });
    prepare(folder);
    mkdirSync(kept, { recursive: true });
    // With its times: older versions know their bundle by those of the sources.
    execFileSync("cp", ["-a", folder, ready]);
    // Another run may have been quicker.
    if (!existsSync(version.root)) renameSync(ready, version.root);
  } finally {
    for (const path of [folder, ready]) rmSync(path, { recursive: true, force: true });
  }
  return version;
}

/** Any command of its own installs what it needs to run, exactly by its lock file, and builds its bundle. */
function prepare(folder: string): void {
  const environment = { ...process.env, KURISU_HOME: join(folder, ".home") };
  const { status, stderr } = spawnSync(process.execPath, ["scripts/node.mjs", "src/main.ts", "--help"], {
    cwd: folder,
    env: environment,
    encoding: "utf8",
    timeout: patienceMs,
  });
  if (status !== 0 || !existsSync(join(folder, "dist"))) throw new Error(`${folder} could not be prepared:\n${stderr}`);
}

function askGit(...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync("git", words, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
