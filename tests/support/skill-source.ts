import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A skill nobody could object to. */
export const plainSkill = `id: weather
name: 天气
version: 1.0.0
type: knowledge
trigger: { keywords: [天气] }
context: 先查，再说。
`;

export function writeTree(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Git as a person would use it, with nothing of this machine's settings. */
export function git(folder: string, ...given: readonly string[]): string {
  return execFileSync(
    "git",
    [
      "-c",
      "core.compression=0",
      "-c",
      "user.name=test",
      "-c",
      "user.email=test@example.org",
      "-c",
      "protocol.file.allow=always",
      ...given,
    ],
    {
      cwd: folder,
      env: { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    },
  ).trim();
}

/** Commits everything there and answers the commit's hash. */
export function commitAll(folder: string): string {
  git(folder, "add", "-A");
  git(folder, "commit", "--quiet", "--allow-empty", "-m", "a change");
  return git(folder, "rev-parse", "HEAD");
}

/** A repository of a skill and 90 MB beside it that nothing makes smaller, in a few objects. */
export function makeLargeRepository(folder: string): string {
  const parts = ["a", "b", "c"].map((name) => [`${name}.dat`, randomBytes(30 * 1024 * 1024)] as const);
  const commit = makeRepository(folder, { "skill.yaml": plainSkill, ...Object.fromEntries(parts) });
  // It would take git a while to find that out by itself.
  git(folder, "config", "pack.window", "0");
  git(folder, "config", "pack.compression", "0");
  return commit;
}

/** A repository with these files as its one commit. */
export function makeRepository(folder: string, files: Readonly<Record<string, string | Buffer>>): string {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet", "-b", "main");
  writeTree(folder, files);
  return commitAll(folder);
}
