/** The files of a skill on their way in: read once, checked, hashed and written from memory, so that nothing can change between. */

export interface SkillFile {
  /** Relative to the skill's folder, with "/". */
  readonly path: string;
  readonly bytes: Buffer;
}

/** Limits of a skill in bytes. `ratio` is unpacked to packed, and is checked above `ratioFrom` unpacked bytes. */
export const skillLimits = {
  files: 1000,
  bytes: 20 * 1024 * 1024,
  ratio: 100,
  ratioFrom: 1024 * 1024,
} as const;

/** The bytes of a skill, or one sentence that says why they are not taken. */
export type SkillFilesRead =
  | { readonly ok: true; readonly files: readonly SkillFile[] }
  | { readonly ok: false; readonly problem: string };

/** Whether a file is in the requested folder; "" = every file is. Archives may have a folder around it. */
export function isInFolder(path: string, folder: string): boolean {
  return folder === "" || `/${path}`.includes(`/${folder}/`);
}

export function refuseFiles(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

export const tooMany = `it holds more than ${skillLimits.files} files`;
export const tooLarge = `it is larger than ${skillLimits.bytes / 1024 / 1024} MB`;
export const tooDense = `it unpacks to more than ${skillLimits.ratio} times its size`;

export function isTooDense(packed: number, unpacked: number): boolean {
  return unpacked > skillLimits.ratioFrom && unpacked > packed * skillLimits.ratio;
}

const scriptNames =
  /\.(?:sh|bash|zsh|fish|py|js|mjs|cjs|ts|mts|rb|pl|php|lua|ps1|psm1|bat|cmd|vbs|jar|exe|so|dylib|dll|wasm|node)$/i;

/** Looks like a program by its name or its first bytes. */
export function isScript({ path, bytes }: SkillFile): boolean {
  return scriptNames.test(path) || bytes.subarray(0, 2).toString("latin1") === "#!";
}
