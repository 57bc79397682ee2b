import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceLimits } from "./types.ts";

/** `over` = it exceeds that limit; nothing more was counted. */
export type WorkspaceSize =
  | { readonly kind: "fine"; readonly bytes: number; readonly files: number }
  | { readonly kind: "over"; readonly what: "bytes" | "files" }
  | { readonly kind: "unknown"; readonly reason: string };

const statsAtOnce = 64;

/**
 * The folder's size on the disk, in blocks of 512 bytes, so that the holes of a file cost nothing. Follows no link.
 * Call it while no command runs in there.
 */
export async function measureWorkspace(folder: string, limits: WorkspaceLimits): Promise<WorkspaceSize> {
  const waiting = [folder];
  let [bytes, files] = [0, 0];
  try {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const names = await readdir(path);
      files += names.length;
      if (files > limits.files) return { kind: "over", what: "files" };
      for (let from = 0; from < names.length; from += statsAtOnce) {
        const part = names.slice(from, from + statsAtOnce).map((name) => join(path, name));
        const found = await Promise.all(part.map((file) => lstat(file)));
        for (const [index, stats] of found.entries()) {
          bytes += stats.blocks * 512;
          if (stats.isDirectory()) waiting.push(part[index] ?? "");
        }
        if (bytes > limits.bytes) return { kind: "over", what: "bytes" };
      }
    }
  } catch (error) {
    return { kind: "unknown", reason: (error as NodeJS.ErrnoException).code ?? "unknown" };
  }
  return { kind: "fine", bytes, files };
}
