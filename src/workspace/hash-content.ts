import { createHash } from "node:crypto";

/** Names a content: SHA-256 in hexadecimal. The script in the container makes the same one with sha256sum. */
export function hashContent(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
