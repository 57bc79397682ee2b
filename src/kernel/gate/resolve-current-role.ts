import type { Person, Role } from "./types.ts";

/** The current role of a person in a session. `person` is an id, `<platform>:<user>`. */
export type FindRole = (person: string, session: string) => Promise<Role>;

const ranks: Record<Role, number> = { owner: 3, trusted: 2, member: 1, guest: 0 };

function lowerRole(a: Role, b: Role): Role {
  return ranks[a] <= ranks[b] ? a : b;
}

export function higherRole(a: Role, b: Role): Role {
  return ranks[a] >= ranks[b] ? a : b;
}

/**
 * The person with the current role. The role at the start of the turn is the upper limit: a revoked role counts at
 * once, a new one from the next message on.
 */
export async function resolveCurrentRole(find: FindRole, person: Person, session: string): Promise<Person> {
  return { ...person, role: lowerRole(person.role, await find(person.id, session)) };
}
