import { describe, expect, it } from "vitest";
import { versionOf, type PermissionRules } from "../../../src/kernel/gate/permission.ts";
import type { ToolLevel } from "../../../src/kernel/gate/types.ts";

function makeRules(
  lists: Partial<Record<ToolLevel, readonly string[]>>,
  rules: PermissionRules["rules"] = [],
): PermissionRules {
  return { permissions: { safe: [], confirm: [], deny: [], ...lists }, rules, exclude: [] };
}

const unwritten: PermissionRules = { permissions: {}, rules: [], exclude: [] };

describe("versionOf", () => {
  it("changes with every list, rule and exclusion, and with nothing else", () => {
    const base = makeRules({ safe: ["a"] }, [{ tool: "b", level: "deny" }]);
    const others = [
      makeRules({ safe: ["a", "c"] }, base.rules),
      makeRules({ confirm: ["a"] }, base.rules),
      makeRules({ safe: ["a"] }, [{ tool: "b", level: "confirm" }]),
      makeRules({ safe: ["a"] }),
      { ...base, exclude: ["x"] },
    ];
    expect(new Set([base, ...others].map(versionOf)).size).toBe(6);
    expect(versionOf({ ...base, approval: { timeoutMs: 1 } } as PermissionRules)).toBe(versionOf(base));
    expect(versionOf(base)).toMatch(/^[0-9a-f]{16}$/);
    // A list that is not written and an empty one mean different things.
    const lists = [
      {},
      { safe: [] },
      { confirm: [] },
      { deny: [] },
      { deny: ["a"] },
      { safe: [], confirm: [], deny: [] },
    ];
    const versions = lists.map((permissions) => versionOf({ ...unwritten, permissions }));
    expect(new Set(versions).size).toBe(lists.length);
  });
});
