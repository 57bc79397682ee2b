import { basename } from "node:path";
import { estimateTokens } from "../../core/estimate-tokens.ts";
import type { PersonaResult } from "../../core/persona/load-persona.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { buildSystemPrompt } from "../../core/persona/system-prompt.ts";
import type { PersonaFaultView, PersonaTokensView } from "../views/persona-views.ts";

/** The faults of a persona, each with its place; without a known secret. */
export function describeFaults(result: PersonaResult, scrub: (text: string) => string): readonly PersonaFaultView[] {
  if (result.kind === "loaded") return [];
  return result.faults.map(({ column, file, key, line, problem }) => ({
    place: { file: basename(file), line, column },
    text: makeVisible(scrub(key === "" ? problem : `${key}: ${problem}`)),
  }));
}

export function countTokens(result: PersonaResult): readonly PersonaTokensView[] {
  if (result.kind === "faulty") return [];
  const { persona } = result;
  return persona.languages.map((language) => ({
    language,
    tokens: estimateTokens(buildSystemPrompt(persona, { language })),
  }));
}
