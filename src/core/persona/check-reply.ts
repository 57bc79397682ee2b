import type { Language } from "../conversation.ts";
import { detectLanguage } from "../words/detect-language.ts";
import { changesThings } from "./changes-things.ts";
import { indexPrompt } from "./find-prompt-overlap.ts";
import type { Persona } from "./persona.ts";
import { buildSystemPrompt } from "./system-prompt.ts";
import { type BreakKind, createReplyJudge, judgeReply } from "./validate-reply.ts";

export interface CheckedReply {
  readonly reply: string;
  /** The person's message that it answers. */
  readonly last?: string | undefined;
  readonly lang?: Language | undefined;
  /** The tools of this turn, and whether they succeeded. */
  readonly tools?: readonly { readonly name: string; readonly ok: boolean }[] | undefined;
}

/** Replies, each held against the persona and its prompt in every language. */
export function createReplyCheck(persona: Persona) {
  const index = indexPrompt(persona.languages.map((language) => buildSystemPrompt(persona, { language })).join("\n\n"));
  return ({
    reply,
    last,
    lang,
    tools = [],
  }: CheckedReply): { readonly verdict: "ok" | "break"; readonly kinds: readonly BreakKind[] } => {
    const did = tools.flatMap(({ name, ok }) => (ok && changesThings(name) ? [name] : []));
    const turn = {
      acted: did.length > 0,
      did,
      worked: tools.length > 0,
      looked: tools.some(({ ok }) => ok),
      language:
        lang ?? (last === undefined ? undefined : detectLanguage(last, undefined, persona.languages[0] ?? "zh")),
      last,
    };
    const judged = judgeReply(reply, createReplyJudge(persona, index, turn));
    return { verdict: judged.verdict, kinds: judged.verdict === "ok" ? [] : judged.kinds };
  };
}
