import type { Kysely } from "kysely";
import type { Taint } from "../core/conversation.ts";
import { listKnownContents, saveKnownContent } from "../store/queries/known-contents.ts";
import type { Database } from "../store/schema/database.ts";
import { chooseAnchoring } from "./open-folder.ts";
import { describeTree, type TreeEntry } from "./preview/describe-tree.ts";
import { TreeTooLarge } from "./preview/tree-limits.ts";

/** Whose turn it is, where, and what it has read. */
interface Reading {
  readonly session: string;
  readonly person: { readonly id: string };
  readonly taint: Taint;
  readonly now: number;
}

/** The label that a result gets for what it shows of a workspace; empty = the turn's own. */
export interface WorkspaceLabel {
  readonly taint?: "untrusted";
  readonly sources?: readonly string[];
}

/**
 * Which contents of a workspace are this person's own. A file is what its bytes are: one that was changed by a command, by
 * somebody else or after something foreign was read is not known any more, whatever it is called.
 */
export interface KnownContents {
  /** Remembers a content that was put there; in an untrusted turn it does nothing. */
  keep(reading: Reading, path: string, sha256: string): Promise<void>;
  isKnown(reading: Reading, sha256: string): Promise<boolean>;
  /** For names alone, folders ending in "/". */
  labelNames(reading: Reading, paths: readonly string[]): Promise<WorkspaceLabel>;
  /** For what was read; undefined = it could not be looked at as a whole. */
  labelFiles(
    reading: Reading,
    files: readonly { readonly path: string; readonly sha256: string | undefined }[],
  ): Promise<WorkspaceLabel>;
  /** For a command, which may read whatever is in the folder. */
  labelFolder(reading: Reading, folder: string, signal: AbortSignal): Promise<WorkspaceLabel>;
}

/** A folder with more is not looked through before each command; it counts as unknown. */
const folderLimits = { entries: 500, bytes: 16 * 1024 * 1024, depth: 32 };
const mostNamed = 3;

export function createKnownContents({ database }: { readonly database: () => Kysely<Database> }): KnownContents {
  const list = ({ session, person }: Reading) => listKnownContents(database(), session, person.id);
  const isSettled = ({ taint }: Reading): boolean => taint === "untrusted";

  return {
    async keep(reading, path, sha256) {
      if (isSettled(reading)) return;
      const { session, person, now } = reading;
      await saveKnownContent(database(), { session, person: person.id, path, sha256 }, now);
    },
    isKnown: async (reading, sha256) => (await list(reading)).digests.has(sha256),
    async labelNames(reading, names) {
      if (isSettled(reading) || names.length === 0) return {};
      const { paths } = await list(reading);
      return label(names.filter((name) => !isNamed(name, paths)));
    },
    async labelFiles(reading, files) {
      if (isSettled(reading) || files.length === 0) return {};
      const { digests } = await list(reading);
      return label(files.flatMap(({ path, sha256 }) => (digests.has(sha256 ?? "") ? [] : [path])));
    },
    async labelFolder(reading, folder, signal) {
      if (isSettled(reading)) return {};
      const { digests, paths } = await list(reading);
      const isOwn = (path: string, entry: TreeEntry): boolean => {
        if (entry.kind === "link") return false;
        if (entry.kind === "folder") return isNamed(`${path}/`, paths);
        return isNamed(path, paths) && digests.has(entry.digest);
      };
      try {
        const options = { anchoring: chooseAnchoring(), limits: folderLimits, signal };
        const { entries, skipped } = await describeTree(folder, options);
        const strange = [...entries].flatMap(([path, entry]) => (isOwn(path, entry) ? [] : [path]));
        return label([...strange, ...skipped.map(({ path }) => path)]);
      } catch (error) {
        if (error instanceof TreeTooLarge) return label(["/workspace"]);
        throw error;
      }
    },
  };
}

function isNamed(name: string, paths: ReadonlySet<string>): boolean {
  return paths.has(name) || (name.endsWith("/") && [...paths].some((path) => path.startsWith(name)));
}

function label(foreign: readonly string[]): WorkspaceLabel {
  if (foreign.length === 0) return {};
  const rest = foreign.length > mostNamed ? [`+${foreign.length - mostNamed}`] : [];
  return { taint: "untrusted", sources: [...foreign.slice(0, mostNamed), ...rest] };
}
