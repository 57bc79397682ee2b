import type { Person, Role } from "./types.ts";

/** The role of a person in a session as it is now. `person` is an id, `<platform>:<user>`. */
export type FindRole = (person: string, session: string) => Promise<Role>;

const ranks: Record<Role, number> = { owner: 3, trusted: 2, member: 1, guest: 0 };

function lowerRole(a: Role, b: Role): Role {
  return ranks[a] <= ranks[b] ? a : b;
}

export function higherRole(a: Role, b: Role): Role {
  return ranks[a] >= ranks[b] ? a : b;
}

/**
 * The person with the role they have now. What a turn began with is the most it may ever have: a role that was taken away
 * counts at once, one that was given counts from the next message on.
 */
export async function resolveCurrentRole(find: FindRole, person: Person, session: string): Promise<Person> {
  return { ...person, role: lowerRole(person.role, await find(person.id, session)) };
}
