import type { Language } from "../../core/conversation.ts";

/** A file that came with a message and is in the workspace now. */
export interface SavedFile {
  readonly kind: "saved";
  /** Within the workspace. */
  readonly path: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a feature heard in a voice message. */
export type HeardVoice =
  /** The kernel checks `words` for an answer to an open question; the conversation keeps `shown`. */
  | { readonly kind: "heard"; readonly words: string; readonly shown: string }
  /** `note` is for the model; `refusal` answers a person who sent nothing but this, when no model takes the file itself. */
  | {
      readonly kind: "unheard";
      note(language: Language): string;
      refusal(language: Language): string;
    };
