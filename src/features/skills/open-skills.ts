import type { Kernel } from "../../kernel/feature/define-feature.ts";
import { isToolAvailable } from "../../kernel/tools/registry.ts";
import { createEmbedTexts } from "../../models/embed-texts.ts";
import type { Surroundings } from "./loader/requirements.ts";
import { createIntentMatcher, type IntentMatcher } from "./matching/intent-matcher.ts";
import { skillCacheOf } from "./matching/skill-models.ts";
import { createSessionSkills, createSkillStates, type SessionSkills } from "./session-skills.ts";
import type { SkillRegistry } from "./skill-registry.ts";
import type { DisabledSkill } from "./store/load-installed.ts";
import { createSuggestSkills, suggestNothing, type SuggestSkills } from "./suggest-skills.ts";

/** The parts of the configuration that skills need. */
export interface SkillsConfiguration {
  readonly home: string;
  readonly configFolder: string;
  readonly skills: SkillRegistry;
  /** The file that the skills of the table are learnt from. */
  readonly skillSentences: string;
  readonly skillBudget: number;
  readonly skillCatalogueTokens: number;
  readonly disabledSkills: readonly DisabledSkill[];
  readonly surroundings: { readonly variables: readonly string[]; readonly path: string };
  readonly sandbox: { readonly network: "on" | "off" };
  readonly tools: { readonly extensions: { readonly registry?: string; readonly catalogue?: string } };
}

/** The skills of every session. Which there are follows the configuration while Kurisu runs. */
export function openSkills(
  configuration: () => SkillsConfiguration,
  kernel: Kernel,
  ensureServersStarted: (skills: readonly string[]) => Promise<void>,
): { readonly sessions: SessionSkills; readonly match: IntentMatcher; readonly surroundings: () => Surroundings } {
  const { log, registry, store } = kernel;
  const match = createIntentMatcher({
    table: () => configuration().skillSentences,
    cache: skillCacheOf(configuration().home),
    log,
  });
  const surroundings = (): Surroundings => ({
    platform: process.platform,
    ...configuration().surroundings,
    configuration: configuration(),
    hasTool: (name) => isToolAvailable(registry, name),
  });
  const states = createSkillStates({
    skillRegistry: () => configuration().skills,
    surroundings,
    database: () => store.main,
  });
  const sessions = createSessionSkills({
    states,
    match,
    ensureServersStarted,
    budget: () => configuration().skillBudget,
    catalogueTokens: () => configuration().skillCatalogueTokens,
    hostsAllowed: () => configuration().sandbox.network === "on",
    listDisabled: () => configuration().disabledSkills,
    suggest: openSuggestions(kernel),
  });
  return { sessions, match, surroundings };
}

function openSuggestions(kernel: Pick<Kernel, "clock" | "embeddingServer" | "log" | "scrub">): SuggestSkills {
  const server = kernel.embeddingServer();
  if (server === undefined) return suggestNothing;
  const embed = createEmbedTexts(server);
  return createSuggestSkills({
    ...kernel,
    embed: (texts, timeoutMs) => embed(texts.map(kernel.scrub), timeoutMs),
  });
}
