import type { ConfigFault } from "../../core/yaml-file.ts";

/** The folders that a feature reads files of its own from, while the configuration is read. */
export interface ConfigPlace {
  /** The operator's config folder; may not exist. */
  readonly configFolder: string;
  /** The data folder. */
  readonly home: string;
  /** The operator's folder of this name, or the one that comes with Kurisu. */
  findFolder(name: string): string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a built-in tool has this name. */
  isOurTool(name: string): boolean;
  /** A path as people are shown it. */
  shownPath(path: string): string;
  /** A fault with which the configuration cannot be used. */
  onFault(fault: ConfigFault): void;
}
