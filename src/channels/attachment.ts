/** Kinds of attachments that are files; the channel may be able to fetch them. */
export type FileKind = "file" | "image" | "voice" | "audio" | "video" | "animation";

/** A file, sticker, card or the like that a message carries. Its name is one line chosen by its sender. */
export type Attachment =
  | {
      readonly kind: FileKind;
      readonly name?: string;
      readonly mimeType?: string;
      /** The size that the platform states, not measured. */
      readonly bytes?: number;
      /** Duration of a voice message or a video. */
      readonly seconds?: number;
      /** The channel's own reference to fetch it by; absent when it cannot be fetched. */
      readonly source?: FileSource;
    }
  | {
      readonly kind:
        | "sticker"
        | "contact"
        | "location"
        | "poll"
        | "dice"
        | "card"
        | "forward"
        | "share"
        | "music"
        | "other";
      readonly name?: string;
    };

/** Opaque: only the channel that wrote it can read it. */
export type FileSource = Readonly<Record<string, string>>;

/** How fetching a file ended. Reasons are one line, without secrets. */
export type FetchedFile =
  | { readonly kind: "fetched"; readonly content: Buffer; readonly name?: string; readonly mimeType?: string }
  /** `limit` in bytes: ours, or the platform's limit for downloads. */
  | { readonly kind: "tooLarge"; readonly limit: number }
  /** No later try helps: it is not there any more, or is nowhere we may look. */
  | { readonly kind: "gone"; readonly reason: string }
  | { readonly kind: "unreachable"; readonly reason: string };
