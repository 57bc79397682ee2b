import type { FileAnswer } from "../../workspace/types.ts";

/** A file to send to the chat of its turn, once per (turn, call). */
export interface FileToSend {
  readonly session: string;
  readonly turn: string;
  readonly call: string;
  readonly caption: string;
  /** Called once, and not at all when the file was queued before a crash. */
  readonly read: () => Promise<
    FileAnswer<{ readonly name: string; readonly content: Uint8Array; readonly sha256: string }>
  >;
  readonly signal: AbortSignal;
}

export type FileDelivered =
  | { readonly kind: "sent"; readonly messageId: string }
  /** It waits for its place in the chat and goes out without further action. */
  | { readonly kind: "queued" }
  /** It may or may not have been sent. */
  | { readonly kind: "doubtful" }
  | { readonly kind: "refused"; readonly reason: string };

/** Sends files to people; the gateway implements it. */
export interface FileDelivery {
  /** Largest file that the session's platform accepts, in bytes. */
  limitFor(session: string): number;
  deliver(file: FileToSend): Promise<FileDelivered>;
}
