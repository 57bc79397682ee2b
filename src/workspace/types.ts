/** A file operation's answer: what was asked for, or one sentence that says what to do. */
export type FileAnswer<Found> =
  | ({ readonly ok: true } & Found)
  /** `code` = the fault's name for programs, where it has one: the system's, or one of file-faults.ts. */
  | { readonly ok: false; readonly error: string; readonly code?: string };

/** The whole of one file of a session's workspace. */
export type ReadFile = (session: string, path: string) => Promise<FileAnswer<{ readonly bytes: Uint8Array }>>;

export interface LinesFound {
  /** The lines asked for, joined by "\n". */
  readonly content: string;
  readonly totalLines: number;
  /** More lines follow the last one in `content`. */
  readonly hasMore: boolean;
  /** The first line alone is longer than an answer may be, and was cut. */
  readonly cut: boolean;
}

export interface BytesFound {
  /** Relative to the workspace, as it was understood. */
  readonly path: string;
  readonly bytes: Buffer;
  /** Names the content: SHA-256 in hexadecimal. What `WriteOptions.expected` takes. */
  readonly version: string;
}

export interface FileEntry {
  /** Relative to the workspace; "." is the workspace itself. */
  readonly path: string;
  /** `link` = a symbolic link, whatever it points at; it is not looked at. */
  readonly kind: "file" | "folder" | "link" | "other";
  /** Bytes, of files; else 0. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

interface ListBounds {
  /** Folders inside of folders; 1 = only what the folder itself holds. Default and most: 64. */
  readonly depth?: number;
  /** Default and most: 20,000 entries. */
  readonly most?: number;
}

interface WriteOptions {
  /** `write` replaces the file as a whole, `append` adds to it. Default: write. */
  readonly mode?: "write" | "append";
  /**
   * The version that the file must still have (`BytesFound.version`), or "absent" when it must not be there; else nothing
   * is written. For `write` only.
   */
  readonly expected?: string;
}

interface ManyFound {
  /** In the order asked for. What is no regular file, has a second name, is too large or is gone by now is left out. */
  readonly files: readonly { readonly path: string; readonly bytes: Buffer }[];
  /** How many of the paths were looked at before the bytes of one answer were used up; go on there. */
  readonly looked: number;
}

/** Something in the trash, by the path it had. */
export interface Removed {
  readonly id: string;
  readonly path: string;
}

export type Restoration =
  | ({ readonly kind: "restored" } & Removed)
  | { readonly kind: "empty" }
  | { readonly kind: "unknown"; readonly known: readonly Removed[] }
  /** Something is where it was. */
  | ({ readonly kind: "occupied" } & Removed)
  | { readonly kind: "failed"; readonly error: string };

/**
 * The files of a session. Paths are relative to the session's folder; `/workspace/…`, the container's name of it, is
 * understood too. Commands in the container change the same files at the same time, so nothing here trusts a name twice;
 * links are never followed.
 */
export interface Workspace {
  /** The session's folder on the host, made if it is not there; absolute. Belongs to the user that commands run as. */
  folderFor(session: string): Promise<string>;
  /** The whole file; `most` bytes, by default 10 MiB and at most 64 MiB. */
  readBytes(session: string, path: string, most?: number): Promise<FileAnswer<BytesFound>>;
  readText(session: string, path: string): Promise<FileAnswer<{ readonly text: string; readonly bytes: number }>>;
  /** Lines are counted from 0. */
  readLines(session: string, path: string, offset: number, limit: number): Promise<FileAnswer<LinesFound>>;
  /** For paths that `list` answered. Bytes of one file and of one answer are bounded by `most`. */
  readMany(
    session: string,
    paths: readonly string[],
    most: { readonly file: number; readonly all: number },
  ): Promise<FileAnswer<ManyFound>>;
  /** Makes folders that are missing. `write` replaces the file as a whole, `append` adds to it. */
  write(
    session: string,
    path: string,
    content: string | Uint8Array,
    mode: "write" | "append",
  ): Promise<FileAnswer<{ readonly path: string; readonly bytesWritten: number; readonly existed: boolean }>>;
  /** As `write`, for bytes, and if wanted only over a known content. */
  writeBytes(
    session: string,
    path: string,
    bytes: Uint8Array,
    options?: WriteOptions,
  ): Promise<FileAnswer<{ readonly path: string; readonly bytesWritten: number; readonly existed: boolean }>>;
  stat(session: string, path: string): Promise<FileAnswer<{ readonly entry: FileEntry }>>;
  /**
   * The entries below a folder, sorted by path, without what file tools leave alone (.git, .env, .ssh, names that are no text).
   * `complete` = false: a bound was met and there is more.
   */
  list(
    session: string,
    path: string,
    bounds?: ListBounds,
  ): Promise<FileAnswer<{ readonly entries: readonly FileEntry[]; readonly complete: boolean }>>;
  /** Moves a file, link or folder to the session's trash, which commands cannot reach. */
  remove(session: string, path: string): Promise<FileAnswer<Removed>>;
  /** Puts back what was removed last, or what has this id. Nothing is ever overwritten. */
  restore(session: string, id?: string): Promise<Restoration>;
  /** Deletes everything of the session for good, what is in its trash, too. Answers how many files and folders that was. */
  erase(session: string): Promise<number>;
}
