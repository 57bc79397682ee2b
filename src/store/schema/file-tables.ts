/** A piece of a content. A content is there with all its parts, or with none. */
export interface BlobTable {
  /** The digest of the whole content, in hexadecimal. */
  sha256: string;
  /** From 0. */
  part: number;
  bytes: Uint8Array;
}

/** A file or link of a session's workspace, as it was when the session was last saved. */
export interface SessionFileTable {
  session: string;
  /** Relative to the workspace, parts joined by "/". */
  path: string;
  /** Null for a link. */
  sha256: string | null;
  /** The target of a link; null for a file. */
  target: string | null;
  size: number;
  /** The nine permission bits. */
  mode: number;
}

/** The state in which `session_files` has a session's workspace. */
export interface SessionSnapshotTable {
  session: string;
  /** Grows with each change. */
  version: number;
  /** The workspaces folder it was saved from (snapshots/name-place.ts); "" = its files were erased. */
  node: string;
  /** 0 = the workspace is too large to be saved: its files are in that folder only. */
  whole: number;
  at: number;
}

/** A file that a message of the outbox will send. */
export interface OutgoingFileTable {
  /** The id of the message. */
  id: string;
  sha256: string;
  at: number;
}
