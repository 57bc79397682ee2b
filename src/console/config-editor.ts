import type {
  ConfigCheckView,
  ConfigConflictView,
  ConfigRefusalView,
  ConfigSavedView,
  ConfigView,
} from "./views/config-views.ts";

export type WriteResult =
  | { readonly kind: "written"; readonly keys: readonly string[]; readonly view: ConfigSavedView }
  | ({ readonly kind: "conflict" } & ConfigConflictView)
  | ConfigRefusalView;

/** Reads, checks and writes the files of config/system. */
export interface ConfigEditor {
  /** The files, without .yaml. */
  readonly names: readonly string[];
  list(): ConfigView;
  /** Nothing is written. */
  check(name: string, text: string): ConfigCheckView;
  /** `was` = the hash of the text that was opened. */
  write(name: string, text: string, was: string): WriteResult;
}
