import { createHash } from "node:crypto";

/** From 0 up to, not including, 1; the same for the same seed, over a restart, too. */
export function roll(seed: string): number {
  return createHash("sha256").update(seed).digest().readUInt32BE(0) / 2 ** 32;
}
