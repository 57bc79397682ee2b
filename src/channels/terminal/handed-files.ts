import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeError } from "../../core/errors.ts";
import type { Attachment, FetchedFile, FileKind, FileSource } from "../types.ts";

/** A file that a client hands in with a line. */
export interface HandedFile {
  readonly kind: Extract<FileKind, "file" | "image" | "audio">;
  readonly name: string;
  readonly mimeType?: string;
  readonly base64: string;
}

/** The message that it belongs to has long been handled by then. */
const keptMs = 24 * 3_600_000;

/** Keeps the files of a line until its turn has taken them into the workspace; a restart finds them there. */
export function createHandedFiles(folder: string) {
  return {
    async keep(file: HandedFile): Promise<Attachment> {
      const content = Buffer.from(file.base64, "base64");
      const id = randomUUID();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, id), content, { mode: 0o600, flag: "wx" });
      const { kind, name, mimeType } = file;
      return { kind, name, ...(mimeType !== undefined && { mimeType }), bytes: content.length, source: { id } };
    },
    async find({ id = "" }: FileSource, maxBytes: number): Promise<FetchedFile> {
      if (!/^[0-9a-f-]{36}$/.test(id)) return { kind: "gone", reason: "no such file" };
      const path = join(folder, id);
      try {
        if ((await stat(path)).size > maxBytes) return { kind: "tooLarge", limit: maxBytes };
        return { kind: "fetched", content: await readFile(path) };
      } catch (error) {
        return { kind: "gone", reason: describeError(error) };
      }
    },
    /** Removes what nobody fetches any more. */
    async sweep(now: number): Promise<void> {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return [];
        throw error;
      });
      for (const name of names) {
        const { mtimeMs } = await stat(join(folder, name));
        if (now - mtimeMs > keptMs) await rm(join(folder, name), { force: true });
      }
    },
  };
}
