import { createHash } from "node:crypto";
import { mkdir, open, realpath } from "node:fs/promises";
import { constants, lstatSync } from "node:fs";
import { join } from "node:path";
import { systemClock, type Clock } from "../core/clock.ts";
import { AppError, describeError } from "../core/errors.ts";
import { chooseContainerIdentity } from "../sandbox/container-identity.ts";
import { createKeyedQueue } from "../sandbox/keyed-queue.ts";
import { measureWorkspace } from "../sandbox/measure-workspace.ts";
import type { WorkspaceLimits } from "../sandbox/types.ts";
import { hashContent } from "./hash-content.ts";
import { decodeText } from "./decode-text.ts";
import type { FileActions, FilePlace } from "./file-actions.ts";
import { describeFileFault, describeSize, FileRefused, maxFileBytes } from "./file-faults.ts";
import type { FolderWriters } from "./folder-writers.ts";
import { createHostFiles } from "./host-files.ts";
import { chooseAnchoring } from "./open-folder.ts";
import type { Anchoring } from "./open-folder.ts";
import { parseWorkspacePath, type WorkspacePath } from "./parse-workspace-path.ts";
import { emptyTree } from "./trees/remove-tree.ts";
import { selectLines } from "./select-lines.ts";
import { createTrash } from "./trash.ts";
import type { FileAnswer, Workspace } from "./types.ts";

export interface WorkspaceOptions {
  /** Folder that holds one folder a session; made if it is not there. */
  readonly root: string;
  /** Touches the files in the place of this process, guarded, which is `host`. */
  readonly files?: (host: FileActions) => FileActions;
  /** Folder that holds what was removed, one folder a session. Default: `.trash` in the root. */
  readonly trash?: string;
  /** Default: what the system can do best. */
  readonly anchoring?: Anchoring;
  /** Default: a hash of the session's id. */
  readonly nameFolder?: (session: string) => string;
  /** Default: 1 GiB, 100,000 files. */
  readonly limits?: () => WorkspaceLimits;
  /** Notified of everything that is written, removed or put back. */
  readonly writers?: Pick<FolderWriters, "begin">;
  readonly clock?: Clock;
}

const mebibyte = 1024 * 1024;
const maxBytes = 64 * mebibyte;
const maxEntries = 20_000;
const maxDepth = 64;
const defaultLimits: WorkspaceLimits = { bytes: 1024 * mebibyte, files: 100_000 };

/**
 * The sessions' files. Their guarantees are implemented here once, for all FileActions. Folder names are hashes: a
 * session's name never reaches the file system.
 */
