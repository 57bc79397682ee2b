import { describe, expect, it } from "vitest";
import type { Grant } from "../../../src/store/queries/grants.ts";
import type { GrantScope } from "../../../src/store/queries/questions.ts";
import { defaultTerms, isDefaultTerms } from "../../../src/kernel/gate/approval-terms.ts";
import { toFolderPattern } from "../../../src/kernel/gate/grant-scope.ts";
import { askForNetwork, grantNetwork, isSameNetwork } from "../../../src/kernel/gate/network-grant.ts";
import { coverByGrant, findGrantScope } from "../../../src/kernel/gate/grant-scope.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import type { ApprovalTerms, AskReason, Verdict } from "../../../src/kernel/gate/types.ts";
import { makePlainTool } from "../../support/plain-tool.ts";

const ask = (more: { terms?: Partial<ApprovalTerms>; because?: readonly AskReason[] } = {}): Verdict => ({
  kind: "ask",
  because: more.because ?? [{ kind: "level" }],
  terms: { ...defaultTerms, ...more.terms },
});
const taintReason: AskReason = { kind: "taint", sources: ["a.example"] };

const builtin: Partial<Tool> = { source: "builtin", place: "workspace" };
const folder: GrantScope = { kind: "folder", folder: "notes" };

describe("the scope of a grant", () => {
  const find = (changes: Partial<Tool> = {}, verdict = ask(), taint: "owner" | "user" | "untrusted" = "user") =>
    findGrantScope(makePlainTool({ ...builtin, ...changes }), { a: 1 }, { verdict, taint });

  it("the scope is exactly this call of this tool, unless the tool says otherwise", () => {
    expect(find()).toMatchObject({ kind: "exact", hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(find({}, ask(), "owner")).toEqual(find());
    expect(find({ name: "other" })).not.toEqual(find());
    const other = findGrantScope(makePlainTool(builtin), { a: 2 }, { verdict: ask(), taint: "user" });
    expect(other).not.toEqual(find());
    expect(find({ grantPattern: () => folder })).toEqual(folder);
    expect(find({ grantPattern: () => undefined })).toBeUndefined();
    const inspect = () => Promise.resolve({ ok: true, detail: "" }) as never;
    expect(find({ grantPattern: () => folder, inspect })).toEqual(folder);
    // The operator's settings for the tool go with it.
    const [one, same, unlike] = ["a", "a", "b"].map((use) => find({ grantPattern: () => folder, definition: { use } }));
    expect(one).toMatchObject(folder);
    expect(one).toEqual(same);
    expect(new Set([one, unlike, folder].map((scope) => JSON.stringify(scope))).size).toBe(3);
    expect(find({ place: "gateway" })).toBeDefined();
    expect(find({ alwaysAsks: false })).toBeDefined();
  });

  it.each<[string, Partial<Tool>]>([
    ["a tool that always asks", { alwaysAsks: true }],
    ["one that always asks, whatever pattern it has", { alwaysAsks: true, grantPattern: () => folder }],
    ["a server's tool", { source: "mcp" }],
    ["a server's tool with a pattern", { source: "mcp", grantPattern: () => folder }],
    ["a tool of tools.yaml", { source: "http" }],
    ["a command", { place: "sandbox" }],
    ["a page", { place: "network" }],
    ["what depends on what is there then", { inspect: () => Promise.resolve({ ok: true, detail: "" }) as never }],
  ])("no scope exists for %s", (_, changes) => {
    expect(find(changes)).toBeUndefined();
  });

  it.each<[string, Verdict, "user" | "untrusted"]>([
    ["what is allowed", { kind: "allow" }, "user"],
    ["what is denied", { kind: "deny", reason: "no" }, "user"],
    ["a turn that has read something", ask(), "untrusted"],
    ["what is asked because of what was read", ask({ because: [taintReason] }), "user"],
    ["what is asked because of that as well", ask({ because: [{ kind: "level" }, taintReason] }), "user"],
    ["what reaches hosts", ask({ because: [{ kind: "network", hosts: ["a.example"] }] }), "user"],
    ["a decision of two", ask({ terms: { votes: 2 } }), "user"],
    ["a decision of named people", ask({ terms: { approvers: ["owner"] } }), "user"],
    ["a decision of others than the asker", ask({ terms: { askerMayApprove: false } }), "user"],
    ["a decision of the owner elsewhere", ask({ terms: { ask: "owner" } }), "user"],
  ])("no scope exists when the gate judges %s", (_, verdict, taint) => {
    expect(find({}, verdict, taint)).toBeUndefined();
  });

  it("a grant is offered on the default terms only", () => {
    expect(defaultTerms).toEqual({ votes: 1, askerMayApprove: true, ask: "chat" });
    expect(isDefaultTerms(defaultTerms)).toBe(true);
    expect(isDefaultTerms({ ...defaultTerms, votes: 0 })).toBe(true);
    expect(isDefaultTerms({ ...defaultTerms, votes: 2 })).toBe(false);
    expect(isDefaultTerms({ ...defaultTerms, approvers: [] })).toBe(false);
    expect(isDefaultTerms({ ...defaultTerms, askerMayApprove: false })).toBe(false);
    expect(isDefaultTerms({ ...defaultTerms, ask: "owner" })).toBe(false);
  });

  it.each([
    ["notes/a.md", "notes"],
    ["notes/deep/a.md", "notes/deep"],
    ["/workspace/notes/a.md", "notes"],
    ["a.md", ""],
    [".", undefined],
    ["../a.md", undefined],
    ["/etc/passwd", undefined],
    [".env", undefined],
  ])("the scope for a file %s is the folder %s", (path, wanted) => {
    expect(toFolderPattern(path)).toEqual(wanted === undefined ? undefined : { kind: "folder", folder: wanted });
  });
});

describe("a grant", () => {
  const grant = (changes: Partial<Grant> = {}): Grant =>
    ({ id: "g1", code: "G1", tool: "poke", pattern: folder, ...changes }) as Grant;
  const call = { tool: "poke", scope: folder, grants: [grant()] };

  it("turns the question into a run of its own, and names itself", () => {
    expect(coverByGrant(ask(), call)).toEqual({ kind: "allow", grant: "g1" });
    const later = { ...call, grants: [grant({ id: "g0", tool: "note" }), grant({ id: "g2" })] };
    expect(coverByGrant(ask(), later)).toEqual({ kind: "allow", grant: "g2" });
    const turned = { folder: "notes", kind: "folder" } as const;
    expect(coverByGrant(ask(), { ...call, scope: turned })).toEqual({ kind: "allow", grant: "g1" });
  });

  it.each<[string, Partial<typeof call> & { scope?: GrantScope }]>([
    ["another tool's", { grants: [grant({ tool: "note" })] }],
    ["one of another folder", { grants: [grant({ pattern: { kind: "folder", folder: "notes/deep" } })] }],
    ["one of the folder above", { grants: [grant({ pattern: { kind: "folder", folder: "" } })] }],
    ["one of another kind", { grants: [grant({ pattern: { kind: "exact", hash: "notes" } })] }],
    ["none", { grants: [] }],
  ])("covers nothing if it is %s", (_, changes) => {
    expect(coverByGrant(ask(), { ...call, ...changes })).toEqual(ask());
  });

  it("covers nothing that has no pattern, and changes neither a denial nor what needs none", () => {
    expect(coverByGrant(ask(), { ...call, scope: undefined })).toEqual(ask());
    const none = { ...call, scope: undefined, grants: [grant({ pattern: undefined as never })] };
    expect(coverByGrant(ask(), none)).toEqual(ask());
    for (const verdict of [{ kind: "allow" }, { kind: "deny", reason: "no" }] as const)
      expect(coverByGrant(verdict, call)).toBe(verdict);
  });
});

describe("hosts", () => {
  const hosts = ["a.example:443", "b.example:443"];
  const network = { kind: "network", hosts } as const;

  it("hosts apply only to tools that can reach any", () => {
    expect(grantNetwork(makePlainTool({ reachesHosts: true }), hosts)).toEqual(hosts);
    expect(grantNetwork(makePlainTool({ reachesHosts: false }), hosts)).toEqual([]);
    expect(grantNetwork(makePlainTool(), hosts)).toEqual([]);
  });

  it("hosts always need approval, beside the other reasons, and never undo a denial", () => {
    expect(askForNetwork({ kind: "allow" }, hosts)).toEqual({ kind: "ask", because: [network], terms: defaultTerms });
    expect(askForNetwork({ kind: "allow", grant: "g1" }, hosts)).toMatchObject({ kind: "ask" });
    expect(askForNetwork({ kind: "allow" }, [])).toEqual({ kind: "allow" });
    expect(askForNetwork({ kind: "deny", reason: "no" }, hosts)).toEqual({ kind: "deny", reason: "no" });
    expect(askForNetwork(ask(), [])).toEqual(ask());
    expect(askForNetwork(ask({ terms: { votes: 2 } }), hosts)).toEqual(
      ask({ terms: { votes: 2 }, because: [{ kind: "level" }, network] }),
    );
  });

  it("hosts are the same only if each is, in the same order", () => {
    expect(isSameNetwork(hosts, [...hosts])).toBe(true);
    expect(isSameNetwork([], [])).toBe(true);
    expect(isSameNetwork(hosts, hosts.toReversed())).toBe(false);
    expect(isSameNetwork(hosts, [...hosts, "c.example:443"])).toBe(false);
    expect(isSameNetwork(hosts, hosts.slice(0, 1))).toBe(false);
    expect(isSameNetwork(hosts.slice(0, 1), hosts)).toBe(false);
    expect(isSameNetwork(hosts, ["a.example:443", "c.example:443"])).toBe(false);
  });
});
