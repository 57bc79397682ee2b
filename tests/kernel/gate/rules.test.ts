import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canEverRun, explainCall, versionOf, type PermissionRules } from "../../../src/kernel/gate/permission.ts";
import { judgeCall } from "../../support/judge-call.ts";
import { compareEntries, type Entry } from "../../../src/kernel/gate/find-rule-match.ts";
import type { ArgumentTest, Rule } from "../../../src/kernel/gate/rule.ts";
import type { Role, ToolLevel } from "../../../src/kernel/gate/types.ts";
import { makePerson, makePlainTool, makeRules } from "../../support/plain-tool.ts";

const session = "telegram:77:-100123#5";
const place = { session, chatKind: "group" } as const;
const levelOf = (rules: PermissionRules, input: unknown = {}, role: Role = "member", where: object = place) =>
  explainCall(makePlainTool(), makePerson(role), "user", rules, { mode: { kind: "act" }, input, ...where }).ruleMatch
    .level;

describe("which of two lines goes first", () => {
  // Indexes are the other way round, so that nothing is first only because of its place.
  const rule = (index: number, changes: Partial<Rule>): Entry => ({
    kind: "rule",
    index,
    rule: { tool: "poke", level: "safe", ...changes },
  });
  const list = (index: number, level: ToolLevel, tool = "poke"): Entry => ({
    kind: "list",
    index,
    rule: { tool, level },
  });
  const n = { is: [1] };

  it.each<[string, Entry, Entry]>([
    ["a name before a longer pattern", rule(1, {}), rule(0, { tool: "poke*" })],
    ["the longer pattern", rule(1, { tool: "pok*" }), rule(0, { tool: "po*" })],
    ["a pattern before the tests of arguments", rule(1, { tool: "pok*" }), rule(0, { tool: "po*", when: { n } })],
    ["more arguments", rule(1, { when: { n, m: n } }), rule(0, { when: { n } })],
    ["an argument before a chat", rule(1, { when: { n } }), rule(0, { chat: ["t:1"] })],
    ["a chat's id before a pattern", rule(1, { chat: ["t:1"] }), rule(0, { chat: ["t:*"] })],
    ["a chat's id before a long pattern", rule(1, { chat: ["t:1"] }), rule(0, { chat: ["telegram:*"] })],
    ["the longer pattern of chats", rule(1, { chat: ["t:1*"] }), rule(0, { chat: ["t:*"] })],
    ["a pattern of chats before private", rule(1, { chat: ["*"] }), rule(0, { chat: ["private"] })],
    ["a pattern of chats before group", rule(1, { chat: ["*"] }), rule(0, { chat: ["group"] })],
    ["the least exact of several counts", rule(1, { chat: ["t:*"] }), rule(0, { chat: ["t:1", "group"] })],
    ["a kind of chat before a role", rule(1, { chat: ["group"] }), rule(0, { role: ["owner"] })],
    ["one role before two", rule(1, { role: ["member"] }), rule(0, { role: ["member", "owner"] })],
    ["roles before none", rule(1, { role: ["member", "owner", "trusted", "guest"] }), rule(0, {})],
    ["a denial, though it is a list", list(1, "deny"), rule(0, {})],
    ["a denial, though it is later", rule(1, { level: "deny" }), rule(0, { level: "confirm" })],
    ["no denial before what is more exact", rule(1, {}), list(0, "deny", "pok*")],
    ["a rule before a list", rule(1, {}), list(0, "confirm")],
    ["the stricter", rule(1, { level: "confirm" }), rule(0, {})],
    ["the stricter of lists", list(1, "confirm"), list(0, "safe")],
    ["the earlier", rule(0, {}), rule(1, {})],
    ["the earlier denial", list(1, "deny"), list(2, "deny")],
  ])("%s", (_, first, second) => {
    expect([Math.sign(compareEntries(first, second)), Math.sign(compareEntries(second, first))]).toEqual([-1, 1]);
  });
});

