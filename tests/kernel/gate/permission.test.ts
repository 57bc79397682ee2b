import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultTerms } from "../../../src/kernel/gate/approval-terms.ts";
import {
  canEverRun,
  explainCall,
  findLevel,
  type Judgement,
  type PermissionRules,
} from "../../../src/kernel/gate/permission.ts";
import { judgeCall } from "../../support/judge-call.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import type { Person, ToolLevel } from "../../../src/kernel/gate/types.ts";
import { makePerson, makePlainTool } from "../../support/plain-tool.ts";

type Role = Person["role"];

const acting = { mode: { kind: "act" }, input: {} } as const;

function makeRules(
  lists: Partial<Record<ToolLevel, readonly string[]>>,
  rules: PermissionRules["rules"] = [],
): PermissionRules {
  return { permissions: { safe: [], confirm: [], deny: [], ...lists }, rules, exclude: [] };
}

const no = { tool: "poke", level: "deny" } as const;
const unwritten: PermissionRules = { permissions: {}, rules: [], exclude: [] };

describe("findLevel", () => {
  it.each<[string, PermissionRules, Partial<Tool>, ToolLevel]>([
    ["what nobody names is denied", makeRules({}), {}, "deny"],
    ["unless its list is not written: then its definition counts", unwritten, {}, "confirm"],
    ["a written list replaces what definitions say", { ...unwritten, permissions: { confirm: ["other"] } }, {}, "deny"],
    ["and leaves the other levels alone", { ...unwritten, permissions: { safe: ["other"] } }, {}, "confirm"],
    [
      "a tool that a list names is no longer of its own level",
      { ...unwritten, permissions: { safe: ["poke"] } },
      {},
      "safe",
    ],
    ["an MCP server's own level counts for nothing", unwritten, { source: "mcp", level: "safe" }, "confirm"],
    ["but a tool of an MCP server asks", makeRules({}), { name: "mcp__x__y", source: "mcp" }, "confirm"],
    ["a list names it", makeRules({ safe: ["poke"] }), {}, "safe"],
    ["a pattern names it", makeRules({ safe: ["po*"] }), {}, "safe"],
    ["the stricter list wins", makeRules({ safe: ["poke"], deny: ["poke"] }), {}, "deny"],
    ["a name goes before a pattern, also when it is laxer", makeRules({ safe: ["poke"], deny: ["*"] }), {}, "safe"],
    [
      "the longer pattern goes before the shorter",
      makeRules({ safe: ["mcp__a__*"], deny: ["mcp__*"] }),
      { name: "mcp__a__b" },
      "safe",
    ],
    ["a rule counts like a list", makeRules({ confirm: ["poke"] }, [{ tool: "poke", level: "deny" }]), {}, "deny"],
    ["an alias names it too", makeRules({ confirm: ["ShellExec"] }), { aliases: ["ShellExec"] }, "confirm"],
    ["a dot is a dot", makeRules({ safe: ["p.k*"] }), {}, "deny"],
    ["what is excluded is denied", { ...makeRules({ safe: ["poke"] }), exclude: ["x", "poke"] }, {}, "deny"],
    ["what always asks is never safe", makeRules({ safe: ["poke"] }), { alwaysAsks: true }, "confirm"],
    ["but may be denied", makeRules({ deny: ["poke"] }), { alwaysAsks: true }, "deny"],
    [
      "a rule about arguments does not count",
      makeRules({ safe: ["poke"] }, [{ ...no, when: { n: { is: [1] } } }]),
      {},
      "safe",
    ],
    ["nor one about chats", makeRules({ safe: ["poke"] }, [{ ...no, chat: ["group"] }]), {}, "safe"],
    ["nor one about people", makeRules({ safe: ["poke"] }, [{ ...no, role: ["owner"] }]), {}, "safe"],
    ["a pattern is for the whole name", makeRules({ safe: ["oke*"] }), {}, "deny"],
  ])("%s", (_, rules, changes, expected) => {
    expect(findLevel(makePlainTool(changes), rules)).toBe(expected);
  });
});

