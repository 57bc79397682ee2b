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

/**
 * The files of a session. Paths are relative to the session's folder; `/workspace/…`, the container's name of it, is
 * understood too. Commands in the container change the same files at the same time, so nothing here trusts a name twice.
 */
export interface Workspace {
  /** The session's folder on the host, made if it is not there; absolute. Belongs to the user that commands run as. */
  folderFor(session: string): Promise<string>;
  readText(session: string, path: string): Promise<FileAnswer<{ readonly text: string; readonly bytes: number }>>;
  /** The whole file as it is. */
  readBytes(session: string, path: string): Promise<FileAnswer<{ readonly bytes: Uint8Array }>>;
  /** Lines are counted from 0. */
  readLines(session: string, path: string, offset: number, limit: number): Promise<FileAnswer<LinesFound>>;
  /** Makes folders that are missing. `write` replaces the file as a whole, `append` adds to it. */
  write(
    session: string,
    path: string,
    content: string | Uint8Array,
    mode: "write" | "append",
  ): Promise<FileAnswer<{ readonly path: string; readonly bytesWritten: number; readonly existed: boolean }>>;
}
