/** Something that the checks found. */
export interface SkillFindingView {
  /** With the line where there is one. */
  readonly place: string;
  readonly what: string;
  readonly shown: string;
  readonly blocks: boolean;
}

export interface SkillView {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** own = of config/skills or shipped; shared = of a folder that other agents read, too. */
  readonly from: "own" | "shared" | "installed";
  /** A folder; for an installed one the place it came from. */
  readonly source: string;
  readonly missing: readonly string[];
  readonly choices: readonly { readonly session: string; readonly chat: string; readonly choice: "on" | "off" }[];
  readonly findings: readonly SkillFindingView[];
}

export interface SkillsView {
  readonly now: number;
  readonly items: readonly SkillView[];
  /** Installed ones that are off everywhere. */
  readonly disabled: readonly { readonly id: string; readonly problem: string }[];
}

export interface SkillChoiceRequest {
  readonly skill: string;
  readonly choice: "on" | "off" | "auto";
}

export interface ChangedFileView {
  /** Its path; for one that is no text also what became of it. */
  readonly title: string;
  /** As `diff -u` writes them. */
  readonly lines: readonly string[];
}

/** An archive, as the terminal shows one before it is installed. */
export interface ArchiveReviewView {
  readonly review: string;
  readonly hash: string;
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** The rights it asks for, in words. */
  readonly rights: readonly string[];
  readonly findings: readonly SkillFindingView[];
  readonly isBlocked: boolean;
  /** The installed version that it replaces, with the files that differ. */
  readonly over?: { readonly version: string; readonly files: readonly ChangedFileView[] };
}

export interface InstallSkillRequest {
  readonly review: string;
  readonly hash: string;
}
