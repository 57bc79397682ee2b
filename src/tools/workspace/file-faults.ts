/** Why a file cannot be used, as data for the model. Thrown inside the workspace only, caught at its border. */
export class FileRefused extends Error {
  override readonly name = "FileRefused";
}

const sentences: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no "${path}" in the workspace; look for it with glob or "ls".`,
  ENOTDIR: (path) => `A part of "${path}" is not a folder, or is a link; links are not followed. Use the real path.`,
  ELOOP: (path) => `"${path}" is a link, and links are not followed. Use the path of the file itself.`,
  EMLINK: (path) => `"${path}" is a link, and links are not followed. Use the path of the file itself.`,
  EISDIR: (path) => `"${path}" is a folder; name a file in it.`,
  EEXIST: (path) => `"${path}" came into being at the same moment; try again.`,
  ENOTEMPTY: (path) => `"${path}" is a folder; name a file in it.`,
  ENXIO: (path) => `"${path}" is not a regular file; only regular files can be used.`,
  ENAMETOOLONG: (path) => `A name in "${path}" is too long; use shorter names.`,
  EACCES: (path) => `The permissions of "${path}" do not allow this; change them with chmod in the shell.`,
  EPERM: (path) => `The permissions of "${path}" do not allow this; change them with chmod in the shell.`,
  ENOSPC: () => "The disk is full; delete something first.",
  EDQUOT: () => "The disk quota is used up; delete something first.",
  EFBIG: (path) => `"${path}" would become too large; write smaller files.`,
  EROFS: () => "The workspace is read-only; tell the operator.",
};

/** The sentence for an expected failure; anything else is a fault of ours and is thrown on. */
export function describeFileFault(error: unknown, path: string): string {
  if (error instanceof FileRefused) return error.message;
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const sentence = code === undefined ? undefined : sentences[code];
  if (sentence === undefined) throw error;
  return sentence(path);
}
