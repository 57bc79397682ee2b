import { expect, it } from "vitest";
import { parseListing } from "../../src/workspace/container/parse-entries.ts";
import { parseWorkspacePath } from "../../src/workspace/parse-workspace-path.ts";

/** Records as the container's `find` prints them; one name is no UTF-8. */
const named = (name: string) => Buffer.from(`f 1 1714536000.5 ${name}\0`);
const unnameable = Buffer.concat([Buffer.from("f 1 1714536000.5 "), Buffer.from([0x66, 0xfc, 0])]);

it("a list that was cut says so, whether the rest of it can be named or not", () => {
  const parsed = parseWorkspacePath(".");
  if (!parsed.ok) throw new Error(parsed.error);
  const list = (...records: readonly Buffer[]) => {
    const { complete, entries } = parseListing(parsed, Buffer.concat(records), { depth: 3, most: 2 });
    return [...entries.map(({ path }) => path), complete];
  };
  expect(list(named("a"), named("b"))).toEqual(["a", "b", true]);
  expect(list(named("a"), unnameable)).toEqual(["a", true]);
  expect(list(named("a"), named("b"), named("c"))).toEqual(["a", "b", false]);
  expect(list(named("a"), unnameable, named("b"))).toEqual(["a", "b", false]);
});
