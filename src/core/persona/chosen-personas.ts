import type { Persona } from "./persona.ts";

/** Which persona speaks in which conversation. */
export interface ChosenPersonas {
  /** The persona that was chosen for a session, while it exists; everywhere else the default one. */
  of(session: string): Persona;
  usual(): Persona;
  /** The personas that can be chosen. */
  list(): readonly Persona[];
  /** Undefined means the default one. The store keeps the choice; this is what was read from there. */
  choose(session: string, id: string | undefined): void;
  /** Reads the choice of a conversation again. Absent where one process has all conversations. */
  refresh?(session: string): Promise<void>;
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