describe("which line counts", () => {
  const confirmAll: Rule = { tool: "*", level: "confirm" };
  it.each<[string, PermissionRules, unknown, ToolLevel]>([
    [
      "the rule that tests an argument, where it fits",
      makeRules([
        { tool: "poke", level: "confirm" },
        { tool: "poke", level: "safe", when: { path: { under: ["notes"] } } },
      ]),
      { path: "notes/a" },
      "safe",
    ],
    [
      "and not where it does not",
      makeRules([
        { tool: "poke", level: "confirm" },
        { tool: "poke", level: "safe", when: { path: { under: ["notes"] } } },
      ]),
      { path: "other/a" },
      "confirm",
    ],
    [
      "what cannot be said loosens nothing",
      makeRules([
        { tool: "poke", level: "deny" },
        { tool: "poke", level: "safe", when: { path: { under: ["notes"] } } },
      ]),
      { path: "notes/../a" },
      "deny",
    ],
    [
      "nor does it without another line",
      makeRules([{ tool: "poke", level: "safe", when: { n: { below: 3 } } }]),
      {},
      "confirm",
    ],
    [
      "but it tightens",
      makeRules([confirmAll, { tool: "poke", level: "deny", when: { url: { host: ["evil.org"] } } }]),
      { url: "https://evil.org@good.org" },
      "deny",
    ],
    [
      "also a missing argument",
      makeRules([confirmAll, { tool: "poke", level: "deny", when: { n: { above: 3 } } }]),
      {},
      "deny",
    ],
    [
      "the more exact name goes before the test of an argument",
      makeRules([
        { tool: "poke", level: "safe" },
        { tool: "po*", level: "deny", when: { n: { above: 3 } } },
      ]),
      { n: 4 },
      "safe",
    ],
    [
      "more tests go before fewer",
      makeRules([
        { tool: "poke", level: "deny", when: { n: { above: 3 } } },
        { tool: "poke", level: "safe", when: { n: { above: 3 }, m: { is: [1] } } },
      ]),
      { n: 4, m: 1 },
      "safe",
    ],
    [
      "a test goes before a chat",
      makeRules([
        { tool: "poke", level: "deny", chat: ["telegram:-100123"] },
        { tool: "poke", level: "safe", when: { n: { above: 3 } } },
      ]),
      { n: 4 },
      "safe",
    ],
    [
      "a chat's id before a pattern of chats",
      makeRules([
        { tool: "poke", level: "deny", chat: ["telegram:*"] },
        { tool: "poke", level: "safe", chat: ["telegram:-100123"] },
      ]),
      {},
      "safe",
    ],
    [
      "a pattern of chats before a kind of chat",
      makeRules([
        { tool: "poke", level: "deny", chat: ["group"] },
        { tool: "poke", level: "safe", chat: ["telegram:*"] },
      ]),
      {},
      "safe",
    ],
    [
      "a chat before a role",
      makeRules([
        { tool: "poke", level: "deny", role: ["member"] },
        { tool: "poke", level: "safe", chat: ["group"] },
      ]),
      {},
      "safe",
    ],
    [
      "a role before none",
      makeRules([
        { tool: "poke", level: "deny" },
        { tool: "poke", level: "safe", role: ["member"] },
      ]),
      {},
      "safe",
    ],
    [
      "one role before two",
      makeRules([
        { tool: "poke", level: "deny", role: ["member", "owner"] },
        { tool: "poke", level: "safe", role: ["member"] },
      ]),
      {},
      "safe",
    ],
    [
      "of equals a denial",
      makeRules([
        { tool: "poke", level: "safe", role: ["member"] },
        { tool: "poke", level: "deny", role: ["member"] },
      ]),
      {},
      "deny",
    ],
    [
      "of equals a denial, also before a rule",
      makeRules([{ tool: "poke", level: "safe" }], { deny: ["poke"] }),
      {},
      "deny",
    ],
    ["then a rule before a list", makeRules([{ tool: "poke", level: "safe" }], { confirm: ["poke"] }), {}, "safe"],
    ["then the stricter", makeRules([], { safe: ["poke"], confirm: ["poke"] }), {}, "confirm"],
  ])("%s", (_, rules, input, expected) => {
    expect(levelOf(rules, input)).toBe(expected);
  });

  it.each<[string, Role, boolean]>([
    ["telegram:-100123", "member", true],
    ["telegram:77:-100123", "member", true],
    [session, "member", true],
    ["telegram:*", "member", true],
    ["group", "member", true],
    ["private", "member", false],
    ["telegram:-100124", "member", false],
    ["telegram:-100123#6", "member", false],
    ["qq:-100123", "member", false],
    ["telegram:77", "member", false],
  ])("a rule for the chat %s fits in %s", (chat, role, fits) => {
    const rules = makeRules([{ tool: "poke", level: "safe", chat: [chat], role: [role] }]);
    expect(levelOf(rules)).toBe(fits ? "safe" : "confirm");
    expect(levelOf(rules, {}, "trusted")).toBe("confirm");
  });

  it("the stricter line counts where the chat is not known", () => {
    expect(levelOf(makeRules([{ tool: "poke", level: "safe", chat: ["group"] }]), {}, "owner", {})).toBe("confirm");
    expect(levelOf(makeRules([{ tool: "poke", level: "deny", chat: ["telegram:*"] }]), {}, "owner", {})).toBe("deny");
  });

  it("explainCall names the line that counted, what was looked at, and whose approval it needs", () => {
    const approval = { approvers: ["trusted"], votes: 2, askerMayApprove: false, ask: "owner" } as const;
    const rules = makeRules(
      [
        { tool: "poke", level: "confirm", role: ["member"], approval },
        { tool: "p*", level: "safe" },
      ],
      { deny: ["other"] },
    );
    const { by, ruleMatch, verdict } = explainCall(makePlainTool(), makePerson("member"), "user", rules, {
      ...place,
      mode: { kind: "act" },
      input: {},
    });
    expect([by, ruleMatch.by]).toMatchObject(["rules", { kind: "rule", index: 0 }]);
    expect(verdict).toEqual({ kind: "ask", because: [{ kind: "level" }], terms: approval });
    expect(ruleMatch.considered.map(({ entry, fit }) => [entry.index, fit])).toEqual([
      [0, "yes"],
      [1, "yes"],
    ]);
    const tainted = judgeCall(makePlainTool(), makePerson("owner"), "untrusted", rules, {
      mode: { kind: "act" },
      input: {},
    });
    expect(tainted).toMatchObject({ kind: "ask", because: [{ kind: "taint" }], terms: { votes: 1, ask: "chat" } });
  });

  it("joins the terms of lines that may both count", () => {
    const terms = (more: object) => ({ votes: 1, askerMayApprove: true, ask: "chat", ...more }) as const;
    const judge = (first: object, second: object) =>
      judgeCall(
        makePlainTool(),
        makePerson("member"),
        "user",
        makeRules([
          { tool: "poke", level: "confirm", when: { n: { above: 1 } }, approval: terms(first) },
          { tool: "poke", level: "confirm", approval: terms(second) },
        ]),
        { mode: { kind: "act" }, input: {} },
      );
    expect(judge({ votes: 2 }, { askerMayApprove: false, ask: "owner" })).toMatchObject({
      terms: { votes: 2, askerMayApprove: false, ask: "owner" },
    });
    expect(judge({ ask: "owner", askerMayApprove: false }, { votes: 3 })).toMatchObject({
      terms: { votes: 3, askerMayApprove: false, ask: "owner" },
    });
    expect(judge({ approvers: ["a:1", "a:2"] }, { approvers: ["a:2", "a:3"] })).toMatchObject({
      terms: { approvers: ["a:2"] },
    });
    expect(judge({ approvers: ["a:1"] }, { approvers: ["a:2"] })).toMatchObject({ terms: { approvers: ["owner"] } });
    expect(judge({}, { approvers: ["a:2"] })).toMatchObject({ terms: { approvers: ["a:2"] } });
  });
});

