export interface ConfigFaultView {
  /** Absent for a fault of the environment. */
  readonly place?: { readonly file: string; readonly line: number; readonly column: number };
  /** It is in the text that is checked. */
  readonly isHere: boolean;
  /** `key: problem`. */
  readonly text: string;
}

export interface LockedKeyView {
  readonly key: string;
  /** Counts from 1. */
  readonly line: number;
}

export interface ConfigFileView {
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the stored file; empty when it is not there. */
  readonly was: string;
  /** A secret was taken out of the text, which therefore cannot be saved. */
  readonly isMasked: boolean;
  readonly faults: readonly ConfigFaultView[];
  /** Lines of the text with keys that change on the machine only. */
  readonly lockedLines: readonly number[];
  /** All of its keys that do, written or not. */
  readonly lockedKeys: readonly string[];
}

export interface ConfigView {
  readonly files: readonly ConfigFileView[];
  /** Keys of all files that wait for a restart. */
  readonly waiting: readonly string[];
}

export interface ConfigCheckView {
  readonly faults: readonly ConfigFaultView[];
  readonly lockedLines: readonly number[];
  /** Locked keys that differ from what is stored. */
  readonly changedLocked: readonly LockedKeyView[];
}

export type ConfigSavedView = { readonly was: string } & (
  | { readonly state: "in-force" }
  | { readonly state: "waits"; readonly keys: readonly string[] }
  /** Saved, and the last good configuration stays in force. */
  | { readonly state: "refused"; readonly faults: readonly ConfigFaultView[] }
);

/** Why a text was not saved. */
export type ConfigRefusalView =
  | { readonly kind: "faults"; readonly faults: readonly ConfigFaultView[] }
  | { readonly kind: "locked"; readonly keys: readonly LockedKeyView[] }
  /** The text, or the file as stored, holds a secret that is known. */
  | { readonly kind: "secret" }
  | { readonly kind: "unwritable"; readonly reason: string };

/** The file changed since it was opened. */
export interface ConfigConflictView {
  readonly theirs: string;
  readonly was: string;
}
