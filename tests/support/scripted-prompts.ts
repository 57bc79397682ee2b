import type { Prompts } from "../../src/cli/setup/prompts.ts";

export interface ScriptedPrompts extends Prompts {
  /** All that was said, oldest first, with the mark of its kind before it. */
  readonly said: readonly string[];
  /** Answers that nobody has asked for. */
  readonly left: () => readonly string[];
}

/** Somebody who gives these answers, one a question; a choice is named by its value. */
export function createScriptedPrompts(...answers: readonly string[]): ScriptedPrompts {
  const rest = [...answers];
  const said: string[] = [];
  const answer = (question: string): string => {
    const next = rest.shift();
    if (next === undefined) throw new Error(`no answer is left for: ${question}; said was: ${said.join(" | ")}`);
    return next;
  };
  const say = (mark: string) => (text: string) => void said.push(`${mark} ${text}`);
  return {
    said,
    left: () => rest,
    async choose(message, options) {
      said.push(`? ${message}`);
      const given = answer(message);
      const chosen = options.find(({ value }) => value === given);
      if (chosen === undefined) throw new Error(`${message} has no choice ${given}`);
      return chosen.value;
    },
    text: async (message) => answer(message),
    secret: async (message) => answer(message),
    confirm: async (message) => answer(message) === "yes",
    good: say("good"),
    warn: say("warn"),
    tell: say("tell"),
    note: say("note"),
    begin: say("begin"),
    end: say("end"),
  };
}
