import { expect, test } from "vitest";
import { nameProperties } from "../../../src/features/mcp/schemas/name-properties.ts";

test("properties that would get one name are numbered", () => {
  const names = nameProperties({ "!": {}, "?": {}, field_3: {}, "#": {} });
  expect([...names.values()]).toEqual(["field", "field_2", "field_3", "field_4"]);
});

test("a server that makes up thousands of names for one costs no more than their number", () => {
  const signs = Array.from("!?#%&()=+*,;:<>|/");
  const made = signs.flatMap((a) => signs.flatMap((b) => signs.map((c) => [`${a}${b}${c}`, {}] as const)));
  const begun = performance.now();
  expect(new Set(nameProperties(Object.fromEntries(made)).values()).size).toBe(made.length);
  expect(performance.now() - begun).toBeLessThan(500);
});