describe("judgeCall", () => {
  const level = (name: ToolLevel) => makeRules({ [name]: ["poke"] });

  it.each<[ToolLevel, boolean, Role, "owner" | "user" | "untrusted", string]>([
    ["safe", true, "owner", "untrusted", "allow"],
    ["safe", true, "guest", "untrusted", "allow"],
    ["safe", false, "owner", "owner", "allow"],
    ["safe", false, "member", "user", "allow"],
    ["safe", false, "owner", "untrusted", "ask"],
    ["safe", false, "member", "untrusted", "ask"],
    ["safe", false, "guest", "user", "deny"],
    ["safe", false, "guest", "untrusted", "deny"],
    ["confirm", false, "owner", "owner", "ask"],
    ["confirm", true, "member", "user", "ask"],
    ["confirm", false, "guest", "user", "deny"],
    ["deny", true, "owner", "owner", "deny"],
  ])("level %s, reads only %s, %s, taint %s → %s", (name, readOnly, role, taint, expected) => {
    expect(judgeCall(makePlainTool({ readOnly }), makePerson(role), taint, level(name), acting).kind).toBe(expected);
  });

  it("denies what is not there now, and says why", () => {
    const tool = makePlainTool({ availability: () => ({ ok: false, reason: "No container engine." }) });
    expect(judgeCall(tool, makePerson("owner"), "owner", level("safe"), acting)).toEqual({
      kind: "deny",
      reason: "No container engine.",
    });
  });

  it("never becomes laxer with less trust in the person or in what was read", () => {
    const strictness = { allow: 0, ask: 1, deny: 2 };
    const roles = ["owner", "member", "guest"] as const;
    const taints = ["owner", "user", "untrusted"] as const;
    const setting = fc.record({
      level: fc.constantFrom<ToolLevel>("safe", "confirm", "deny"),
      readOnly: fc.boolean(),
      role: fc.nat(2),
      taint: fc.nat(2),
      more: fc.nat(2),
    });
    fc.assert(
      fc.property(setting, ({ level: name, readOnly, role, taint, more }) => {
        const judge = (roleIndex: number, taintIndex: number) =>
          strictness[
            judgeCall(
              makePlainTool({ readOnly }),
              makePerson(roles[roleIndex] ?? "guest"),
              taints[taintIndex] ?? "untrusted",
              level(name),
              acting,
            ).kind
          ];
        expect(judge(Math.min(2, role + more), taint)).toBeGreaterThanOrEqual(judge(role, taint));
        expect(judge(role, Math.min(2, taint + more))).toBeGreaterThanOrEqual(judge(role, taint));
      }),
    );
  });
});

