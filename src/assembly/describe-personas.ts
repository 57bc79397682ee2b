import type { ChosenPersonas } from "../core/persona/chosen-personas.ts";
import type { Kernel } from "../kernel/feature/define-feature.ts";

/** The parts of a persona that features use, by session. */
export function describePersonas(
  personas: Pick<ChosenPersonas, "of">,
): Pick<Kernel, "namesOf" | "personaOf" | "soundOf"> {
  return {
    soundOf: (session) => personas.of(session).sound,
    personaOf: (session) => personas.of(session).id,
    namesOf(session, language) {
      const { name, nicknames } = personas.of(session);
      return [name[language], ...Object.values(name), ...nicknames];
    },
  };
}
