import type { ConfigFault } from "../../core/yaml-file.ts";

/** The folders from which a feature reads its own files while the configuration is read. */
export interface ConfigPlace {
  /** The operator's config folder; may not exist. */
  readonly configFolder: string;
  /** The data folder. */
  readonly home: string;
  /** The operator's folder of this name, or the one shipped with Kurisu. */
  findFolder(name: string): string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a built-in tool has this name. */
  isOurTool(name: string): boolean;
  /** A path as shown to people. */
  shownPath(path: string): string;
  /** Reports a fault that makes the configuration unusable. */
  onFault(fault: ConfigFault): void;
}
