import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { maxSkillFolders } from "./load-skills.ts";
import { tellPathKind } from "./tell-path-kind.ts";

/**
 * The folders to watch for every change of these folders (`PLACE/.agents/skills`), including their creation: each with
 * the names in it that matter, undefined = all. A home folder is not searched: of it only that one name counts, and
 * below it no link is followed and nothing deeper than a skill's own folder is watched.
 */
export function listSharedWatches(folders: readonly string[]): ReadonlyMap<string, ReadonlySet<string> | undefined> {
  const found = new Map<string, Set<string> | undefined>();
  const note = (path: string) => found.set(dirname(path), (found.get(dirname(path)) ?? new Set()).add(basename(path)));
  for (const skills of folders) {
    const agents = dirname(skills);
    note(agents);
    if (tellPathKind(agents) !== "folder") continue;
    note(skills);
    if (tellPathKind(skills) !== "folder") continue;
    for (const path of [skills, ...listFolders(skills)]) found.set(path, undefined);
  }
  return found;
}

function listFolders(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
    return names.sort().slice(0, maxSkillFolders);
  } catch (error) {
    // It may have been deleted, which its parent's watch reports, or be unreadable: then the loader reports it.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}

/**
 * The folders where agents of all kinds keep skills (agentskills.io, "Adding support"): those of the project before
 * those of the person, our own name before the common one.
 */
export function listSharedFolders(workingDirectory: string, home: string | undefined): readonly string[] {
  const places = [workingDirectory, ...(home?.startsWith("/") ? [home] : [])];
  const folders = places.flatMap((place) => [".kurisu", ".agents"].map((name) => join(place, name, "skills")));
  return [...new Set(folders)];
}
