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
  /** What it takes the place of, with the lines of the difference. */
  readonly over?: { readonly version: string; readonly lines: readonly string[] };
}

export interface ArchiveRefusedView {
  readonly problem: string;
}

export interface InstallSkillRequest {
  readonly review: string;
  readonly hash: string;
}
