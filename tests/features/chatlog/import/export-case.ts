import type { FormatName } from "../../../../src/features/chatlog/import/import-format.ts";

/** Small exports as their programs write them, and what is in them. Local times are those of Asia/Shanghai. */
export interface ExportCase {
  readonly what: string;
  readonly format: FormatName;
  readonly text: string;
  readonly pieces: readonly string[];
}
