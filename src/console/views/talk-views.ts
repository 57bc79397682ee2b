/** A file of the console's chats: one that was put there, or that she sent. */
export interface OwnFileView {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly kind: "image" | "audio" | "file";
}

export interface SaidRequest {
  readonly text: string;
  readonly files: readonly string[];
  /** A UUID. The same again is the same message. */
  readonly key: string;
}

/** The id of the stored message. */
export interface SaidView {
  readonly cause: string;
}

/** `isSaid` = it had arrived and been worked on, so that it stays. */
export interface RecalledView {
  readonly isSaid: boolean;
}

export const maxSaidLength = 32_000;
export const maxFileBytes = 50 * 1024 * 1024;
export const maxFiles = 10;
