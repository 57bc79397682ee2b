import type { Configuration } from "../config/types.ts";
import type { Finding } from "./finding.ts";
import { toTerminalLine } from "./terminal-text.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";

/** Installed skills that are off. Nothing is said of the others: `skills list` shows them. */
export function examineSkills({ disabledSkills }: Pick<Configuration, "disabledSkills">): readonly Finding[] {
  return disabledSkills.map(({ id, problem }) => ({
    check: `skill ${toTerminalLine(id)}`,
    state: "broken",
    detail: `off: ${toTerminalLine(problem)}${findRemedy(id, problem)}`,
  }));
}

/** What is not as it was installed says so itself. */
function findRemedy(id: string, problem: string): string {
  if (problem.includes(`${kurisuCommand} skills `)) return "";
  if (problem.includes("skills.lock"))
    return `. Put it back from a backup, or take the folder of skills away and install them again: ${kurisuCommand} skills install`;
  return `. Mend that, or take it away: ${kurisuCommand} skills remove ${toTerminalLine(id)}`;
}
