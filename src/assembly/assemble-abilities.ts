import type { ChosenPersonas } from "../core/persona/chosen-personas.ts";
import type { Logger } from "pino";
import type { Configuration } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import type { MCPBridge } from "../features/mcp/mcp-bridge.ts";
import type { Meaning } from "../features/memory/embedding/meaning.ts";
import { createIntentMatcher } from "../features/skills/matching/intent-matcher.ts";
import { skillCacheOf } from "../features/skills/matching/skill-models.ts";
import type { Store } from "../store/open-store.ts";
import type { SessionSkills } from "../features/skills/session-skills.ts";
import type { MadeFeature } from "../kernel/feature/make-features.ts";
import type { GuardedFetch } from "../web/guarded-fetch.ts";
import { createToolRegistry, type ToolRegistry } from "../kernel/tools/registry.ts";
import type { Places } from "./assemble-places.ts";
import { assembleSkills, assembleSkillStates } from "./assemble-skills.ts";
import { assembleTools, type FollowTools, type GivenTools } from "./assemble-tools.ts";

/** MCP servers as far as skills and tools know them. */
type Servers = Pick<MCPBridge, "tools" | "readable" | "ensureServersStarted">;

/** Everything she can do, and where. */
export interface Abilities<Opened extends Servers> {
  readonly registry: ToolRegistry;
  readonly skills: SessionSkills;
  readonly servers: Opened;
  readonly followTools: FollowTools;
}

/** The skills, the MCP servers and the tools, which know each other by the one registry. */
export async function assembleAbilities<Opened extends Servers>(
  configuration: () => Configuration,
  parts: {
    readonly store: Pick<Store, "main">;
    readonly places: Places;
    readonly features: readonly MadeFeature[];
    readonly zone: () => string;
    readonly guardedFetch: GuardedFetch;
    readonly personas: Pick<ChosenPersonas, "of">;
    /** Absent = words are compared, not meanings. */
    readonly meaning?: Meaning | undefined;
    /** Removes known secrets from what is sent. */
    readonly scrub: (text: string) => string;
    /** `whyNotHere` = why a skill cannot be used in a session. */
    readonly openServers: (
      places: Places,
      whyNotHere: (skill: string, session: string) => Promise<string | undefined>,
    ) => Promise<Opened>;
    /** Reads the configuration anew. */
    readonly reload: () => void;
    readonly tools?: GivenTools | undefined;
    /** Changes what the skills bring into a turn. */
    readonly skills?: ((skills: SessionSkills) => SessionSkills) | undefined;
    readonly clock: Clock;
    readonly log: Logger;
  },
): Promise<Abilities<Opened>> {
  const { log, places, store } = parts;
  const database = () => store.main;
  const registry = createToolRegistry(parts.tools?.also ?? [], {
    conflicts: () => configuration().tools.conflicts,
    overrides: () => configuration().tools.overrides,
    onConflict: ({ name, source }, loser) =>
      log.warn({ tool: name, winner: source, loser: loser.source }, "two tools have one name"),
  });
  const states = assembleSkillStates({ configuration, database, registry });
  const servers = await parts.openServers(places, (skill, session) => states.whyNot(session, skill));
  const match = createIntentMatcher({
    table: () => configuration().skillSentences,
    cache: skillCacheOf(configuration().home),
    log,
  });
  const { ensureServersStarted, readable } = servers;
  const own = assembleSkills({ ...parts, configuration, states, match, ensureServersStarted });
  const skills = parts.skills?.(own) ?? own;
  const followTools = await assembleTools(configuration, {
    registry,
    only: parts.tools?.only,
    features: parts.features,
    kernel: parts,
    workspace: places.workspace,
    database,
    guardedFetch: parts.guardedFetch,
    skills: { skills, match, skillRegistry: () => configuration().skills },
    reload: parts.reload,
    readable,
    log,
  });
  registry.add(servers.tools);
  return { registry, skills, servers, followTools };
}
