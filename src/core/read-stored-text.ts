import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { describeError } from "./errors.ts";

/** A file that its owner edits as text. */
export interface StoredText {
  /** Why it cannot be replaced: other bytes would not come back as they were. */
  readonly fault?: string;
  readonly text: string;
  /** SHA-256 of its bytes; empty when it is not there. */
  readonly was: string;
}

/** `refuse` = a link is not read, wherever it leads. */
export function readStoredText(path: string, links: "follow" | "refuse"): StoredText {
  const isLinked = isLink(path);
  if (isLinked && links === "refuse") return { text: "", was: "", fault: "It is a link to another file." };
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === "ENOENT" && !isLinked;
    return isAbsent ? { text: "", was: "" } : { text: "", was: "", fault: describeError(error) };
  }
  const text = bytes.toString();
  return { text, was: hashText(bytes), ...(!isUtf8(bytes) && { fault: "It is not UTF-8." }) };
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

export const hashText = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("hex");
