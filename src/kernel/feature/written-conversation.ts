export type ExportFormat = "md" | "json";

/** A conversation as a file. */
export interface WrittenConversation {
  readonly name: string;
  readonly content: Buffer;
  readonly count: number;
  /** Older messages had no room. */
  readonly isCut: boolean;
}
