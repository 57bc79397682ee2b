import type { SessionSkills } from "./session-skills.ts";

const choices = ["on", "off", "auto"];

/** The words that may follow /skills: the action, then the id of a skill. */
export function createCompleteSkills({ list }: Pick<SessionSkills, "list">) {
  return async (session: string, [choice = "", ...rest]: readonly string[]): Promise<readonly string[]> => {
    if (rest.length === 0) return choices;
    if (rest.length > 1 || !choices.includes(choice)) return [];
    return (await list(session)).map(({ skill }) => skill.id);
  };
}
