import { describe, expect, it } from "vitest";
import { defaultTerms } from "../../../src/kernel/gate/approval-terms.ts";
import { assessCall, type CallFacts, type ReadCall } from "../../../src/kernel/gate/assess-call.ts";
import { explainCall, versionOf, type PermissionRules } from "../../../src/kernel/gate/permission.ts";
import type { Grant } from "../../../src/store/queries/grants.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { makePerson, makePlainTool, makeRules } from "../../support/plain-tool.ts";

const notes = { kind: "folder", folder: "notes" } as const;
const grant = { id: "g1", code: "G1", tool: "poke", pattern: notes } as Grant;
const elsewhere = { id: "g2", code: "G2", tool: "poke", pattern: { kind: "folder", folder: "pictures" } } as Grant;

function assess(facts: Partial<CallFacts> = {}, tool: Partial<Tool> = {}, call: Partial<ReadCall> = {}) {
  const read: ReadCall = {
    tool: makePlainTool({ place: "workspace", grantPattern: () => notes, ...tool }),
    input: { path: "notes/a.txt" },
    session: "fake:bot:room",
    policy: "p1",
    network: [],
    rules: makeRules([]),
    ...call,
  };
  const all = { person: makePerson("member"), chatKind: "private", mode: { kind: "act" }, taint: "untrusted" } as const;
  return assessCall(read, { ...all, grants: [grant], sources: ["a.example"], ...facts }).verdict;
}

const reasons = (verdict: ReturnType<typeof assess>) => (verdict.kind === "ask" ? verdict.because : verdict.kind);

describe("a grant after untrusted content was read", () => {
  it("the grant does not cover the call, and the question names it beside the other reasons", () => {
    expect(reasons(assess())).toEqual([
      { kind: "level" },
      expect.objectContaining({ kind: "taint" }),
      { kind: "grant", code: "G1" },
    ]);
  });

  it("the question names the matching grant by its code where there are several", () => {
    expect(reasons(assess({ grants: [elsewhere, grant] }))).toContainEqual({ kind: "grant", code: "G1" });
    expect(reasons(assess({ grants: [elsewhere, grant] }))).not.toContainEqual({ kind: "grant", code: "G2" });
  });

  it.each<[string, Partial<CallFacts>, Partial<Tool>, Partial<ReadCall>]>([
    ["there is none", { grants: [] }, {}, {}],
    ["it is for another folder", { grants: [elsewhere] }, {}, {}],
    ["the tool can have none", {}, { grantPattern: () => undefined }, {}],
    [
      "the call needs more than one approval",
      {},
      {},
      {
        rules: makeRules([{ tool: "poke", level: "confirm", approval: { ...defaultTerms, votes: 2 } }]),
      },
    ],
  ])("the question does not name the grant where %s", (_, facts, tool, call) => {
    const because = reasons(assess(facts, tool, call));
    expect(because).toContainEqual({ kind: "level" });
    expect(JSON.stringify(because)).not.toContain('"grant"');
  });

  it("covers the call where nothing untrusted was read", () => {
    expect(assess({ taint: "user", sources: [] })).toEqual({ kind: "allow", grant: "g1" });
  });

  it("a denial does not name the grant", () => {
    expect(assess({}, {}, { rules: makeRules([{ tool: "poke", level: "deny" }]) })).toMatchObject({ kind: "deny" });
  });
});

describe("a call that its asker alone may confirm", () => {
  const judge = (chatKind: "private" | "group", tool: Partial<Tool>, rules: PermissionRules = makeRules([])) =>
    explainCall(makePlainTool({ onlyAskerConfirms: () => true, ...tool }), makePerson("member"), "user", rules, {
      mode: { kind: "act" },
      input: { path: "a" },
      chatKind,
    }).verdict;
  const asker = makePerson("member").id;

  it("the call is asked of its asker in a group, and on the default terms in a private chat", () => {
    expect(judge("group", {})).toMatchObject({ kind: "ask", terms: { approvers: [asker] } });
    expect(judge("private", {})).toMatchObject({ kind: "ask", terms: defaultTerms });
  });

  it("the call is asked on the default terms where the tool does not claim this input", () => {
    expect(judge("group", { onlyAskerConfirms: () => false })).toMatchObject({ kind: "ask", terms: defaultTerms });
    const plain = explainCall(makePlainTool({}), makePerson("member"), "user", makeRules([]), {
      mode: { kind: "act" },
      input: {},
      chatKind: "group",
    });
    expect(plain.verdict).toMatchObject({ kind: "ask", terms: defaultTerms });
  });
});

describe("a call that asks for more by what it holds", () => {
  const verdictOf = (tool: Partial<Tool>, input: unknown = { path: "a" }) =>
    explainCall(
      makePlainTool({ level: "safe", ...tool }),
      makePerson("member"),
      "user",
      makeRules([{ tool: "poke", level: "safe" }]),
      { mode: { kind: "act" }, input, chatKind: "private" },
    ).verdict.kind;

  it("the call is asked about where its tool says so, and runs where it does not", () => {
    expect(verdictOf({ asksFor: () => true })).toBe("ask");
    expect(verdictOf({ asksFor: () => false })).toBe("allow");
    expect(verdictOf({})).toBe("allow");
  });
});

it("the version of the rules changes with each of their parts", () => {
  const empty: PermissionRules = { permissions: {}, rules: [], exclude: [] };
  const versions = [
    empty,
    { ...empty, permissions: { safe: [] } },
    { ...empty, permissions: { confirm: [] } },
    { ...empty, permissions: { deny: [] } },
    { ...empty, permissions: { safe: ["poke"] } },
    { ...empty, rules: [{ tool: "poke", level: "safe" as const }] },
    { ...empty, exclude: ["poke"] },
  ].map(versionOf);
  expect(new Set(versions).size).toBe(versions.length);
  expect(versions[0]).toMatch(/^[0-9a-f]{16}$/);
});
