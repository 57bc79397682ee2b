import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { Taint } from "../core/conversation.ts";
import { listKnownContents, saveKnownContents } from "../store/queries/known-contents.ts";
import type { Database } from "../store/schema/database.ts";
import { chooseAnchoring } from "./open-folder.ts";
import type { FolderWriters } from "./folder-writers.ts";
import { describeTree, type TreeDescription, type TreeEntry } from "./trees/describe-tree.ts";
import { TreeTooLarge } from "./trees/tree-limits.ts";

/** The person and place of a turn, and what it has read. */
interface Reading {
  readonly session: string;
  readonly person: { readonly id: string };
  readonly taint: Taint;
  readonly now: number;
}

/** The label that a result gets for what it shows of a workspace; empty means the turn's own. */
export interface WorkspaceLabel {
  readonly taint?: "untrusted";
  readonly sources?: readonly string[];
}

/** A command's time in a folder. */
export interface FolderStay {
  /** For what the command may have read until now. */
  label(reading: Reading, signal: AbortSignal): Promise<WorkspaceLabel>;
  /**
   * The command ended by itself and reached nothing but the folder. What it left is the person's own, as far as all
   * that it could read was, and as far as no other writer wrote there in the meantime; content in doubt has no known
   * author.
   */
  keep(reading: Reading, signal: AbortSignal): Promise<void>;
  /** It writes no more, at the latest after `lingersMs`, by default now. */
  end(lingersMs?: number): void;
}

/**
 * Which contents of a workspace are this person's own. A file is what its bytes are: one that was changed by a command
 * that might have read something foreign, by another person or after something foreign was read is not known any more,
 * even under the same name.
 */
export interface KnownContents {
  /** Remembers a content that was put there; in an untrusted turn it does nothing. */
  keep(reading: Reading, path: string, sha256: string): Promise<void>;
  isKnown(reading: Reading, sha256: string): Promise<boolean>;
  /** For names alone, folders ending in "/". */
  labelNames(reading: Reading, paths: readonly string[]): Promise<WorkspaceLabel>;
  /** For what was read; undefined for a file that could not be looked at as a whole. */
  labelFiles(
    reading: Reading,
    files: readonly { readonly path: string; readonly sha256: string | undefined }[],
  ): Promise<WorkspaceLabel>;
  /** For a command, which may read everything in the folder; to be called before it begins. */
  enterFolder(reading: Reading, folder: string, signal: AbortSignal): Promise<FolderStay>;
}

/** A folder with more is not looked through before each command; it counts as unknown. */
const folderLimits = { entries: 500, bytes: 16 * 1024 * 1024, depth: 32 };
const maxNamed = 3;
/** For a folder that was not looked through. */
const unknown: WorkspaceLabel = { taint: "untrusted", sources: ["/workspace"] };

