import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { createFindSkillTool } from "../../src/skills/find-skill-tool.ts";
import { createIntentMatcher } from "../../src/skills/matching/intent-matcher.ts";
import {
  createSessionSkills,
  createSkillStates,
  type ActiveSkills,
  type SessionSkills,
} from "../../src/skills/session-skills.ts";
import { createSkillFileTool } from "../../src/skills/skill-file-tool.ts";
import { createSkillRegistry, type SkillRegistry } from "../../src/skills/skill-registry.ts";
import { suggestNothing } from "../../src/skills/suggest-skills.ts";
import type { Database } from "../../src/store/schema/database.ts";
import type { Tool } from "../../src/tools/types.ts";

export interface TestSkillsOptions {
  /** The skills there are now. Default: none. */
  readonly skillRegistry?: () => SkillRegistry;
  /** In the place of a registry: what an utterance brings, `foreign` = names of skills that are not the operator's. */
  readonly recallSkills?: (utterance: string) => {
    readonly text: string;
    readonly foreign?: readonly string[];
  };
  /** Whether commands may reach what skills declare. */
  readonly hostsAllowed?: () => boolean;
}

/** The skills of the sessions of a test, and the tools that look for them, if there is a registry. */
export function createTestSkills(
  options: TestSkillsOptions,
  parts: {
    readonly database: () => Kysely<Database>;
    readonly hasTool: (name: string) => boolean;
    readonly log: Logger;
  },
): { readonly skills: SessionSkills; readonly tools: readonly Tool[] } {
  const { hostsAllowed = () => true, recallSkills } = options;
  const skillRegistry = options.skillRegistry ?? (() => createSkillRegistry([]));
  const match = createIntentMatcher({ log: parts.log });
  const skills = createSessionSkills({
    states: createSkillStates({
      skillRegistry,
      surroundings: () => ({
        platform: process.platform,
        variables: [],
        path: "",
        configuration: {},
        hasTool: parts.hasTool,
      }),
      database: parts.database,
    }),
    budget: () => 8000,
    hostsAllowed,
    ensureServersStarted: async () => undefined,
    match,
    suggest: suggestNothing,
    listDisabled: () => [],
  });
  return {
    skills: recallSkills ? { ...skills, activate: ({ utterance }) => bring(recallSkills(utterance)) } : skills,
    tools: options.skillRegistry
      ? [
          createFindSkillTool({ skills, skillRegistry, match, listTools: () => [] }) as Tool,
          createSkillFileTool({ skills }) as Tool,
        ]
      : [],
  };
}

function bring({
  text,
  foreign = [],
}: ReturnType<NonNullable<TestSkillsOptions["recallSkills"]>>): Promise<ActiveSkills> {
  const [own, other] = foreign.length > 0 ? ["", text] : [text, ""];
  const nothing = { examples: [], skills: [], network: [], catalogue: "", suggested: [], waiting: [] };
  return Promise.resolve({ ...nothing, text: own, foreignText: other, foreign });
}
