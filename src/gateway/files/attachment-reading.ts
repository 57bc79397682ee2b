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

/** What a feature made of an attachment. */
export type AttachmentReading =
  /** `words` stand for the message's own text where it has none; `shown` is what the conversation keeps. */
  | { readonly kind: "read"; readonly words: string; readonly shown: string }
  /** `note` is for the model; `refusal` answers a person who sent nothing but this, when no model can take the file itself. */
  | {
      readonly kind: "unread";
      note(language: Language): string;
      refusal(language: Language): string;
    };
