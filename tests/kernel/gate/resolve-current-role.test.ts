import { describe, expect, it } from "vitest";
import { higherRole, resolveCurrentRole } from "../../../src/kernel/gate/resolve-current-role.ts";
import type { Role } from "../../../src/kernel/gate/types.ts";

/** From the least. */
const roles: readonly Role[] = ["guest", "member", "trusted", "owner"];
const pairs = roles.flatMap((began, from) => roles.map((now, to) => ({ began, now, from, to })));

describe("the role in a turn", () => {
  it.each(pairs)("a turn begun as $began by a person who is $now by now has the lower role", async (pair) => {
    const asked: string[] = [];
    const find = (...about: readonly string[]) => {
      asked.push(...about);
      return Promise.resolve(pair.now);
    };
    const person = { id: "telegram:7", name: "Ann", role: pair.began };
    const role = roles[Math.min(pair.from, pair.to)];
    expect(await resolveCurrentRole(find, person, "telegram:group")).toEqual({ ...person, role });
    expect(asked).toEqual(["telegram:7", "telegram:group"]);
  });

  it.each(pairs)("the higher of $began and $now is told", ({ began, now, from, to }) => {
    expect(higherRole(began, now)).toBe(roles[Math.max(from, to)]);
  });
});