describe("the rule that decided, and the words for it", () => {
  const refusal = (by: Judgement["by"], reason: string) => [by, { kind: "deny", reason }] as const;
  const asking = (by: Judgement["by"], ...because: readonly object[]) =>
    [by, { kind: "ask", because, terms: defaultTerms }] as const;
  const level = { kind: "level" };
  const taint = { kind: "taint", sources: ["evil.example"] };
  const own = { safeInOwnChat: true };
  const gone: Partial<Tool> = { availability: () => ({ ok: false, reason: "Not here." }) };
  const there: Partial<Tool> = { availability: () => ({ ok: true }) };
  const safe = makeRules({ safe: ["poke"] });
  const stranger = "poke needs a person the owner has let in; guests may only use what reads.";
  const planned =
    "Plan mode: nothing is changed or run. Go on by reading, then put the plan to the person; they turn it off with /act.";
  const plan = { mode: { kind: "plan", paths: [] } } as const;

  it.each<
    readonly [
      string,
      Partial<Tool>,
      Role,
      "owner" | "untrusted",
      PermissionRules,
      object,
      readonly [Judgement["by"], object],
    ]
  >([
    ["a list", {}, "member", "owner", safe, {}, ["rules", { kind: "allow" }]],
    ["what is there", there, "member", "owner", safe, {}, ["rules", { kind: "allow" }]],
    ["its own level", {}, "member", "owner", unwritten, {}, asking("rules", level)],
    ["its level, and what was read", {}, "member", "untrusted", unwritten, {}, asking("rules", level, taint)],
    ["what was read", {}, "member", "untrusted", safe, {}, asking("taint", taint)],
    ["a denial", {}, "owner", "owner", makeRules({}), {}, refusal("rules", "The tool poke is not permitted here.")],
    ["the own chat", own, "owner", "owner", unwritten, {}, ["own chat", { kind: "allow" }]],
    ["what was read, in the own chat too", own, "owner", "untrusted", unwritten, {}, asking("taint", taint)],
    [
      "the own chat, beside rules for others",
      own,
      "owner",
      "owner",
      { ...unwritten, rules: [{ tool: "q*", level: "confirm" }] },
      {},
      ["own chat", { kind: "allow" }],
    ],
    [
      "that it always asks, there too",
      { ...own, alwaysAsks: true },
      "owner",
      "owner",
      unwritten,
      {},
      asking("rules", level),
    ],
    [
      "that it is for owners",
      { ownerOnly: true },
      "trusted",
      "owner",
      safe,
      {},
      refusal("role", "poke is for owners only."),
    ],
    ["the list, for an owner", { ownerOnly: true }, "owner", "owner", safe, {}, ["rules", { kind: "allow" }]],
    ["that a guest has no effect", {}, "guest", "owner", safe, {}, refusal("role", stranger)],
    ["that a guest is never asked", { readOnly: true }, "guest", "owner", unwritten, {}, refusal("role", stranger)],
    ["that a guest may look", { readOnly: true }, "guest", "owner", safe, {}, ["rules", { kind: "allow" }]],
    [
      "what a guest's turn read",
      { readOnly: true, reaches: () => ["https://evil.example"] },
      "guest",
      "untrusted",
      safe,
      {},
      refusal("role", stranger),
    ],
    [
      "the list of the sub-agent",
      {},
      "owner",
      "owner",
      safe,
      { only: ["a", "b"] },
      refusal("agent", "poke is not among your tools; you have a, b."),
    ],
    [
      "the list, if the sub-agent has it",
      {},
      "owner",
      "owner",
      safe,
      { only: ["a", "poke"] },
      ["rules", { kind: "allow" }],
    ],
    ["that it is not there", gone, "owner", "owner", safe, plan, refusal("availability", "Not here.")],
    ["plan mode", {}, "owner", "owner", safe, plan, refusal("mode", planned)],
    [
      "the rules before that it is not there",
      gone,
      "owner",
      "owner",
      makeRules({}),
      plan,
      refusal("rules", "The tool poke is not permitted here."),
    ],
    [
      "that it is a guest before that it is not there",
      gone,
      "guest",
      "owner",
      makeRules({ confirm: ["poke"] }),
      plan,
      refusal("role", "poke needs a person the owner has let in; guests may only use what reads."),
    ],
    [
      "the role before that it is not there",
      { ...gone, ownerOnly: true },
      "member",
      "owner",
      safe,
      plan,
      refusal("role", "poke is for owners only."),
    ],
    [
      "the sub-agent's list before the role",
      { ownerOnly: true },
      "member",
      "owner",
      safe,
      { only: ["a"] },
      refusal("agent", "poke is not among your tools; you have a."),
    ],
  ])("%s", (_, changes, role, read, rules, facts, [by, verdict]) => {
    const situation = { ...acting, chatKind: "private", sources: ["evil.example"], ...facts } as const;
    const judged = explainCall(makePlainTool(changes), makePerson(role), read, rules, situation);
    expect([judged.by, judged.verdict]).toEqual([by, verdict]);
    expect(judgeCall(makePlainTool(changes), makePerson(role), read, rules, situation)).toEqual(verdict);
  });

  it("says where the level comes from", () => {
    const rulingOf = (changes: Partial<Tool>, rules: PermissionRules) => {
      const { considered, ...rest } = explainCall(
        makePlainTool(changes),
        makePerson("owner"),
        "owner",
        rules,
        acting,
      ).ruleMatch;
      return [rest, considered.map(({ entry }) => [entry.kind, entry.index])] as const;
    };
    const from = (level: ToolLevel, by: unknown) => ({ level, by, terms: defaultTerms });
    expect(rulingOf({}, { ...safe, exclude: ["poke"] })).toEqual([from("deny", "excluded"), []]);
    expect(rulingOf({ source: "mcp" }, unwritten)).toEqual([from("confirm", "mcp"), []]);
    expect(rulingOf({}, unwritten)).toEqual([from("confirm", "definition"), []]);
    expect(rulingOf({}, makeRules({}))).toEqual([from("deny", "unlisted"), []]);
    const byList = { kind: "list", index: 1, rule: { tool: "poke", level: "safe" } };
    expect(rulingOf({}, makeRules({ safe: ["x", "poke"], confirm: ["p*"] }))).toEqual([
      from("safe", byList),
      [
        ["list", 1],
        ["list", 0],
      ],
    ]);
    expect(rulingOf({ alwaysAsks: true }, makeRules({ safe: ["x", "poke"] }))[0]).toEqual(from("confirm", byList));
  });

  it.each<[string, Partial<Tool>, Role, PermissionRules, boolean]>([
    ["what is for owners, to an owner", { ownerOnly: true }, "owner", safe, true],
    ["what is for owners, to others", { ownerOnly: true }, "trusted", safe, false],
    ["what is safe and reads, to a guest", { readOnly: true }, "guest", safe, true],
    ["what is safe, reads and always asks, to a guest", { readOnly: true, alwaysAsks: true }, "guest", safe, false],
    ["what always asks, to a member", { alwaysAsks: true }, "member", safe, true],
    ["what is excluded", {}, "owner", { ...safe, exclude: ["x", "poke"] }, false],
    ["what no list names", {}, "owner", makeRules({}), false],
    ["what is of an MCP server", { source: "mcp" }, "owner", makeRules({}), true],
  ])("shows or hides %s", (_, changes, role, rules, shown) => {
    expect(canEverRun(makePlainTool(changes), makePerson(role), rules, {})).toBe(shown);
  });
});

