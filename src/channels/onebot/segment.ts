/** A piece of a message: a text, a mention, a picture. Source: botuniverse/onebot-11, message/segment.md. */
export interface Segment {
  readonly type: string;
  /** Numbers are written out; what is neither text nor number (such as an inline forward) is left out. */
  readonly data: Readonly<Record<string, string>>;
}

/** The text segments alone, one after the other. */
export function joinText(segments: readonly Segment[]): string {
  return segments.map(({ type, data }) => (type === "text" ? (data["text"] ?? "") : "")).join("");
}
