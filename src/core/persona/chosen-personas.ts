import type { Persona } from "./persona.ts";

/** Which persona speaks in which conversation. */
export interface ChosenPersonas {
  /** The one that was chosen for a session, while there is such a persona; everywhere else the usual one. */
  of(session: string): Persona;
  usual(): Persona;
  /** Those that can be chosen. */
  list(): readonly Persona[];
  /** undefined = the usual one. The store keeps it; this is what was read from there. */
  choose(session: string, id: string | undefined): void;
}

export function createChosenPersonas(
  now: () => { readonly persona: Persona; readonly personas: readonly Persona[] },
  stored: ReadonlyMap<string, string>,
): ChosenPersonas {
  const chosen = new Map(stored);
  const usual = () => now().persona;
  return {
    usual,
    list: () => now().personas,
    of(session) {
      const id = chosen.get(session);
      return (id === undefined ? undefined : now().personas.find((persona) => persona.id === id)) ?? usual();
    },
    choose(session, id) {
      if (id === undefined) chosen.delete(session);
      else chosen.set(session, id);
    },
  };
}
