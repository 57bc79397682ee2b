import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../../../core/errors.ts";
import { readFolder } from "./read-folder.ts";
import type { SkillFile } from "./skill-files.ts";
import { digestOf, hashFiles, lockName, readSkillsLock, type LockedSkill } from "./skills-lock.ts";
import { kurisuCommand } from "../../../core/kurisu-command.ts";

/** An installed skill in its current state on disk. */
export type VerifiedSkill =
  | {
      readonly kind: "intact";
      readonly id: string;
      readonly locked: LockedSkill;
      readonly digest: string;
      readonly files: readonly SkillFile[];
    }
  /** It is switched off until the operator looks at it. */
  | { readonly kind: "changed"; readonly id: string; readonly problem: string };

const remedy = (id: string) =>
  `Look at it, then run: ${kurisuCommand} skills remove ${id}, and install it again from where it came from`;

/** Every skill of the folder and of its lock, by id. Each is judged alone: one that was changed does not harm the others. */
export function verifySkills(folder: string): readonly VerifiedSkill[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder).filter((name) => !name.startsWith(".") && !name.startsWith(lockName));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    return [{ kind: "changed", id: lockName, problem: `the folder of installed skills: ${describeError(error)}` }];
  }
  const lock = readSkillsLock(folder);
  if (!lock.ok)
    return names.map((id) => ({ kind: "changed", id, problem: `${lock.problem}; no installed skill loads` }));
  const ids = [...new Set([...names, ...Object.keys(lock.skills)])].toSorted();
  return ids.map((id) => verifySkill(folder, id, Object.hasOwn(lock.skills, id) ? lock.skills[id] : undefined));
}

function verifySkill(folder: string, id: string, locked: LockedSkill | undefined): VerifiedSkill {
  const changed = (problem: string): VerifiedSkill => ({ kind: "changed", id, problem });
  if (!locked)
    return changed(
      `is not in ${lockName}: nobody installed it. Install it with ${kurisuCommand} skills install, or take it away`,
    );
  const read = readFolder(join(folder, id));
  if (!read.ok) return changed(`${read.problem}. ${remedy(id)}`);
  const now = hashFiles(read.files);
  const differences = compareHashes(locked.files, now);
  if (differences.length > 0) return changed(`${differences.join("; ")}. ${remedy(id)}`);
  return { kind: "intact", id, locked, digest: digestOf(locked), files: read.files };
}

function compareHashes(locked: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): string[] {
  const paths = [...new Set([...Object.keys(locked), ...Object.keys(now)])].toSorted();
  return paths
    .flatMap((path) => {
      const [before, after] = [locked[path], now[path]];
      if (before === after) return [];
      if (after === undefined) return [`${path} is missing`];
      return [`${path} was ${before === undefined ? "added" : "changed"} after it was installed`];
    })
    .slice(0, 5);
}
