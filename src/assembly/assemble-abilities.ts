import type { ChosenPersonas } from "../core/persona/chosen-personas.ts";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { narrowSubAgents } from "../features/sub-agents/load-sub-agents.ts";
import type { createTaskTool } from "../features/sub-agents/task-tool.ts";
import { findChannelSettings } from "../channels/definitions/channel-definitions.ts";
import type { Configuration } from "../config.ts";
import type { Clock } from "../core/clock.ts";
import type { Alarm } from "../core/schedule/alarm.ts";
import { wordsFor } from "../core/words/words.ts";
import { orderErasure } from "../features/erase/order-erasure.ts";
import type { MCPBridge } from "../features/mcp/mcp-bridge.ts";
import type { Meaning } from "../features/memory/embedding/meaning.ts";
import type { Models } from "../models/types.ts";
import { createIntentMatcher } from "../features/skills/matching/intent-matcher.ts";
import { skillCacheOf } from "../features/skills/matching/skill-models.ts";
import type { SessionSkills } from "../features/skills/session-skills.ts";
import type { Database } from "../store/schema/database.ts";
import type { FileDelivery } from "../features/work-tools/send-file.ts";
import { createToolRegistry, type ToolRegistry } from "../kernel/tools/registry.ts";
import { assemblePlaces, type Places } from "./assemble-places.ts";
import { assembleSkills, assembleSkillStates } from "./assemble-skills.ts";
import { assembleTools, type FollowTools, type GivenTools } from "./assemble-tools.ts";

/** MCP servers as far as skills and tools know them. */
type Servers = Pick<MCPBridge, "tools" | "readable" | "ensureServersStarted">;

/** Everything she can do, and where. */
export interface Abilities<Opened extends Servers> {
  readonly places: Places;
  readonly registry: ToolRegistry;
  readonly skills: SessionSkills;
  readonly servers: Opened;
  readonly followTools: FollowTools;
}

/** The places, the skills, the MCP servers and the tools, which know each other by the one registry. */
export async function assembleAbilities<Opened extends Servers>(
  configuration: () => Configuration,
  parts: {
    readonly database: () => Kysely<Database>;
    readonly delivery: FileDelivery;
    readonly personas: Pick<ChosenPersonas, "of">;
    /** Wakes the clock of reminders. */
    readonly alarm: Pick<Alarm, "ring">;
    readonly erasureAlarm: Pick<Alarm, "ring">;
    /** Absent = words are compared, not meanings. */
    readonly meaning?: Meaning | undefined;
    readonly startTask: Parameters<typeof createTaskTool>[0]["start"];
    /** `whyNotHere` = why a skill cannot be used in a session. */
    readonly openServers: (
      places: Places,
      whyNotHere: (skill: string, session: string) => Promise<string | undefined>,
    ) => Promise<Opened>;
    /** Reads the configuration anew. */
    readonly reload: () => void;
    /** Takes known secrets out of what is sent. */
    readonly scrub: (text: string) => string;
    /** The models of the tier small, within the limits. */
    readonly smallModel: () => Models;
    readonly tools?: GivenTools | undefined;
    /** Changes what the skills bring into a turn. */
    readonly skills?: ((skills: SessionSkills) => SessionSkills) | undefined;
    readonly clock: Clock;
    readonly log: Logger;
  },
): Promise<Abilities<Opened>> {
  const { database, log } = parts;
  const places = await assemblePlaces(configuration, parts);
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
  const agents = () => narrowSubAgents(configuration().subAgents, configuration().tools.agents);
  const followTools = await assembleTools(configuration, {
    registry,
    only: parts.tools?.only,
    places,
    database,
    delivery: parts.delivery,
    task: { agents, start: parts.startTask },
    skills: { skills, match, skillRegistry: () => configuration().skills },
    reminders: { limits: () => configuration().schedule, onChange: parts.alarm.ring },
    hearsAll: (platform) => {
      const listed = findChannelSettings(configuration().channels, platform);
      return listed?.observe === true || listed?.mentionOnly === false;
    },
    smallModel: parts.smallModel,
    herNames: (session, language) => {
      const { name, nicknames } = parts.personas.of(session);
      return [name[language], ...Object.values(name), ...nicknames];
    },
    servedAs: () => configuration().memory.served.person,
    spokenSince: () => Math.max(0, parts.clock.now() - configuration().memory.chatlog.seenWithin),
    memory: {
      personaOf: (session) => parts.personas.of(session).id,
      meaning: parts.meaning,
      scrub: parts.scrub,
      async forgetAll({ call, language, now, person: { id: account }, session, turn }) {
        await orderErasure(parts.database(), { account, by: account, session, key: `${turn}/${call}`, now });
        parts.erasureAlarm.ring();
        return { begun: wordsFor(language).memory.erasure.begun };
      },
    },
    reload: parts.reload,
    readable,
    clock: parts.clock,
    log,
  });
  registry.add(servers.tools);
  return { places, registry, skills, servers, followTools };
}
