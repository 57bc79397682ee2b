import { type OwnToolFolder, ownTools } from "../features/own-tools/own-tools.ts";
import type { Logger } from "pino";
import type { Configuration } from "../config.ts";
import { formatFault } from "../core/yaml-file.ts";

export function tellDisabled({ disabledSkills }: Configuration, log: Logger): void {
  for (const { id, problem } of disabledSkills) log.error({ skill: id, problem }, "an installed skill is off");
}

/** Logs which skills were refused, with file, line and column, and which have faults. */
export function logContentFaults(
  { features, formerKeys, mcp, skills, unknownVariables }: Configuration,
  log: Logger,
): void {
  for (const key of formerKeys) log.warn({ key }, "a key of an earlier version is in config/system");
  for (const problem of unknownVariables) log.warn({ problem }, "a variable is not known");
  for (const fault of (features[ownTools.name] as OwnToolFolder).faults)
    log.error({ fault: formatFault(fault) }, "a file of config/tools is left out until it is corrected");
  for (const fault of mcp.warnings) log.warn({ fault }, "an MCP server is left out");
  for (const fault of skills.faults) {
    log.error({ fault: formatFault(fault) }, "a skill has faults; it is left out, or stays as it was");
  }
  for (const fault of skills.warnings) log.warn({ fault: formatFault(fault) }, "a skill is not as it should be");
}
