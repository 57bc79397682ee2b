import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { ContainerIdentity } from "../../sandbox/container-identity.ts";
import { createKeyedQueue } from "../../sandbox/keyed-queue.ts";
import type { WorkspaceLimits } from "../../sandbox/types.ts";
import type { Store } from "../../store/open-store.ts";
import { keepBlobs, readBlob, sweepBlobs } from "../../store/queries/blobs.ts";
import {
  changeSessionFiles,
  dropSessionFiles,
  findSnapshot,
  raiseSnapshot,
  readSnapshot,
  type SavedFile,
  type Snapshot,
} from "../../store/queries/session-files.ts";
import type { FolderWriters } from "../folder-writers.ts";
import type { Workspace } from "../types.ts";
import { rebuildFolder, sweepRebuilt } from "./rebuild-folder.ts";
import { compareFiles, scanWorkspace, type Scan, type ScannedFile } from "./scan-workspace.ts";

/**
 * `same`: the folder is the newest already. `restored`: it was rebuilt. `elsewhere`: the files are too large to be saved
 * and are on another machine; this one's folder was left as it is.
 */
type RestoredFiles =
  | { readonly kind: "same" }
  | { readonly kind: "restored"; readonly files: number }
  | { readonly kind: "elsewhere"; readonly node: string };

/** The files of sessions in the database, from where another process takes them. */
export interface SessionSnapshots {
  /** Stores what has changed in the session's workspace since the last time. Without a writer in between it does nothing. */
  save(session: string): Promise<void>;
  /** Makes the workspace what it was when it was last saved, wherever that was. For the process that has just claimed it. */
  restore(session: string): Promise<RestoredFiles>;
  /** Forgets what was known of a session's files. For the process that has just given it up. */
  release(session: string): void;
  /** Deletes contents that no row names any more, and what dead processes left. */
  sweep(): Promise<void>;
}

export interface SnapshotParts {
  readonly store: Pick<Store, "main">;
  readonly workspace: Pick<Workspace, "folderFor">;
  /** The folder that contains the workspaces of all sessions, and its name (name-place.ts). */
  readonly root: string;
  readonly node: string;
  /** The owner of files that are put there; absent means the user of this process. */
  readonly owner?: ContainerIdentity;
  readonly writers: Pick<FolderWriters, "count">;
  readonly limits?: WorkspaceLimits;
  /** Called once when a workspace has become too large to be saved. */
  readonly onTooLarge: (session: string, version: number) => Promise<void>;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
}

/** The state of a workspace as this process knows it. */
interface Known {
  /** The version that the folder here follows. */
  readonly snapshot: Snapshot | undefined;
  readonly files: ReadonlyMap<string, ScannedFile>;
  /** How many writers had begun when nothing was left to save; undefined means something is. */
  readonly saved: number | undefined;
}

const defaultLimits: WorkspaceLimits = { bytes: 64 * 1024 * 1024, files: 10_000 };

