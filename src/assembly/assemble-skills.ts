import { type OwnToolFolder, ownTools } from "../features/own-tools/own-tools.ts";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Configuration } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import { formatFault } from "../core/yaml-file.ts";
import { createEmbedTexts } from "../models/embed-texts.ts";
import {
  createSessionSkills,
  createSkillStates,
  type SessionSkills,
  type SkillStates,
} from "../features/skills/session-skills.ts";
import type { IntentMatcher } from "../features/skills/matching/intent-matcher.ts";
import { createSuggestSkills, suggestNothing, type SuggestSkills } from "../features/skills/suggest-skills.ts";
import type { Database } from "../store/schema/database.ts";
import { isToolAvailable, type ToolRegistry } from "../kernel/tools/registry.ts";

/** Which skills there are follows the configuration while she runs. */
export function assembleSkillStates(parts: {
  readonly configuration: () => Configuration;
  readonly database: () => Kysely<Database>;
  readonly registry: ToolRegistry;
}): SkillStates {
  const { configuration, database, registry } = parts;
  return createSkillStates({
    skillRegistry: () => configuration().skills,
    surroundings: () => ({
      platform: process.platform,
      ...configuration().surroundings,
      configuration: configuration(),
      hasTool: (name) => isToolAvailable(registry, name),
    }),
    database,
  });
}

/** The skills of every session. */
export function assembleSkills(parts: {
  readonly configuration: () => Configuration;
  readonly states: SkillStates;
  readonly ensureServersStarted: (skills: readonly string[]) => Promise<void>;
  readonly match: IntentMatcher;
  /** Takes known secrets out of what is sent. */
  readonly scrub: (text: string) => string;
  readonly clock: Clock;
  readonly log: Logger;
}): SessionSkills {
  const { configuration } = parts;
  return createSessionSkills({
    ...parts,
    budget: () => configuration().skillBudget,
    catalogueTokens: () => configuration().skillCatalogueTokens,
    hostsAllowed: () => configuration().sandbox.network === "on",
    listDisabled: () => configuration().disabledSkills,
    suggest: assembleSuggestions(configuration(), parts),
  });
}

function assembleSuggestions(
  { embeddings }: Configuration,
  parts: { readonly scrub: (text: string) => string; readonly clock: Clock; readonly log: Logger },
): SuggestSkills {
  if (embeddings === undefined) return suggestNothing;
  const embed = createEmbedTexts(embeddings);
  return createSuggestSkills({ ...parts, embed: (texts, timeoutMs) => embed(texts.map(parts.scrub), timeoutMs) });
}

/** Tells which skills were refused, with file, line and column, and which are not as they should be. */
export function logContentFaults({ features, mcp, skills }: Configuration, log: Logger): void {
  for (const fault of (features[ownTools.name] as OwnToolFolder).faults)
    log.error({ fault: formatFault(fault) }, "a file of config/tools is left out until it is corrected");
  for (const fault of mcp.warnings) log.warn({ fault }, "an MCP server is left out");
  for (const fault of skills.faults) {
    log.error({ fault: formatFault(fault) }, "a skill has faults; it is left out, or stays as it was");
  }
  for (const fault of skills.warnings) log.warn({ fault: formatFault(fault) }, "a skill is not as it should be");
}
