import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bindCallNow } from "../../../src/kernel/gate/call-hash.ts";
import { canEverRun, explainCall, findLevel, type PermissionRules } from "../../../src/kernel/gate/permission.ts";
import type { KnownTool, Role, ToolLevel } from "../../../src/kernel/gate/types.ts";
import { kernelTools } from "../../../src/kernel/tools/table/kernel-tools.ts";
import { labelResult } from "../../../src/kernel/tools/label-result.ts";
import { createToolRegistry } from "../../../src/kernel/tools/registry.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { makePerson, makePlainTool, makeRules } from "../../support/plain-tool.ts";

const own = "mcp__search__query";
const builtin = (changes: Partial<Tool> = {}) =>
  makePlainTool({ name: "web_search", level: "safe", readOnly: true, kind: "search", ...changes });
const server = (changes: Partial<Tool> = {}) =>
  makePlainTool({
    name: own,
    source: "mcp",
    input: z.strictObject({ q: z.string() }),
    taint: "untrusted",
    binding: async () => ({ pin: "p1" }),
    ...changes,
  });

function override(replaced = builtin(), by: Tool | null = server()) {
  const registry = createToolRegistry(by ? [replaced, by] : [replaced], { overrides: () => ({ web_search: own }) });
  const tool = registry.find("web_search");
  if (!tool) throw new Error("no web_search");
  return { registry, tool };
}

const judge = (
  rules: PermissionRules,
  { role = "member", tool = override().tool }: { role?: Role; tool?: KnownTool } = {},
) =>
  explainCall(tool, makePerson(role), "user", rules, {
    mode: { kind: "act" },
    input: { q: "x" },
    session: "telegram:1:2",
    chatKind: "private",
  });

const levels: readonly ToolLevel[] = ["safe", "confirm", "deny"];
const pairs = levels.flatMap((a) => levels.map((b) => [a, b] as const));

describe("a tool that stands in for a built-in", () => {
  it.each(pairs)(
    "the tool has both levels, the stricter counts: %s for the built-in, %s for the one that acts",
    (a, b) => {
      const rules = makeRules([
        { tool: "web_search", level: a },
        { tool: own, level: b },
      ]);
      const stricter = levels[Math.max(levels.indexOf(a), levels.indexOf(b))];
      expect(judge(rules).ruleMatch.level).toBe(stricter);
      expect(findLevel(override().tool, rules)).toBe(stricter);
      expect(canEverRun(override().tool, { role: "member" }, rules, {})).toBe(stricter !== "deny");
    },
  );

  it("a server's tool does not inherit the built-in's level and needs approval until a line names it", () => {
    expect(judge(makeRules([])).verdict.kind).toBe("ask");
    expect(judge(makeRules([{ tool: "web_search", level: "safe" }])).verdict.kind).toBe("ask");
    expect(judge(makeRules([], { safe: ["web_search", own] })).verdict.kind).toBe("allow");
    expect(judge(makeRules([], { safe: [own] })).verdict.kind).toBe("deny");
  });

  it("needs the approval that both lines want", () => {
    const terms = { votes: 1, askerMayApprove: true, ask: "chat" } as const;
    const rules = makeRules([
      { tool: "web_search", level: "confirm", approval: { ...terms, votes: 2 } },
      { tool: own, level: "confirm", approval: { ...terms, askerMayApprove: false } },
    ]);
    expect(judge(rules).ruleMatch.terms).toMatchObject({ votes: 2, askerMayApprove: false });
  });

  it("keeps what either of the two demands: owners only, always a question, no effect for guests", () => {
    const safe = makeRules([], { safe: ["web_search", own] });
    const asked = (a: Partial<Tool>, b: Partial<Tool> = {}, role: Role = "member") =>
      judge(safe, { role, tool: override(builtin(a), server({ readOnly: true, ...b })).tool }).verdict.kind;
    expect(asked({})).toBe("allow");
    expect(asked({ ownerOnly: true })).toBe("deny");
    expect(asked({}, { ownerOnly: true })).toBe("deny");
    expect(asked({ alwaysAsks: true })).toBe("ask");
    expect(asked({ asksFor: () => false })).toBe("ask");
    expect(asked({}, { alwaysAsks: true })).toBe("ask");
    expect(asked({}, {}, "guest")).toBe("allow");
    expect(asked({}, { readOnly: false }, "guest")).toBe("deny");
  });

  it("the question names the tool that acts, and the approval is bound to that one's own binding", async () => {
    const { tool } = override();
    const call = { input: { q: "x" }, session: "s", policy: "p", network: [] };
    expect(tool.detail?.(call.input, "zh")).toMatch(/^web_search → mcp__search__query\n/);
    const hashes = await Promise.all(
      [tool, override(builtin(), server({ binding: async () => ({ pin: "p2" }) })).tool, builtin()].map((one) =>
        bindCallNow(one, call),
      ),
    );
    expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(3);
  });

  it("the tool has its own arguments, taint and source, and the built-in's name, aliases and kind of work", () => {
    const { registry, tool } = override(builtin({ aliases: ["SearchWeb"] }));
    expect(tool).toMatchObject({ source: "mcp", taint: "untrusted", aliases: ["SearchWeb"], kind: "search" });
    expect(tool.input.safeParse({ query: "x" }).success).toBe(false);
    expect(labelResult(tool, {}, { ok: true, output: null, found: ["https://a.example/"] })).toEqual({
      taint: "untrusted",
      sources: ["search"],
    });
    expect(registry.list().map(({ name }) => name)).toEqual(["web_search"]);
    expect(registry.find(own)?.name).toBe(own);
    expect(JSON.stringify(Object.keys(tool.override?.by ?? {}))).not.toContain("run");
    expect(Object.keys(tool.override?.replaced ?? {})).not.toContain("run");
  });

  it("the tool is denied while its stand-in is missing, and the built-in never steps in", () => {
    const { tool } = override(builtin(), null);
    const { verdict } = judge(makeRules([], { safe: ["web_search"] }), { tool });
    expect(verdict).toMatchObject({ kind: "deny", reason: expect.stringContaining(`${own}, which stands in for`) });
  });
});

it("every file of src/kernel/tools/builtin has a row", () => {
  const files = readdirSync(join(import.meta.dirname, "../../../src/kernel/tools/builtin")).filter((name) =>
    name.endsWith(".ts"),
  );
  expect(files.map((name) => name.replace(/\.ts$/, "").replaceAll("-", "_")).toSorted()).toEqual(
    Object.keys(kernelTools).toSorted(),
  );
});
