/** Why a file cannot be used, as data for the model. Thrown inside the workspace only, caught at its border. */
export class FileRefused extends Error {
  override readonly name = "FileRefused";
  /** EBUSY: it was not even begun, and may go well later. */
  readonly code: "EBUSY" | undefined;

  constructor(message: string, code?: "EBUSY") {
    super(message);
    this.code = code;
  }
}

const mebibyte = 1024 * 1024;
/** Default limit of the largest file that is read or written, in bytes. */
export const maxFileBytes = 10 * mebibyte;

/** Error codes of the system, and our own: EHARDLINK, EIRREGULAR, ECHANGED, ETOOLARGE. */
const sentences: Readonly<Record<string, (path: string, most: number) => string>> = {
  ENOENT: (path) => `There is no "${path}" in the workspace; look for it with glob or "ls".`,
  ENOTDIR: (path) => `A part of "${path}" is not a folder, or is a link; links are not followed. Use the real path.`,
  ELOOP: (path) => `"${path}" is a link, and links are not followed. Use the path of the file itself.`,
  EMLINK: (path) => `"${path}" is a link, and links are not followed. Use the path of the file itself.`,
  EISDIR: (path) => `"${path}" is a folder; name a file in it.`,
  EEXIST: (path) => `"${path}" came into being at the same moment; try again.`,
  ENOTEMPTY: (path) => `"${path}" is a folder; name a file in it.`,
  ENXIO: (path) => `"${path}" is not a regular file; only regular files can be used.`,
  EIRREGULAR: (path) => `"${path}" is not a regular file; only regular files can be used.`,
  EHARDLINK: (path) => `"${path}" is one file under several names (a hard link); copy it first.`,
  ECHANGED: (path) => `"${path}" has changed in between, so nothing was written; read it again and repeat the change.`,
  ETOOLARGE: (path, most) =>
    `"${path}" is larger than ${describeSize(most)}; look at parts of it in the shell (head, tail, grep).`,
  ENAMETOOLONG: (path) => `A name in "${path}" is too long; use shorter names.`,
  EACCES: (path) => `The permissions of "${path}" do not allow this; change them with chmod in the shell.`,
  EPERM: (path) => `The permissions of "${path}" do not allow this; change them with chmod in the shell.`,
  ENOSPC: () => "The disk is full; delete something first.",
  EDQUOT: () => "The disk quota is used up; delete something first.",
  EFBIG: (path, most) => `"${path}" would grow beyond ${describeSize(most)}; start another file.`,
  EROFS: () => "The workspace is read-only; tell the operator.",
};

export function isKnownFault(code: string): boolean {
  return Object.hasOwn(sentences, code);
}

/** Undefined when it fails in a way that has a sentence: the file went or changed its kind in the meantime, or cannot be read. */
export async function unlessKnownFault<Result>(look: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await look();
  } catch (error) {
    if (isKnownFault((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

export function createFileFault(code: string, cause?: unknown): Error {
  return Object.assign(new Error(code, cause === undefined ? {} : { cause }), { code });
}

export function describeSize(bytes: number): string {
  return bytes >= mebibyte ? `${Math.floor(bytes / mebibyte)} MiB` : `${Math.floor(bytes / 1024)} KiB`;
}

/**
 * The sentence for an expected failure; anything else is a fault of ours and is thrown on. `most` = how many bytes the file
 * could have.
 */
export function describeFileFault(error: unknown, path: string, most = maxFileBytes): string {
  if (error instanceof FileRefused) return error.message;
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const sentence = code === undefined ? undefined : sentences[code];
  if (sentence === undefined) throw error;
  return sentence(path, most);
}
