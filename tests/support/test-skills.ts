import type { ActiveSkills } from "../../src/kernel/agent/turn-skills.ts";
import type { SessionSkills } from "../../src/features/skills/session-skills.ts";
import type { SkillRegistry } from "../../src/features/skills/skill-registry.ts";

export interface TestSkillsOptions {
  /** The skills there are now. Default: none. */
  readonly skillRegistry?: () => SkillRegistry;
  /** In the place of a registry: what an utterance brings, `foreign` = names of skills that are not the operator's. */
  readonly recallSkills?: RecallSkills;
  /** Whether commands may reach what skills declare. */
  readonly hostsAllowed?: () => boolean;
}

type RecallSkills = (utterance: string) => { readonly text: string; readonly foreign?: readonly string[] };

/** The skills of a session with what `recallSkills` says they bring. */
export function bringSkills(skills: SessionSkills, recallSkills: RecallSkills): SessionSkills {
  return {
    ...skills,
    async activate({ utterance }): Promise<ActiveSkills> {
      const { text, foreign = [] } = recallSkills(utterance);
      const [own, other] = foreign.length > 0 ? ["", text] : [text, ""];
      const nothing = {
        examples: [],
        skills: [],
        network: [],
        catalogue: { text: "", isForeign: false },
        suggested: [],
        waiting: [],
      };
      return { ...nothing, text: own, foreignText: other, foreign };
    },
  };
}
