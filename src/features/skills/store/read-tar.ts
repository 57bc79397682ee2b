import { Parser, type ReadEntry } from "tar";
import { describeError } from "../../../core/errors.ts";
import {
  isInFolder,
  refuseFiles,
  skillLimits,
  tooLarge,
  tooMany,
  type SkillFile,
  type SkillFilesRead,
} from "./skill-files.ts";

/** The files of an unpacked tar. Nothing touches the disk. Any entry but a plain file or folder refuses the whole. */
export function readTar(archive: Buffer, only = ""): Promise<SkillFilesRead> {
  return new Promise((resolve) => {
    const files: SkillFile[] = [];
    let bytes = 0;
    let entries = 0;
    let problem: string | undefined;
    const parser = new Parser({
      strict: true,
      maxMetaEntrySize: 64 * 1024,
      onReadEntry(entry: ReadEntry) {
        if (!isInFolder(entry.path, only)) {
          entry.resume();
          return;
        }
        entries += 1;
        problem ??= judge(entry);
        if (problem !== undefined || entry.type === "Directory") {
          entry.resume();
          return;
        }
        const chunks: Buffer[] = [];
        entry.on("data", (chunk: Buffer) => chunks.push(chunk));
        entry.on("end", () => files.push({ path: entry.path, bytes: Buffer.concat(chunks) }));
      },
    });
    const fail = (error: unknown) => resolve(refuseFiles(problem ?? `the archive is damaged: ${describeError(error)}`));
    parser.on("error", fail);
    // The parser skips kinds of entries that it does not know, so they are refused here.
    parser.on("ignoredEntry", (entry: ReadEntry) => {
      if (isInFolder(entry.path, only)) problem ??= `${JSON.stringify(entry.path)} is no regular file (${entry.type})`;
      entry.resume();
    });
    parser.on("end", () => resolve(problem === undefined ? { ok: true, files } : refuseFiles(problem)));
    parser.end(archive);

    function judge({ path, type, size }: ReadEntry): string | undefined {
      if (entries > 4 * skillLimits.files) return tooMany;
      if (type === "Directory") return undefined;
      if (type !== "File" && type !== "OldFile" && type !== "ContiguousFile")
        return `${JSON.stringify(path)} is a link or no regular file (${type})`;
      if (files.length >= skillLimits.files) return tooMany;
      bytes += size;
      return bytes > skillLimits.bytes ? tooLarge : undefined;
    }
  });
}