describe("tools that are not even shown", () => {
  const unsure = makeRules([{ tool: "poke", level: "deny", chat: ["private"] }]);
  it.each<[string, PermissionRules, Role, boolean]>([
    ["what is denied whatever it is", makeRules([{ tool: "poke", level: "deny" }]), "owner", false],
    ["what is excluded", { ...makeRules([]), exclude: ["poke"] }, "owner", false],
    [
      "not what is denied for some arguments",
      makeRules([{ tool: "poke", level: "deny", when: { n: { above: 1 } } }]),
      "member",
      true,
    ],
    [
      "not what is allowed for some arguments",
      makeRules([
        { tool: "poke", level: "deny" },
        { tool: "poke", level: "safe", when: { n: { above: 1 } } },
      ]),
      "member",
      true,
    ],
    ["what is denied in this chat", makeRules([{ tool: "poke", level: "deny", chat: ["group"] }]), "owner", false],
    ["not what is denied elsewhere", makeRules([{ tool: "poke", level: "deny", chat: ["private"] }]), "owner", true],
    ["what is denied to this role", makeRules([{ tool: "poke", level: "deny", role: ["member"] }]), "member", false],
    ["not to another role", makeRules([{ tool: "poke", level: "deny", role: ["member"] }]), "trusted", true],
    [
      "what is denied here, though not elsewhere",
      makeRules([
        { tool: "poke", level: "deny" },
        { tool: "poke", level: "confirm", chat: ["private"] },
      ]),
      "owner",
      false,
    ],
    ["not what may be denied in a chat that is not known", unsure, "owner", true],
    ["to a guest whatever has an effect", makeRules([{ tool: "poke", level: "safe" }]), "guest", false],
  ])("%s", (_, rules, role, shown) => {
    const where = rules === unsure ? {} : place;
    expect(canEverRun(makePlainTool(), makePerson(role), rules, where)).toBe(shown);
  });

  it("could never have run: no arguments give it another verdict than a denial", () => {
    const rule = fc.record(
      {
        tool: fc.constantFrom("poke", "po*", "*", "other"),
        level: fc.constantFrom<ToolLevel>("safe", "confirm", "deny"),
        when: fc.constantFrom<Record<string, ArgumentTest>>(
          { n: { above: 1 } },
          { n: { is: [0] } },
          { m: { is: [1] } },
        ),
        role: fc.subarray<Role>(["owner", "trusted", "member", "guest"], { minLength: 1 }),
        chat: fc.subarray(["private", "group", "telegram:*", "telegram:-100123"], { minLength: 1 }),
      },
      { requiredKeys: ["tool", "level"] },
    );
    const roles = fc.constantFrom<Role>("owner", "trusted", "member", "guest");
    const input = fc.record({ n: fc.constantFrom(0, 1, 2), m: fc.constantFrom(0, 1) }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), roles, input, fc.boolean(), (rules, role, given, readOnly) => {
        const tool = makePlainTool({ readOnly });
        if (canEverRun(tool, makePerson(role), makeRules(rules), place)) return;
        const facts = { ...place, mode: { kind: "act" }, input: given } as const;
        expect(judgeCall(tool, makePerson(role), "owner", makeRules(rules), facts).kind).toBe("deny");
      }),
      { numRuns: 500 },
    );
  });
});

describe("the version of the rules", () => {
  it("changes with everything that a rule says", () => {
    const base: Rule = { tool: "poke", level: "confirm" };
    const approval = { votes: 1, askerMayApprove: true, ask: "chat" } as const;
    const others: Rule[] = [
      base,
      { ...base, when: { path: { under: ["a"] } } },
      { ...base, when: { path: { under: ["b"] } } },
      { ...base, when: { other: { under: ["a"] } } },
      { ...base, role: ["member"] },
      { ...base, chat: ["group"] },
      { ...base, approval },
      { ...base, approval: { ...approval, votes: 2 } },
    ];
    expect(new Set(others.map((rule) => versionOf(makeRules([rule])))).size).toBe(others.length);
    expect(versionOf(makeRules([base, { tool: "x", level: "safe" }]))).not.toBe(
      versionOf(makeRules([{ tool: "x", level: "safe" }, base])),
    );
  });
});
