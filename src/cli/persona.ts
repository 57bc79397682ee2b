import { createInterface } from "node:readline";
import { readOptions } from "./read-options.ts";
import type { Command } from "./types.ts";
import { AppError } from "../core/errors.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import type { Persona } from "../core/persona/persona.ts";
import { buildSystemPrompt } from "../core/persona/system-prompt.ts";
import { indexPrompt } from "../core/persona/find-prompt-overlap.ts";
import { type BreakKind, createReplyJudge, judgeReply } from "../core/persona/validate-reply.ts";

const help = `${kurisuCommand} persona check [REPLY]

Says whether a reply stays in character: {"verdict":"ok|break","kinds":[…]}. Without REPLY it reads one reply a line.`;

export const personaCommand: Command = {
  name: "persona",
  summary: "check replies against the persona",
  help,
  async run(context) {
    const { positionals } = readOptions("persona", context.arguments, {});
    const [action, reply] = positionals;
    if (action !== "check") throw new AppError("USAGE", help);
    const persona = context.configuration().persona;
    const answer = (text: string) => process.stdout.write(`${JSON.stringify(checkReply(text, persona))}\n`);
    if (reply !== undefined) answer(reply);
    else for await (const line of createInterface({ input: process.stdin })) answer(line);
    return 0;
  },
};

/** The answer of `kurisu persona check`: one reply, held against the persona and its prompt in every language. */
export function checkReply(
  text: string,
  persona: Persona,
): { readonly verdict: "ok" | "break"; readonly kinds: readonly BreakKind[] } {
  const prompts = persona.languages.map((language) => buildSystemPrompt(persona, { language }));
  const judged = judgeReply(text, createReplyJudge(persona, indexPrompt(prompts.join("\n\n"))));
  return { verdict: judged.verdict, kinds: judged.verdict === "ok" ? [] : judged.kinds };
}
