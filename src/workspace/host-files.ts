import { lstat } from "node:fs/promises";
import type { ContainerIdentity } from "../sandbox/container-identity.ts";
import { unlessKnownFault } from "./file-faults.ts";
import type { FileActions, FilePlace } from "./file-actions.ts";
import { listFolder, toEntry } from "./list-folder.ts";
import { withFolder, type Anchoring, type OpenFolder } from "./open-folder.ts";
import type { WorkspacePath } from "./parse-workspace-path.ts";
import { readBytes } from "./read-workspace-file.ts";
import { appendFile, replaceFile } from "./write-workspace-file.ts";

/** Files by this process itself, guarded: through open folders, part by part, without following a link. */
export function createHostFiles(options: {
  readonly anchoring: Anchoring;
  readonly owner: ContainerIdentity | undefined;
}): FileActions {
  const { anchoring, owner } = options;

  function withParent<Result>(
    { folder: root }: FilePlace,
    { parts }: WorkspacePath,
    create: boolean,
    use: (folder: OpenFolder, name: string) => Promise<Result>,
  ): Promise<Result> {
    const name = parts.at(-1);
    if (name === undefined) throw new RangeError("a path of a file has at least one part");
    return withFolder(root, parts.slice(0, -1), { anchoring, create, owner }, (folder) => use(folder, name));
  }

  const read = (place: FilePlace, path: WorkspacePath, most: number): Promise<Buffer> =>
    withParent(place, path, false, (folder, name) => readBytes(folder, name, most));

  return {
    read,
    async readMany(place, paths, most) {
      const files: { readonly path: string; readonly bytes: Buffer }[] = [];
      let [looked, total] = [0, 0];
      for (const path of paths) {
        const bytes = await unlessKnownFault(() => read(place, path, most.file));
        if (bytes !== undefined && files.length > 0 && total + bytes.length > most.all) break;
        looked += 1;
        if (bytes === undefined) continue;
        total += bytes.length;
        files.push({ path: path.relative, bytes });
      }
      return { files, looked };
    },
    replace: (place, path, bytes, expected) =>
      withParent(place, path, expected === undefined || expected === "absent", async (folder, name) => ({
        existed: await replaceFile(folder, name, bytes, { owner, expected }),
      })),
    append: (place, path, bytes, most) =>
      withParent(place, path, true, async (folder, name) => ({
        existed: await appendFile(folder, name, bytes, { owner, most }),
      })),
    stat: (place, path) =>
      path.parts.length === 0
        ? withFolder(place.folder, [], { anchoring, create: false, owner }, async ({ handle }) =>
            toEntry(path.relative, await handle.stat()),
          )
        : withParent(place, path, false, async (folder, name) => {
            const stats = await lstat(folder.child(name));
            await folder.verify();
            return toEntry(path.relative, stats);
          }),
    list: (place, path, bounds) =>
      withFolder(place.folder, path.parts, { anchoring, create: false, owner: undefined }, (folder) =>
        listFolder(folder, path.parts.length === 0 ? "" : `${path.relative}/`, { ...bounds, anchoring }),
      ),
  };
}
