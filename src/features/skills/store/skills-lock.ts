import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { describeError } from "../../../core/errors.ts";
import { skillIdPattern } from "../loader/types.ts";
import type { SkillFile } from "./skill-files.ts";

/**
 * Records installed skills byte for byte, and who approved them. It is next to the skills; a skill that it does not
 * name is not loaded.
 */

const entry = z.strictObject({
  version: z.string(),
  /**
   * git = `source` is an address and `commit` the one that was read; written = she wrote it, and a person approved it.
   */
  kind: z.enum(["git", "archive", "folder", "written"]),
  source: z.string(),
  commit: z.string().optional(),
  /** Inside the source. */
  folder: z.string().default(""),
  approver: z.string(),
  date: z.string(),
  /** SHA-256 by path. */
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
});
const schema = z.strictObject({
  lockVersion: z.literal(1),
  skills: z.record(z.string().regex(skillIdPattern), entry),
});

export type LockedSkill = z.infer<typeof entry>;

export type LockRead =
  | { readonly ok: true; readonly skills: Readonly<Record<string, LockedSkill>> }
  /** No installed skill may load: the lock cannot be read. */
  | { readonly ok: false; readonly problem: string };

export const lockName = "skills.lock";

/** `folder` holds the installed skills. No file is an empty lock. */
export function readSkillsLock(folder: string): LockRead {
  let text: string;
  try {
    text = readFileSync(join(folder, lockName), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { ok: true, skills: {} };
    return { ok: false, problem: `${lockName} cannot be read: ${describeError(error)}` };
  }
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    if (parsed.success) return { ok: true, skills: parsed.data.skills };
    return { ok: false, problem: `${lockName} is damaged: ${z.prettifyError(parsed.error).split("\n")[0] ?? ""}` };
  } catch (error) {
    return { ok: false, problem: `${lockName} is no JSON: ${describeError(error)}` };
  }
}

export function writeSkillsLock(folder: string, skills: Readonly<Record<string, LockedSkill>>): void {
  const sorted = Object.fromEntries(Object.entries(skills).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const file = join(folder, lockName);
  const beside = `${file}.new`;
  writeFileSync(beside, `${JSON.stringify({ lockVersion: 1, skills: sorted }, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
  renameSync(beside, file);
}

export function hashFiles(files: readonly SkillFile[]): Record<string, string> {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return Object.fromEntries(sorted.map(({ path, bytes }) => [path, createHash("sha256").update(bytes).digest("hex")]));
}

/** Names everything a skill consists of: 64 hexadecimal digits. The approval of one digest is none for another. */
export function digestOf({ files }: Pick<LockedSkill, "files">): string {
  const lines = Object.entries(files)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, hash]) => `${hash}  ${path}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}
