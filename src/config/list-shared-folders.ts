import { join } from "node:path";

/**
 * Where agents of all kinds keep skills (agentskills.io, "Adding support"): those of the project before those of the person,
 * our own name before the common one.
 */
export function listSharedFolders(workingDirectory: string, home: string | undefined): readonly string[] {
  const places = [workingDirectory, ...(home?.startsWith("/") ? [home] : [])];
  const folders = places.flatMap((place) => [".kurisu", ".agents"].map((name) => join(place, name, "skills")));
  return [...new Set(folders)];
}