export function createSessionSnapshots(parts: SnapshotParts): SessionSnapshots {
  const { clock, limits = defaultLimits, log, node, owner, store, workspace, writers } = parts;
  const queue = createKeyedQueue();
  const sessions = new Map<string, Known>();

  async function inTurn<Result>(session: string, work: (folder: string) => Promise<Result>): Promise<Result> {
    const folder = await workspace.folderFor(session);
    const release = await queue.acquire(session, new AbortController().signal);
    try {
      return await work(folder);
    } finally {
      release?.();
    }
  }

  function hasNothingNew(session: string, folder: string): boolean {
    const { begun, live } = writers.count(folder);
    return live === 0 && begun === (sessions.get(session)?.saved ?? (sessions.has(session) ? undefined : 0));
  }

  async function tryToScan(session: string, folder: string, before: Known["files"]): Promise<Scan | undefined> {
    try {
      return await scanWorkspace(folder, before, limits);
    } catch (error) {
      log.warn(
        { err: error, session },
        "the files of a session could not be read; they are saved with the next change",
      );
      return undefined;
    }
  }

  /** Finds the version that the folder here follows; undefined when that is not known and another place saved the files. */
  async function findBase(session: string): Promise<Known | undefined> {
    const known = sessions.get(session);
    const newest = await findSnapshot(store.main, session);
    if (newest === undefined || isErased(newest)) return { snapshot: newest, files: new Map(), saved: undefined };
    if (known !== undefined) {
      if (isSame(known.snapshot, newest)) return known;
      throw new AppError("TURN_LOST", `Another process has saved the files of ${session}; this one may not any more.`);
    }
    return newest.node === node ? readKnown(session) : undefined;
  }

  async function readKnown(session: string): Promise<Known | undefined> {
    const found = await readSnapshot(store.main, session);
    return found && { snapshot: found.snapshot, files: mapFiles(found.files), saved: undefined };
  }

  async function raise(
    session: string,
    before: Snapshot | undefined,
    whole: boolean,
    change: Parameters<typeof changeSessionFiles>[2],
    contents: ReadonlyMap<string, Buffer> = new Map(),
  ): Promise<Snapshot> {
    const next = { version: (before?.version ?? 0) + 1, node, whole: whole ? 1 : 0 };
    await store.main.transaction().execute(async (tx) => {
      if (!(await raiseSnapshot(tx, session, before, { ...next, at: clock.now() })))
        throw new AppError("TURN_LOST", `Another process has just saved the files of ${session}.`);
      await keepBlobs(
        tx,
        [...contents].map(([sha256, bytes]) => ({ sha256, bytes })),
      );
      if (whole) await changeSessionFiles(tx, session, change);
      else await dropSessionFiles(tx, session);
    });
    return next;
  }

  async function storeScan(session: string, { files, snapshot }: Known, scan: Scan): Promise<Omit<Known, "saved">> {
    if (scan.kind === "too-large") {
      if (snapshot?.whole === 0 && snapshot.node === node) return { snapshot, files: new Map() };
      const next = await raise(session, snapshot, false, { changed: [], gone: [] });
      log.warn({ session }, "the files of a session are too large to be saved; they stay on this machine only");
      await parts.onTooLarge(session, next.version);
      return { snapshot: next, files: new Map() };
    }
    const change = compareFiles(files, scan.files);
    const isNew = change.changed.length + change.gone.length > 0 || snapshot?.whole === 0;
    if (!isNew) return { snapshot, files: scan.files };
    return { snapshot: await raise(session, snapshot, true, change, scan.contents), files: scan.files };
  }

  return {
    async save(session) {
      if (hasNothingNew(session, await workspace.folderFor(session))) return;
      await inTurn(session, async (folder) => {
        if (hasNothingNew(session, folder)) return;
        const { begun, live } = writers.count(folder);
        const base = await findBase(session);
        if (base === undefined) {
          log.warn({ session }, "the files of a session were not restored here, so they are not saved either");
          return;
        }
        const scan = await tryToScan(session, folder, base.files);
        if (scan === undefined) return;
        sessions.set(session, { ...(await storeScan(session, base, scan)), saved: live === 0 ? begun : undefined });
      });
    },
    restore: (session) =>
      inTurn(session, async (folder) => {
        const found = await readKnown(session);
        const newest = found?.snapshot;
        const known = sessions.get(session);
        if (known && newest && isSame(known.snapshot, newest)) return { kind: "same" };
        // This place saved them last, or no process did: the folder here is at least as new.
        if (newest === undefined || newest.node === node) {
          sessions.set(session, found ?? { snapshot: undefined, files: new Map(), saved: undefined });
          return { kind: "same" };
        }
        const saved = writers.count(folder).begun;
        if (newest.whole === 0 && !isErased(newest)) {
          sessions.set(session, { snapshot: newest, files: new Map(), saved });
          return { kind: "elsewhere", node: newest.node };
        }
        const files = [...(found?.files.values() ?? [])];
        const readContent = (sha256: string) => readBlob(store.main, sha256);
        await rebuildFolder(folder, files, { owner, readContent });
        sessions.set(session, { snapshot: newest, files: mapFiles(files), saved });
        return { kind: "restored", files: files.length };
      }),
    release: (session) => void sessions.delete(session),
    async sweep() {
      await sweepBlobs(store.main);
      await sweepRebuilt(parts.root, clock.now());
    },
  };
}

const isErased = ({ node }: Snapshot): boolean => node === "";

const isSame = (known: Snapshot | undefined, newest: Snapshot): boolean =>
  known?.version === newest.version && known.node === newest.node;

const mapFiles = (files: readonly SavedFile[]): ReadonlyMap<string, SavedFile> =>
  new Map(files.map((file) => [file.path, file]));
