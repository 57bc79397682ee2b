import type { WorkspacePath } from "./parse-workspace-path.ts";
import type { FileEntry } from "./types.ts";

/** Where a session's files are. */
export interface FilePlace {
  readonly session: string;
  /** Absolute, on the host. */
  readonly folder: string;
}

export interface Listing {
  readonly entries: readonly FileEntry[];
  readonly complete: boolean;
}

/**
 * The actions on files, in one way on the host (host-files.ts) and in another in the session's container
 * (container-files.ts). Everything above is written once (create-workspace.ts). Expected failures are thrown as
 * FileRefused or as errors with a `code` that file-faults.ts has a sentence for. Paths have at least one part, but for
 * `stat` and `list`.
 */
export interface FileActions {
  /** At most `most` bytes; more is ETOOLARGE. */
  read(place: FilePlace, path: WorkspacePath, most: number): Promise<Buffer>;
  /** Leaves out what cannot be read, or is larger than `most.file`; stops before the sum exceeds `most.all`. */
  readMany(
    place: FilePlace,
    paths: readonly WorkspacePath[],
    most: { readonly file: number; readonly all: number },
  ): Promise<{ readonly files: readonly { readonly path: string; readonly bytes: Buffer }[]; readonly looked: number }>;
  /** Replaces the whole file, and only over `expected`: a version, "absent", or undefined for any state. */
  replace(
    place: FilePlace,
    path: WorkspacePath,
    bytes: Uint8Array,
    expected: string | undefined,
  ): Promise<{ readonly existed: boolean }>;
  /** ETOOLARGE when the file would be larger than `most`. */
  append(
    place: FilePlace,
    path: WorkspacePath,
    bytes: Uint8Array,
    most: number,
  ): Promise<{ readonly existed: boolean }>;
  stat(place: FilePlace, path: WorkspacePath): Promise<FileEntry>;
  /** In no order, including names that no action accepts. */
  list(
    place: FilePlace,
    path: WorkspacePath,
    bounds: { readonly depth: number; readonly most: number },
  ): Promise<Listing>;
}