export function createWorkspace(options: WorkspaceOptions): Workspace & { sweepTrash(): Promise<void> } {
  const { limits = () => defaultLimits, clock = systemClock } = options;
  const anchoring = options.anchoring ?? chooseAnchoring();
  const uid = process.getuid?.();
  // Only root can give files away; anyone else runs commands under its own number (see container-identity.ts).
  const owner = uid === 0 ? chooseContainerIdentity(uid, process.getgid?.()) : undefined;
  const host = createHostFiles({ anchoring, owner });
  const files = options.files?.(host) ?? host;
  const trash = createTrash({ root: options.trash ?? join(options.root, ".trash"), anchoring, owner, clock });
  // A single write of ours at a time for each session, so that a version that was compared is still there when it is
  // replaced.
  const writes = createKeyedQueue();

  /** Folders this process has made or mended, by session. */
  const made = new Map<string, string>();

  /**
   * A look without a thread of the pool, which a command that was just approved would wait for behind everything else.
   */
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

  /** Failures come back as sentences about the path. */
  async function answer<Found extends object>(
    session: string,
    path: WorkspacePath,
    use: (place: FilePlace) => Promise<Found>,
    most?: number,
  ): Promise<FileAnswer<Found>> {
    const place = { session, folder: await folderFor(session) };
    try {
      return { ok: true, ...(await use(place)) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return { ok: false, error: describeFileFault(error, path.relative, most), ...(code !== undefined && { code }) };
    }
  }

  async function withFile<Found extends object>(
    session: string,
    path: string,
    use: (place: FilePlace, path: WorkspacePath) => Promise<Found>,
    most?: number,
  ): Promise<FileAnswer<Found>> {
    const parsed = parseWorkspacePath(path);
    if (!parsed.ok) return parsed;
    if (parsed.parts.length === 0) {
      return { ok: false, error: "That is the workspace folder itself; name a file in it." };
    }
    return answer(session, parsed, (place) => use(place, parsed), most);
  }

  async function inTurn<Result>({ folder }: FilePlace, write: () => Promise<Result>): Promise<Result> {
    const release = await writes.acquire(folder, new AbortController().signal);
    const ended = options.writers?.begin(folder);
    try {
      return await write();
    } finally {
      ended?.();
      release?.();
    }
  }

  const readBytes: Workspace["readBytes"] = (session, path, wanted = maxFileBytes) => {
    const most = Math.min(wanted, maxBytes);
    const read = async (place: FilePlace, parsed: WorkspacePath) => {
      const bytes = await files.read(place, parsed, most);
      return { path: parsed.relative, bytes, version: hashContent(bytes) };
    };
    return withFile(session, path, read, most);
  };

  const writeBytes: Workspace["writeBytes"] = async (session, path, bytes, { mode = "write", expected } = {}) => {
    if (bytes.length > maxBytes) return tooLarge(maxBytes);
    return withFile(session, path, (place, parsed) =>
      inTurn(place, async () => {
        await requireRoom(place.folder, limits(), bytes.length);
        const { existed } =
          mode === "write"
            ? await files.replace(place, parsed, bytes, expected)
            : await files.append(place, parsed, bytes, maxFileBytes);
        return { path: parsed.relative, bytesWritten: bytes.length, existed };
      }),
    );
  };

  return {
    folderFor,
    readBytes,
    writeBytes,
    readText: (session, path) =>
      withFile(session, path, async (place, parsed) => {
        const bytes = await files.read(place, parsed, maxFileBytes);
        return { text: decodeText(bytes, parsed.relative), bytes: bytes.length };
      }),
    readLines: (session, path, offset, limit) =>
      withFile(session, path, async (place, parsed) => {
        const bytes = await files.read(place, parsed, maxFileBytes);
        return selectLines(decodeText(bytes, parsed.relative), offset, limit);
      }),
    readMany: async (session, paths, most) => {
      const parsed = paths.map((path) => parseWorkspacePath(path));
      const refused = parsed.find((path) => !path.ok);
      if (refused) return refused;
      const usable = parsed.filter((path) => path.ok).filter((path) => path.parts.length > 0);
      return answer(session, { parts: [], relative: "." }, (place) => files.readMany(place, usable, most));
    },
    write: async (session, path, content, mode) => {
      const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
      return bytes.length > maxFileBytes ? tooLarge(maxFileBytes) : writeBytes(session, path, bytes, { mode });
    },
    stat: async (session, path) => {
      const parsed = parseWorkspacePath(path);
      if (!parsed.ok) return parsed;
      return answer(session, parsed, async (place) => ({ entry: await files.stat(place, parsed) }));
    },
    list: async (session, path, bounds = {}) => {
      const parsed = parseWorkspacePath(path);
      if (!parsed.ok) return parsed;
      const depth = Math.min(bounds.depth ?? maxDepth, maxDepth);
      const most = Math.min(bounds.most ?? maxEntries, maxEntries);
      return answer(session, parsed, async (place) => {
        const { entries, complete } = await files.list(place, parsed, { depth, most });
        const usable = entries.filter((entry) => parseWorkspacePath(entry.path).ok);
        return { entries: usable.toSorted((left, right) => (left.path < right.path ? -1 : 1)), complete };
      });
    },
    remove: (session, path) =>
      withFile(session, path, (place, parsed) => inTurn(place, () => trash.put(place, parsed))),
    restore: async (session, id) => {
      const place = { session, folder: await folderFor(session) };
      try {
        return await inTurn(place, () => trash.restore(place, id));
      } catch (error) {
        return { kind: "failed", error: describeFileFault(error, id ?? "the trash") };
      }
    },
    async erase(session) {
      const place = { session, folder: await folderFor(session) };
      return inTurn(place, async () => {
        const most = { bytes: Infinity, files: Infinity };
        const size = await measureWorkspace(place.folder, most);
        // The folder stays: a container may have it as its own.
        await emptyTree(place.folder, anchoring);
        await trash.erase(place);
        return size.kind === "fine" ? size.files : 0;
      });
    },
    sweepTrash: () => trash.sweep(),
  };
}

function hashSession(session: string): string {
  return createHash("sha256").update(session).digest("hex").slice(0, 32);
}

function tooLarge(most: number) {
  return { ok: false, error: `The content is larger than ${most / mebibyte} MiB; write it in parts.` } as const;
}

/** Refuses what would bring a workspace over its limit, the one that commands are held to (sandbox/workspace-limit.ts). */
async function requireRoom(folder: string, limits: WorkspaceLimits, added: number): Promise<void> {
  const size = await measureWorkspace(folder, limits);
  if (size.kind === "unknown") {
    const remedy = "make every folder in it readable and less deep in the shell; until then no file is written.";
    throw new FileRefused(`The size of the workspace cannot be told (${size.reason}); ${remedy}`);
  }
  const [most, full] =
    size.kind === "over"
      ? [size.what === "files" ? `${limits.files} files` : describeSize(limits.bytes), true]
      : size.files >= limits.files
        ? [`${limits.files} files`, true]
        : [describeSize(limits.bytes), size.bytes + added > limits.bytes];
  if (full)
    throw new FileRefused(`The workspace has no room for this: its limit is ${most}. Delete what is not needed.`);
}