describe("calls that are safe in the owner's own chat", () => {
  const own = { safeInOwnChat: true, readOnly: false } as const;

  const nothing: PermissionRules = { permissions: {}, rules: [], exclude: [] };
  const asked: PermissionRules = { ...nothing, rules: [{ tool: "p*", level: "confirm" }] };

  it.each<
    [string, PermissionRules, Partial<Tool>, Role, "owner" | "untrusted", "private" | "group" | undefined, string]
  >([
    ["is not asked there", nothing, own, "owner", "owner", "private", "allow"],
    ["is asked in a group", nothing, own, "owner", "owner", "group", "ask"],
    ["is asked where the place is not known", nothing, own, "owner", "owner", undefined, "ask"],
    ["is asked of a member", nothing, own, "member", "owner", "private", "ask"],
    ["is refused to a guest", nothing, own, "guest", "owner", "private", "deny"],
    ["is asked after something untrusted", nothing, own, "owner", "untrusted", "private", "ask"],
    [
      "is asked when a list says so",
      { ...nothing, permissions: { confirm: ["poke"] } },
      own,
      "owner",
      "owner",
      "private",
      "ask",
    ],
    ["is asked when a rule says so", asked, own, "owner", "owner", "private", "ask"],
    [
      "is denied when a rule says so",
      { ...nothing, permissions: { deny: ["poke"] } },
      own,
      "owner",
      "owner",
      "private",
      "deny",
    ],
    ["is a matter of the tool", nothing, { readOnly: false }, "owner", "owner", "private", "ask"],
  ])("%s", (_, rules, changes, role, taint, chatKind, expected) => {
    const tool = makePlainTool({ level: "confirm", ...changes });
    expect(judgeCall(tool, makePerson(role), taint, rules, { ...acting, chatKind }).kind).toBe(expected);
  });
});

describe("plan mode", () => {
  const write = { place: "workspace", changes: (input: unknown) => [(input as { path: string }).path] } as const;

  it.each<[string, Partial<Tool>, readonly string[], unknown, string]>([
    ["reading goes on", { readOnly: true, place: "workspace" }, [], {}, "allow"],
    ["and so does what stays in here", { place: "gateway", level: "safe" }, [], {}, "allow"],
    ["but not what asks first, such as sending a file", { place: "gateway", level: "confirm" }, ["."], {}, "deny"],
    ["no file changes", write, [], { path: "notes/a.md" }, "deny"],
    ["no command runs", { place: "sandbox" }, ["."], {}, "deny"],
    ["nothing goes out", { place: "network" }, ["."], {}, "deny"],
    ["files change where they may", write, ["notes"], { path: "notes/a.md" }, "allow"],
    ["also under the container's name", write, ["notes"], { path: "/workspace/notes/a.md" }, "allow"],
    ["the folder itself counts", write, ["notes"], { path: "notes" }, "allow"],
    ["a name that only begins alike does not", write, ["notes"], { path: "notes2/a.md" }, "deny"],
    ["nor a way out of it", write, ["notes"], { path: "notes/../a.md" }, "deny"],
    ["the whole workspace", write, ["."], { path: "deep/er/a.md" }, "allow"],
    ["nothing named, nothing allowed", { ...write, changes: () => [] }, ["."], {}, "deny"],
  ])("%s", (_, changes, paths, input, expected) => {
    const rules = makeRules({ safe: ["poke"] });
    const situation = { mode: { kind: "plan", paths }, input } as const;
    expect(judgeCall(makePlainTool(changes), makePerson("owner"), "owner", rules, situation).kind).toBe(expected);
  });

  it("plan mode only ever takes permissions away", () => {
    const rules = makeRules({ confirm: ["poke"] });
    const situation = { mode: { kind: "plan", paths: ["."] }, input: { path: "a" } } as const;
    expect(judgeCall(makePlainTool(write), makePerson("owner"), "owner", rules, situation).kind).toBe("ask");
    expect(judgeCall(makePlainTool(write), makePerson("guest"), "owner", rules, situation).kind).toBe("deny");
  });
});
