import type { TopicSkill } from "../store/queries/skills.ts";

/** A skill leaves after so many turns in which nothing called for it. */
const longestQuiet = 3;

/**
 * The skills a topic is about after one more message. What the message calls for is in. The others grow quiet: by one with a
 * message that calls for nothing, as 「再详细点」 does, and by two with one that calls for something else, so that a short
 * question in between does not end a topic and a second one does.
 */
export function continueTopic(before: readonly TopicSkill[], called: readonly string[]): readonly TopicSkill[] {
  const step = called.length === 0 ? 1 : 2;
  const others = before
    .filter(({ skill }) => !called.includes(skill))
    .map(({ skill, quiet }) => ({ skill, quiet: quiet + step }))
    .filter(({ quiet }) => quiet <= longestQuiet);
  return [...called.map((skill) => ({ skill, quiet: 0 })), ...others];
}
