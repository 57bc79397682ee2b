import type { Language } from "../../core/conversation.ts";

/** A file of a message, saved in the workspace. */
export interface SavedFile {
  readonly kind: "saved";
  /** Relative to the workspace. */
  readonly path: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The result of listening to a voice message. */
export type HeardVoice =
  /** The kernel checks `words` for an answer to an open question; the conversation stores `shown`. */
  | { readonly kind: "heard"; readonly words: string; readonly shown: string }
  /**
   * `note` is for the model. `refusal` replies to a person who sent only this, when no model accepts the file itself.
   */
  | {
      readonly kind: "unheard";
      note(language: Language): string;
      refusal(language: Language): string;
    };
