import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Configuration } from "./config.ts";
import { systemClock } from "./core/clock.ts";
import { formatFault } from "./core/yaml-file.ts";
import { createEmbedTexts } from "./models/embed-texts.ts";
import { createSessionSkills, type SessionSkills } from "./skills/session-skills.ts";
import type { IntentMatcher } from "./skills/matching/intent-matcher.ts";
import { createSuggestSkills, suggestNothing } from "./skills/suggest-skills.ts";
import type { Database } from "./store/schema/database.ts";
import { isToolAvailable, type ToolRegistry } from "./tools/registry.ts";

/** The skills of every session; which there are follows the configuration while she runs. */
export function assembleSkills(parts: {
  readonly configuration: () => Configuration;
  readonly database: () => Kysely<Database>;
  /** Asked when a skill is looked for, not before. */
  readonly registry: () => ToolRegistry;
  readonly ensureServersStarted: (skills: readonly string[]) => Promise<void>;
  readonly match: IntentMatcher;
  /** Takes known secrets out of what is sent. */
  readonly scrub: (text: string) => string;
  readonly log: Logger;
}): SessionSkills {
  const { configuration, database, log, registry, scrub } = parts;
  return createSessionSkills({
    skillRegistry: () => configuration().skills,
    surroundings: () => ({
      platform: process.platform,
      ...configuration().surroundings,
      configuration: configuration(),
      hasTool: (name) => isToolAvailable(registry(), name),
    }),
    database,
    budget: () => configuration().skillBudget,
    ensureServersStarted: parts.ensureServersStarted,
    hostsAllowed: () => configuration().sandbox.network === "on",
    listDisabled: () => configuration().disabledSkills,
    match: parts.match,
    suggest: assembleSuggestions(configuration(), scrub, log),
  });
}

function assembleSuggestions({ embeddings }: Configuration, scrub: (text: string) => string, log: Logger) {
  if (embeddings === undefined) return suggestNothing;
  const embed = createEmbedTexts(embeddings);
  return createSuggestSkills({
    embed: (texts, timeoutMs) => embed(texts.map(scrub), timeoutMs),
    clock: systemClock,
    log,
  });
}

/** Tells which skills were refused, with file, line and column, and which are not as they should be. */
export function logContentFaults({ mcp, skills }: Configuration, log: Logger): void {
  for (const fault of mcp.warnings) log.warn({ fault }, "an MCP server is left out");
  for (const fault of skills.faults) {
    log.error({ fault: formatFault(fault) }, "a skill has faults; it is left out, or stays as it was");
  }
  for (const fault of skills.warnings) log.warn({ fault: formatFault(fault) }, "a skill is not as it should be");
}
