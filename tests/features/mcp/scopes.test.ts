import { expect, it } from "vitest";
import { joinScopes, listScopes } from "../../../src/features/mcp/login/scopes.ts";

it("rights that a server names are taken once each, and none with what no scope may hold", () => {
  expect(listScopes('a b a c"d e\\f 管理 g\nh \u202Ei files:read')).toEqual(["a", "b", "files:read"]);
  expect(listScopes(`${"x".repeat(101)} y`)).toEqual(["y"]);
  expect(listScopes(Array.from({ length: 90 }, (_, index) => `s${index}`).join(" "))).toHaveLength(50);
  expect(joinScopes("a b", undefined, "b c")).toBe("a b c");
});
