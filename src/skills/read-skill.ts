import type { ConfigFault } from "../core/yaml-file.ts";
import type { Skill } from "./types.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What became of one folder: `skill` or faults, and what could be read but is not as it should be. */
export interface ReadSkill {
  readonly skill?: Skill;
  readonly faults: readonly ConfigFault[];
  readonly warnings: readonly ConfigFault[];
}
