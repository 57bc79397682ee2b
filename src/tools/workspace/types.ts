/** A file operation's answer: what was asked for, or one sentence that says what to do. */
export type FileAnswer<Found> = ({ readonly ok: true } & Found) | { readonly ok: false; readonly error: string };

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

interface WriteOptions {
  /** "absent" = only where nothing is yet. */
  readonly expected?: "absent";
}

/**
 * The files of a session. Paths are relative to the session's folder; `/workspace/…`, the container's name of it, is
 * understood too. Commands in the container change the same files at the same time, so nothing here trusts a name twice.
 */
export interface Workspace {
  /** The session's folder on the host, made if it is not there; absolute. Belongs to the user that commands run as. */
  folderFor(session: string): Promise<string>;
  /** The whole file; `most` bytes, by default 10 MiB and at most 64 MiB. */
  readBytes(session: string, path: string, most?: number): Promise<FileAnswer<BytesFound>>;
  readText(session: string, path: string): Promise<FileAnswer<{ readonly text: string; readonly bytes: number }>>;
  /** Lines are counted from 0. */
  readLines(session: string, path: string, offset: number, limit: number): Promise<FileAnswer<LinesFound>>;
  /** Makes folders that are missing. `write` replaces the file as a whole, `append` adds to it. */
  write(
    session: string,
    path: string,
    content: string | Uint8Array,
    mode: "write" | "append",
  ): Promise<FileAnswer<{ readonly path: string; readonly bytesWritten: number; readonly existed: boolean }>>;
  /** As `write`, for bytes, and if wanted only where nothing is. */
  writeBytes(
    session: string,
    path: string,
    bytes: Uint8Array,
    options?: WriteOptions,
  ): Promise<FileAnswer<{ readonly path: string; readonly bytesWritten: number; readonly existed: boolean }>>;
}
