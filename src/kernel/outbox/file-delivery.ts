import type { FileAnswer } from "../../workspace/types.ts";

/** A file to be sent to the chat of its turn, once per (turn, call). */
export interface FileToSend {
  readonly session: string;
  readonly turn: string;
  readonly call: string;
  readonly caption: string;
  /** Called once; not at all when the file was queued before a crash. */
  readonly read: () => Promise<
    FileAnswer<{ readonly name: string; readonly content: Uint8Array; readonly sha256: string }>
  >;
  readonly signal: AbortSignal;
}

export type FileDelivered =
  | { readonly kind: "sent"; readonly messageId: string }
  /** It waits for its turn in the chat and goes out by itself. */
  | { readonly kind: "queued" }
  /** It may be out or not. */
  | { readonly kind: "doubtful" }
  | { readonly kind: "refused"; readonly reason: string };

/** Brings files to people; the gateway's. */
export interface FileDelivery {
  /** Largest file that the session's platform takes, bytes. */
  limitFor(session: string): number;
  deliver(file: FileToSend): Promise<FileDelivered>;
}
