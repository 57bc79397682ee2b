import type { PressResult } from "../types.ts";

/**
 * The events for a command-line client; `chat --json` prints these lines (without what only people need).
 * `cause` is the id of the line that led to it.
 */
export type CommandLineEvent =
  | {
      readonly type: "delta";
      readonly text: string;
      /** Present: no Markdown; not part of `--json`. */
      readonly plain?: true;
      readonly turn: string | null;
      readonly cause: string;
    }
  | {
      readonly type: "tool";
      readonly id: string;
      readonly name: string;
      /** The sub-agent that does it. */
      readonly agent?: string;
      /** writing = the model still writes the call; not part of `--json`. */
      readonly status: "writing" | "started" | "done" | "failed" | "denied" | "unknown";
      readonly ms?: number;
      /** The mark that people see instead of the status's own, such as `✗ 4`; not part of `--json`. */
      readonly mark?: string;
      /** Its display, as Markdown with marked lines; not part of `--json`. */
      readonly display?: string;
      /** Its progress; such an event repeats "started" and is not part of `--json`. */
      readonly note?: string;
      readonly summary: string;
      readonly turn: string;
      readonly cause: string;
    }
  | {
      readonly type: "approval";
      readonly id: string;
      readonly code: string;
      /** `call` = its id in the turn; not part of `--json`. */
      readonly calls: readonly { readonly call?: string; readonly tool: string; readonly summary: string }[];
      /** ISO 8601. */
      readonly expiresAt: string;
      readonly text: string;
      readonly turn: string | null;
      readonly cause: string | undefined;
    }
  /** A file was sent; the text says where it is. `--json` prints it as a delta. */
  | { readonly type: "file"; readonly text: string; readonly cause: string | undefined }
  /** An MCP server asks in the middle of a call, and the turn waits for the answer. `--json` prints it as a delta. */
  | { readonly type: "asked"; readonly text: string; readonly turn: string | null; readonly cause: undefined }
  /** A question was answered or ended, as its text says; `id` as in its approval event. Not part of `--json`. */
  | { readonly type: "closed"; readonly id: string; readonly text: string; readonly cause: undefined }
  /** The outcome of a press. Not part of `--json`. */
  | { readonly type: "pressed"; readonly result: PressResult; readonly text: string; readonly cause: string }
  | {
      readonly type: "reply";
      readonly text: string;
      /** Present: no Markdown; not part of `--json`. */
      readonly plain?: true;
      readonly turn: string | null;
      readonly cause: string | undefined;
    }
  | { readonly type: "error"; readonly code: string; readonly message: string; readonly cause: string | undefined };

/** A client in a terminal or behind the socket, in one chat. */
export interface CommandLineClient {
  readonly chat: string;
  readonly onEvent: (event: CommandLineEvent) => void;
}
