import type { InputKind } from "../../core/content-part.ts";
import type { FileRecord } from "../../core/conversation.ts";

/** A file of the person's message that is passed to the model, by reference: only its path and digest are stored. */
export interface GivenFile {
  readonly type: InputKind;
  readonly mimeType: string;
  /** Relative to the workspace. */
  readonly path: string;
  readonly sha256: string;
}

const kinds: Readonly<Record<string, InputKind>> = {
  "image/png": "image",
  "image/jpeg": "image",
  "image/gif": "image",
  "image/webp": "image",
  "application/pdf": "file",
  "audio/mpeg": "audio",
  "audio/mp3": "audio",
  "audio/wav": "audio",
  "audio/x-wav": "audio",
};
/** Byte limits of model servers for one file and for all files of a message. */
const maxBytes: Readonly<Record<InputKind, number>> = { image: 5_242_880, audio: 10_000_000, file: 10_000_000 };
const maxTotalBytes = 20_000_000;
const maxFiles = 10;

/** The files that one of the models accepts, in order. The others stay in the workspace, where tools can read them. */
export function chooseGiven(files: readonly FileRecord[], inputs: ReadonlySet<InputKind>): readonly GivenFile[] {
  const chosen = new Map<string, GivenFile>();
  let total = 0;
  for (const { path, mimeType, bytes, sha256 } of files) {
    const type = Object.hasOwn(kinds, mimeType) ? kinds[mimeType] : undefined;
    if (type === undefined || !inputs.has(type) || bytes === 0 || bytes > maxBytes[type]) continue;
    if (chosen.has(sha256) || chosen.size >= maxFiles || total + bytes > maxTotalBytes) continue;
    total += bytes;
    chosen.set(sha256, { type, mimeType, path, sha256 });
  }
  return [...chosen.values()];
}
