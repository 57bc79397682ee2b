import type { SessionSkills } from "../session-skills.ts";
import type { Skill } from "../loader/types.ts";

/**
 * The choice of a person about a skill in a chat. A skill of ours needs no approval, an installed one its own: an id must not
 * keep one for a later skill of its name.
 */
export function applyChoice(
  skills: Pick<SessionSkills, "choose">,
  session: string,
  { id, origin }: Pick<Skill, "id" | "origin">,
  choice: "on" | "off" | "auto",
): Promise<void> {
  const kept = { on: origin === "shared" ? "on" : undefined, off: "off", auto: undefined } as const;
  return skills.choose(session, id, kept[choice]);
}
