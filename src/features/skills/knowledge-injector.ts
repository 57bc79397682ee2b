import type { ConversationMessage, Language } from "../../core/conversation.ts";
import type { InjectedKnowledge } from "../../kernel/agent/turn-skills.ts";
import { isForeign, type Skill } from "./loader/types.ts";

/**
 * `budget` is in characters. The surest skill comes first; a text that does not fit is left out whole and named, so that
 * the model can read it with a tool. The same text or example goes in once. Examples in another language than the one spoken
 * would pull the answer into theirs, so they stay out.
 */
export function injectKnowledge(
  wanted: readonly Skill[],
  options: { readonly budget: number; readonly language: Language },
): InjectedKnowledge {
  let left = options.budget;
  const spend = (text: string): boolean => {
    if (text.length > left) return false;
    left -= text.length;
    return true;
  };
  const said = new Set<string>();
  const isNew = (text: string): boolean => said.size < said.add(text).size;
  const active: Skill[] = [];
  const blocks: { readonly foreign: boolean; readonly text: string }[] = [];
  const tooLong: string[] = [];
  for (const skill of wanted) {
    const text = skill.context.trim();
    if (text === "" || said.has(text)) active.push(skill);
    else if (spend(headed(skill))) {
      active.push(skill);
      isNew(text);
      blocks.push({ foreign: isForeign(skill), text: headed(skill) });
    } else tooLong.push(skill.id);
  }
  const shown = active.filter(({ context, language }) => context.trim() !== "" && language === options.language);
  const examples = shown.flatMap((skill) =>
    skill.examples.flatMap(({ user, assistant }): ConversationMessage[] =>
      isNew(`${user}\n${assistant}`) && spend(user + assistant)
        ? [
            { role: "user", text: user, senderId: "example", senderName: "example" },
            { role: "assistant", text: assistant, calls: [] },
          ]
        : [],
    ),
  );
  if (tooLong.length > 0) {
    const text = `(no room for the text of: ${tooLong.join(", ")}; \`skill_file\` reads it when you need it)`;
    blocks.push({ foreign: false, text });
  }
  const join = (foreign: boolean): string =>
    blocks.flatMap((block) => (block.foreign === foreign ? [block.text] : [])).join("\n\n");
  return {
    text: join(false),
    foreignText: join(true),
    foreign: active.filter((skill) => isForeign(skill) && skill.context.trim() !== "").map(({ name }) => name),
    examples,
    skills: active.map(({ id }) => id),
    network: listHosts(active),
  };
}

/** In order, each once. */
export function listHosts(skills: readonly Skill[]): readonly string[] {
  return [...new Set(skills.flatMap(({ tools }) => tools.network))].toSorted();
}

/** The text with its source, escaped so that it cannot close the block it is in. */
function headed({ id, name, context }: Skill): string {
  return `## ${name} (skill ${id})\n${context.trim()}`.replaceAll(/<(\/?)context>/gi, "‹$1context›");
}