export function createKnownContents(parts: {
  readonly database: () => Kysely<Database>;
  readonly writers: FolderWriters;
}): KnownContents {
  const { database, writers } = parts;
  const list = ({ session, person }: Reading) => listKnownContents(database(), session, person.id);
  const isTainted = ({ taint }: Reading): boolean => taint === "untrusted";
  const save = ({ session, person, now }: Reading, contents: readonly { path: string; sha256: string }[]) =>
    saveKnownContents(database(), { session, person: person.id }, contents, now);

  /** The label for what is in a folder: untrusted where an entry is not known as the person's own. */
  async function labelTree(reading: Reading, { entries, skipped }: TreeDescription): Promise<WorkspaceLabel> {
    const { digests, paths } = await list(reading);
    const strange = [...entries].filter(([path, entry]) => {
      const named = nameEntry(path, entry);
      return !isNamed(named.path, paths) || (entry.kind !== "folder" && !digests.has(named.sha256));
    });
    return labelForeign([...strange.map(([path]) => path), ...skipped.map(({ path }) => path)]);
  }

  return {
    async keep(reading, path, sha256) {
      if (!isTainted(reading)) await save(reading, [{ path, sha256 }]);
    },
    isKnown: async (reading, sha256) => (await list(reading)).digests.has(sha256),
    async labelNames(reading, names) {
      if (isTainted(reading) || names.length === 0) return {};
      const { paths } = await list(reading);
      return labelForeign(names.filter((name) => !isNamed(name, paths)));
    },
    async labelFiles(reading, files) {
      if (isTainted(reading) || files.length === 0) return {};
      const { digests } = await list(reading);
      return labelForeign(files.flatMap(({ path, sha256 }) => (digests.has(sha256 ?? "") ? [] : [path])));
    },
    async enterFolder(begun, folder, signal) {
      const writer = writers.watch(folder);
      const before = isTainted(begun) ? undefined : await describe(folder, signal).catch(giveUp);
      const label = isTainted(begun) ? {} : before ? await labelTree(begun, before).catch(giveUp) : unknown;
      /** false for good once a turn that had read something foreign looked at the command. */
      let isOwn = before !== undefined && label.taint === undefined;
      const isStillOwn = (reading: Reading): boolean => {
        isOwn &&= !isTainted(reading) && reading.person.id === begun.person.id;
        return isOwn && writer.isAlone();
      };

      function giveUp(error: unknown): never {
        writer.end();
        throw error;
      }

      return {
        async label(reading, until) {
          if (isStillOwn(reading) || isTainted(reading)) return {};
          if (label.taint !== undefined) return label;
          // A file that came and went between two looks shows in no tree; the command may have read it.
          if (!writer.wasAlone()) return unknown;
          const now = await tryToDescribe(folder, until);
          return now ? labelTree(reading, now) : unknown;
        },
        async keep(reading, until) {
          if (!isStillOwn(reading)) return;
          const after = await tryToDescribe(folder, until);
          // Asked once more: no other writer may have begun during the look.
          if (!after || after.revision === before?.revision || !isStillOwn(reading)) return;
          // Includes the entries that were there already: among the oldest, they would be dropped.
          await save(
            reading,
            [...after.entries].map(([path, entry]) => nameEntry(path, entry)),
          );
        },
        end(lingersMs = 0) {
          if (lingersMs === 0) writer.end();
          else setTimeout(() => writer.end(), lingersMs).unref();
        },
      };
    },
  };
}

/** Undefined when there is too much. */
async function describe(folder: string, signal: AbortSignal): Promise<TreeDescription | undefined> {
  try {
    return await describeTree(folder, { anchoring: chooseAnchoring(), limits: folderLimits, signal });
  } catch (error) {
    if (error instanceof TreeTooLarge) return undefined;
    throw error;
  }
}

/** After a command, which has run even if its files cannot be read, also when the call was stopped in the meantime. */
async function tryToDescribe(folder: string, signal: AbortSignal): Promise<TreeDescription | undefined> {
  try {
    return await describe(folder, signal);
  } catch (error) {
    if (signal.aborted || (error as NodeJS.ErrnoException).code !== undefined) return undefined;
    throw error;
  }
}

/** An entry as it is stored. A folder or a link has a value that is the digest of no file. */
function nameEntry(path: string, entry: TreeEntry): { readonly path: string; readonly sha256: string } {
  switch (entry.kind) {
    case "file":
      return { path, sha256: entry.digest };
    case "folder":
      return { path: `${path}/`, sha256: "folder" };
    case "link":
      return { path, sha256: `link ${createHash("sha256").update(entry.target).digest("hex")}` };
  }
}

function isNamed(name: string, paths: ReadonlySet<string>): boolean {
  return paths.has(name) || (name.endsWith("/") && [...paths].some((path) => path.startsWith(name)));
}

function labelForeign(foreign: readonly string[]): WorkspaceLabel {
  if (foreign.length === 0) return {};
  const rest = foreign.length > maxNamed ? [`+${foreign.length - maxNamed}`] : [];
  return { taint: "untrusted", sources: [...foreign.slice(0, maxNamed), ...rest] };
}
