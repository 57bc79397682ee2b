import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describeError } from "../../../core/errors.ts";
import { isTooDense, refuseFiles, skillLimits, tooDense, tooLarge, type SkillFilesRead } from "./skill-files.ts";

/** Headers and padding of a tar file come on top of its files. */
const tarBytes = skillLimits.bytes + skillLimits.files * 4096;

/** A `.skill` file is a zip archive. */
export const archivePattern = /\.(?:skill|zip|tar\.gz|tgz|tar)$/i;
/** Bytes of an archive as it comes. */
export const maxArchiveBytes = tarBytes;
export const archiveTooLarge = "the archive is no regular file, or larger than 20 MB";

/** The files of an archive, or of the folder `only` inside of it. */
export async function readArchive(path: string, only = ""): Promise<SkillFilesRead> {
  let packed: Buffer | undefined;
  try {
    packed = readWhole(path);
  } catch (error) {
    return refuseFiles(`the archive cannot be read: ${describeError(error)}`);
  }
  return packed === undefined ? refuseFiles(archiveTooLarge) : await unpackArchive(packed, only);
}

/** The same from memory, into memory only. The first bytes identify the format. */
export async function unpackArchive(packed: Buffer, only = ""): Promise<SkillFilesRead> {
  if (packed.subarray(0, 2).toString("latin1") === "PK")
    return await (await import("./read-zip.ts")).readZip(packed, only);
  if (!isPacked(packed, "1f8b")) return await readPlainTar(packed, only);
  let unpacked: Buffer;
  try {
    unpacked = gunzipSync(packed, { maxOutputLength: tarBytes });
  } catch (error) {
    const bomb = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    return refuseFiles(bomb ? tooLarge : `the archive is damaged: ${describeError(error)}`);
  }
  if (isTooDense(packed.length, unpacked.length)) return refuseFiles(tooDense);
  return await readPlainTar(unpacked, only);
}

/** The parser would unpack these on its own, without our limits. */
async function readPlainTar(archive: Buffer, only: string): Promise<SkillFilesRead> {
  const packed = ["1f8b", "28b52ffd"].some((magic) => isPacked(archive, magic));
  if (packed) return refuseFiles("the archive is packed in a way that is not taken, or twice");
  return await (await import("./read-tar.ts")).readTar(archive, only);
}

function isPacked(bytes: Buffer, magic: string): boolean {
  return bytes.subarray(0, magic.length / 2).toString("hex") === magic;
}

function readWhole(path: string): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const entry = fstatSync(file);
    return entry.isFile() && entry.size <= tarBytes ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}
