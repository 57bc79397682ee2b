import { fromBufferPromise, type Entry } from "yauzl";
import { describeError } from "../../../core/errors.ts";
import {
  isInFolder,
  isTooDense,
  refuseFiles,
  skillLimits,
  tooDense,
  tooLarge,
  tooMany,
  type SkillFile,
  type SkillFilesRead,
} from "./skill-files.ts";
import { readZipEntry } from "../../../core/read-zip-entry.ts";

const encrypted = 0x1;

/** The files of a zip archive. Sizes are held to what the archive declares; a name or kind that is not plain refuses the whole. */
export async function readZip(archive: Buffer, only = ""): Promise<SkillFilesRead> {
  const files: SkillFile[] = [];
  let bytes = 0;
  try {
    const zip = await fromBufferPromise(archive, { strictFileNames: true });
    if (only === "" && zip.entryCount > 4 * skillLimits.files) return refuseFiles(tooMany);
    for await (const entry of zip.eachEntry()) {
      if (!isInFolder(entry.fileName, only)) continue;
      const problem = judge(entry);
      if (problem !== undefined) return refuseFiles(problem);
      if (entry.fileName.endsWith("/")) continue;
      files.push({ path: entry.fileName, bytes: await readZipEntry(zip, entry) });
    }
  } catch (error) {
    return refuseFiles(`the archive is damaged: ${describeError(error)}`);
  }
  return isTooDense(archive.length, bytes) ? refuseFiles(tooDense) : { ok: true, files };

  function judge(entry: Entry): string | undefined {
    const name = JSON.stringify(entry.fileName);
    if ((entry.generalPurposeBitFlag & encrypted) !== 0) return `${name} is encrypted`;
    // Made on Unix: the upper half has the file type.
    const kind = (entry.externalFileAttributes >>> 16) & 0o170000;
    if (kind !== 0 && kind !== 0o100000 && kind !== 0o040000) return `${name} is a link or no regular file`;
    if (entry.fileName.endsWith("/")) return undefined;
    if (files.length >= skillLimits.files) return tooMany;
    bytes += entry.uncompressedSize;
    if (bytes > skillLimits.bytes) return tooLarge;
    return isTooDense(entry.compressedSize, entry.uncompressedSize) ? tooDense : undefined;
  }
}
