import { mkdirSync } from "node:fs";
import type { Logger } from "pino";
import type { Configuration } from "./config/types.ts";
import { skillsFolderOf } from "./skills/store/skill-store.ts";

/** Where installed skills lie; made, so that it can be watched. */
export function prepareSkillsFolder(home: string): string {
  const folder = skillsFolderOf(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

export function tellDisabled({ disabledSkills }: Configuration, log: Logger): void {
  for (const { id, problem } of disabledSkills) log.error({ skill: id, problem }, "an installed skill is off");
}
