import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { trustCore } from "./mutation/trust-core.ts";
import { tierOfFile } from "./support/tiers.ts";

const root = join(import.meta.dirname, "..");
const parts = Object.entries(trustCore);

it("every file of the trust core and each of its tests is there", () => {
  const named = parts.flatMap(([, files]) => [...Object.keys(files), ...Object.values(files).flat()]);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it("its faults are found by `npm test` alone: each of its tests belongs to the quick tier", () => {
  const tests = parts.flatMap(([, files]) => Object.values(files).flat());
  expect(tests.filter((file) => tierOfFile(join(root, file)) !== "quick")).toEqual([]);
});

it("the figures are about all of it", () => {
  const text = readFileSync(join(root, "docs/security/trust-core.md"), "utf8");
  const told = text.split(/^## /m).flatMap((section) => {
    const part = section.slice(0, section.indexOf("\n"));
    return [...section.matchAll(/^- `(src\/[\w/.-]+)` \d+\/\d+$/gm)].map(([, file]) => `${part} ${file}`);
  });
  expect(told).toEqual(parts.flatMap(([part, files]) => Object.keys(files).map((file) => `${part} ${file}`)));
});
