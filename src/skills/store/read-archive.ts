import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describeError } from "../../core/errors.ts";
import { isTooDense, refuseFiles, skillLimits, tooDense, tooLarge, type SkillFilesRead } from "./skill-files.ts";

/** Headers and padding of a tar file come on top of its files. */
const tarBytes = skillLimits.bytes + skillLimits.files * 4096;

export const archivePattern = /\.(?:zip|tar\.gz|tgz|tar)$/i;

/** The files of an archive, unpacked into memory only. Its first bytes tell the format. */
export async function readArchive(path: string): Promise<SkillFilesRead> {
  let packed: Buffer | undefined;
  try {
    packed = readWhole(path);
  } catch (error) {
    return refuseFiles(`the archive cannot be read: ${describeError(error)}`);
  }
  if (packed === undefined) return refuseFiles("the archive is no regular file, or larger than 20 MB");
  if (packed.subarray(0, 2).toString("latin1") === "PK") return await (await import("./read-zip.ts")).readZip(packed);
  if (!isPacked(packed, "1f8b")) return await readPlainTar(packed);
  let unpacked: Buffer;
  try {
    unpacked = gunzipSync(packed, { maxOutputLength: tarBytes });
  } catch (error) {
    const bomb = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    return refuseFiles(bomb ? tooLarge : `the archive is damaged: ${describeError(error)}`);
  }
  if (isTooDense(packed.length, unpacked.length)) return refuseFiles(tooDense);
  return await readPlainTar(unpacked);
}

/** The parser would unpack these by itself, without our limits. */
async function readPlainTar(archive: Buffer): Promise<SkillFilesRead> {
  const packed = ["1f8b", "28b52ffd"].some((magic) => isPacked(archive, magic));
  if (packed) return refuseFiles("the archive is packed in a way that is not taken, or twice");
  return await (await import("./read-tar.ts")).readTar(archive);
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
