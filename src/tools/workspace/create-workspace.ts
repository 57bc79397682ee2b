import { createHash } from "node:crypto";
import { mkdir, open, realpath } from "node:fs/promises";
import { constants, lstatSync } from "node:fs";
import { join } from "node:path";
import { AppError, describeError } from "../../core/errors.ts";
import { chooseContainerIdentity } from "../sandbox/container-identity.ts";
import { describeFileFault } from "./file-faults.ts";
import { chooseAnchoring, withFolder } from "./open-folder.ts";
import type { Anchoring, FolderOptions, OpenFolder } from "./open-folder.ts";
import { parseWorkspacePath } from "./parse-workspace-path.ts";
import { decodeText, largestFile, readBytes } from "./read-workspace-file.ts";
import { selectLines } from "./select-lines.ts";
import type { FileAnswer, Workspace } from "./types.ts";
import { appendFile, replaceFile } from "./write-workspace-file.ts";

export interface WorkspaceOptions {
  /** Folder that holds one folder a session; made if it is not there. */
  readonly root: string;
  /** Default: what the system can do best. */
  readonly anchoring?: Anchoring;
  /** Default: a hash of the session's id. */
  readonly nameFolder?: (session: string) => string;
}

/** Guarded access to the sessions' files on the host. Folder names are hashes: a session's name never reaches the file system. */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const anchoring = options.anchoring ?? chooseAnchoring();
  const uid = process.getuid?.();
  // Only root can give files away; anyone else runs commands under its own number (see container-identity.ts).
  const owner = uid === 0 ? chooseContainerIdentity(uid, process.getgid?.()) : undefined;

  /** Folders this process has made or mended, by session. */
  const made = new Map<string, string>();

  /** One look without a thread of the pool, which a command that was just approved would wait for behind everything else. */
  function isAsMade(folder: string): boolean {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    const owned = owner === undefined || found?.uid === owner.uid;
    return found?.isDirectory() === true && owned && (found.mode & 0o777) === 0o700;
  }

  async function folderFor(session: string): Promise<string> {
    try {
      const known = made.get(session);
      if (known !== undefined && isAsMade(known)) return known;
      await mkdir(options.root, { recursive: true, mode: 0o700 });
      const folder = join(await realpath(options.root), (options.nameFolder ?? hashSession)(session));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      try {
        const found = await handle.stat();
        if (owner !== undefined && found.uid !== owner.uid) await handle.chown(owner.uid, owner.gid);
        if ((found.mode & 0o777) !== 0o700) await handle.chmod(0o700);
      } finally {
        await handle.close();
      }
      made.set(session, folder);
      return folder;
    } catch (error) {
      const text = `The workspace folder cannot be made in ${options.root}: ${describeError(error)}`;
      throw new AppError("DATA_FOLDER_UNUSABLE", text, { cause: error });
    }
  }

  /** Walks to the folder of a path and hands over the last name; failures come back as sentences. */
  async function withFile<Found extends object>(
    session: string,
    path: string,
    create: boolean,
    use: (folder: OpenFolder, name: string, relative: string) => Promise<Found>,
  ): Promise<FileAnswer<Found>> {
    const parsed = parseWorkspacePath(path);
    if (!parsed.ok) return parsed;
    const name = parsed.parts.at(-1);
    if (name === undefined) return { ok: false, error: "That is the workspace folder itself; name a file in it." };
    const folderOptions: FolderOptions = { anchoring, create, owner };
    const root = await folderFor(session);
    try {
      const found = await withFolder(root, parsed.parts.slice(0, -1), folderOptions, (folder) =>
        use(folder, name, parsed.relative),
      );
      return { ok: true, ...found };
    } catch (error) {
      return { ok: false, error: describeFileFault(error, parsed.relative) };
    }
  }

  return {
    folderFor,
    readText: (session, path) =>
      withFile(session, path, false, async (folder, name, relative) => {
        const bytes = await readBytes(folder, name, relative);
        return { text: decodeText(bytes, relative), bytes: bytes.length };
      }),
    readBytes: (session, path) =>
      withFile(session, path, false, async (folder, name, relative) => ({
        bytes: await readBytes(folder, name, relative),
      })),
    readLines: (session, path, offset, limit) =>
      withFile(session, path, false, async (folder, name, relative) =>
        selectLines(decodeText(await readBytes(folder, name, relative), relative), offset, limit),
      ),
    write: async (session, path, content, mode) => {
      const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : Buffer.from(content);
      if (bytes.length > largestFile) {
        return { ok: false, error: `The content is larger than ${largestFile / 1024 / 1024} MiB; write it in parts.` };
      }
      const put = mode === "write" ? replaceFile : appendFile;
      return withFile(session, path, true, async (folder, name, relative) => {
        const existed = await put(folder, name, bytes, owner, relative);
        return { path: relative, bytesWritten: bytes.length, existed };
      });
    },
  };
}

function hashSession(session: string): string {
  return createHash("sha256").update(session).digest("hex").slice(0, 32);
}
