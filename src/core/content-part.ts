/**
 * LangChain's standard content blocks (docs.langchain.com, "Messages: standard content blocks"), as far as tools and
 * people exchange them. `data` is base64.
 */
export type MediaPart =
  | { readonly type: "image"; readonly mimeType: string; readonly data: string }
  | {
      readonly type: "file";
      readonly mimeType: string;
      readonly data: string;
      readonly metadata: { readonly filename: string };
    };

/** The input kinds of a model in addition to text: pictures, sound, documents. */
export const inputKinds = ["image", "audio", "file"] as const;

export type InputKind = (typeof inputKinds)[number];

/** A file of a message as the model is given it: a standard content block. */
export type InputPart = MediaPart | { readonly type: "audio"; readonly mimeType: string; readonly data: string };

/** A media part whose bytes are in the session's workspace, so that no row and no checkpoint carries them. */
export interface StoredPart {
  readonly type: MediaPart["type"];
  readonly mimeType: string;
  /** Relative to the workspace. */
  readonly path: string;
  readonly bytes: number;
}
