import { basename } from "node:path";
import { formatFault } from "../../../core/yaml-file.ts";
import { narrowServer } from "../../mcp/servers/narrow-server.ts";
import { loadSkill } from "../loader/load-skills.ts";
import type { Skill } from "../loader/types.ts";
import { findOwnProgram } from "./find-own-program.ts";
import { listVariables, type IsOwnVariable } from "./skill-rights.ts";
import { verifySkills } from "./verify-skills.ts";

/** An installed skill that is not used, and why. */
export interface DisabledSkill {
  readonly id: string;
  readonly problem: string;
}

/**
 * The installed skills that are byte for byte as approved. Of the environment they get the variables that their
 * mcp.json names, which were shown before the approval. `taken` = ids that the operator's own skills have.
 */
export function loadInstalled(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
  taken: readonly string[],
  isOwnVariable: IsOwnVariable,
): { readonly skills: readonly Skill[]; readonly disabled: readonly DisabledSkill[] } {
  const skills: Skill[] = [];
  const disabled: DisabledSkill[] = [];
  for (const found of verifySkills(folder)) {
    const { id } = found;
    const disable = (problem: string) => void disabled.push({ id, problem });
    if (found.kind === "changed") {
      disable(found.problem);
      continue;
    }
    if (taken.includes(id)) {
      disable("the config folder has a skill of this name, which goes first");
      continue;
    }
    const names = listVariables(found.files);
    const own = names.filter(isOwnVariable);
    if (own.length > 0) {
      disable(`its mcp.json asks for Kurisu's own variables: ${own.join(", ")}`);
      continue;
    }
    const allowed = Object.fromEntries(names.map((name) => [name, environment[name]]));
    const { skill, faults } = loadSkill(folder, id, allowed);
    if (!skill) disable(faults.map((fault) => formatFault({ ...fault, file: basename(fault.file) })).join("; "));
    else {
      // Checked with variables filled in: no default and no variable may lead to a program that was not shown.
      const program = findOwnProgram(id, skill.mcpServers, found.files);
      if (program !== undefined) disable(`its server ${program} would be started from its own files or folder`);
      else
        skills.push({
          ...skill,
          mcpServers: skill.mcpServers.map(narrowServer),
          installed: { digest: found.digest, source: found.locked.source },
        });
    }
  }
  return { skills, disabled };
}
