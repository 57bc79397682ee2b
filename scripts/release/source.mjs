// The state of the checkout that is released, copied aside: nothing here writes into the checkout.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";

function askGit(root, ...given) {
  // Without locks: a look at the status would otherwise write the index anew.
  const { status, stdout, stderr, error } = spawnSync("git", ["--no-optional-locks", ...given], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  throw new Error(
    `git ${given[0]} failed: ${(error?.message ?? stderr).trim()}\n  What to do: run the release in a git checkout.`,
  );
}

/** Changed, new and removed files, one line each as git writes them. */
export const listChanges = (root) => askGit(root, "status", "--porcelain").split("\n").filter(Boolean);

export const readCommit = (root) => askGit(root, "rev-parse", "HEAD").trim();

/** Copies the files that git knows or would add, without those it ignores. The packages are the checkout's own. */
export function copySource(root, folder) {
  const names = askGit(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    .split("\0")
    .filter(Boolean);
  for (const name of names) {
    // Removed, and not committed yet.
    if (existsSync(join(root, name))) cpSync(join(root, name), join(folder, name), { verbatimSymlinks: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}
