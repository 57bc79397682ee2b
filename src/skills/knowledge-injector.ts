import type { ConversationMessage, Language } from "../core/conversation.ts";
import type { SkillMatch } from "./types.ts";

export interface InjectedKnowledge {
  /** What the active skills say, for the changing end of the prompt; "" when there is nothing. */
  readonly text: string;
  /** Question and answer pairs, to be put before the conversation. */
  readonly examples: readonly ConversationMessage[];
  /** The skills whose text found room, in order. */
  readonly skills: readonly string[];
  /** Hosts that the active skills declare, in order: of those with a text only where it found room. */
  readonly network: readonly string[];
  /** Names of those whose text is not the operator's own. */
  readonly foreign: readonly string[];
}

/**
 * `budget` is in characters. The surest skill comes first; what does not fit is left out whole, never cut. Examples in
 * another language than the one spoken would pull the answer into theirs, so they stay out.
 */
export function injectKnowledge(
  matches: readonly SkillMatch[],
  options: { readonly budget: number; readonly language: Language },
): InjectedKnowledge {
  let left = options.budget;
  const spend = (text: string): boolean => {
    if (text.length > left) return false;
    left -= text.length;
    return true;
  };
  const active = matches.filter(({ skill }) => skill.context.trim() === "" || spend(headed(skill)));
  const included = active.filter(({ skill }) => skill.context.trim() !== "");
  const spoken = included.filter(({ skill }) => skill.language === options.language);
  const examples = spoken.flatMap(({ skill }) =>
    skill.examples.flatMap(({ user, assistant }): ConversationMessage[] =>
      spend(user + assistant)
        ? [
            { role: "user", text: user, senderId: "example", senderName: "example" },
            { role: "assistant", text: assistant, calls: [] },
          ]
        : [],
    ),
  );
  return {
    text: included.map(({ skill }) => headed(skill)).join("\n\n"),
    examples,
    skills: included.map(({ skill }) => skill.id),
    foreign: included.flatMap(({ skill }) => (skill.installed ? [skill.name] : [])),
    network: [...new Set(active.flatMap(({ skill }) => skill.tools.network))].toSorted(),
  };
}

function headed(skill: SkillMatch["skill"]): string {
  return `## ${skill.name}\n${skill.context.trim()}`;
}
