import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultTerms } from "../../../src/kernel/gate/approval-terms.ts";
import {
  assessCall,
  confirmDecision,
  isDecided,
  readCall,
  type Assessment,
  type CallFacts,
  type Confirmation,
  type ReadCall,
} from "../../../src/kernel/gate/assess-call.ts";
import { bindCallNow } from "../../../src/kernel/gate/call-hash.ts";
import { createPermissionChecker } from "../../../src/kernel/gate/permission-checker.ts";
import { versionOf, type PermissionRules } from "../../../src/kernel/gate/permission.ts";
import type { Verdict } from "../../../src/kernel/gate/types.ts";
import type { CallDecision } from "../../../src/store/queries/decisions.ts";
import type { Grant } from "../../../src/store/queries/grants.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { makePerson, makePlainTool, makeRules } from "../../support/plain-tool.ts";

const session = "fake:bot:room";
const input = { path: "notes/a.txt" };
const scope = { kind: "folder", folder: "notes" } as const;
const hosts = ["pypi.org"];
const grant = { id: "g1", tool: "poke", pattern: scope } as Grant;
const twoVotes = { ...defaultTerms, votes: 2 };

const read = (changes: Partial<Tool> = {}, more: Partial<ReadCall> = {}): ReadCall => ({
  tool: makePlainTool({ place: "workspace", grantPattern: () => scope, ...changes }),
  input,
  session,
  policy: "p1",
  network: [],
  rules: makeRules([]),
  ...more,
});

const facts = (changes: Partial<CallFacts> = {}): CallFacts => ({
  person: makePerson("member"),
  chatKind: "private",
  mode: { kind: "act" },
  taint: "user",
  ...changes,
});

describe("readCall", () => {
  const rules = makeRules([]);
  const tool = makePlainTool({ input: z.strictObject({ n: z.int().default(3) }) });
  const asked = { tool, arguments: {}, session, policy: versionOf(rules), rules, hosts };

  it("fills in defaults, and lets only tools that take hosts have them", () => {
    const call = { tool, input: { n: 3 }, session, policy: asked.policy, network: [], rules };
    expect(readCall(asked)).toEqual({ ok: true, call });
    const reaching = { ...tool, reachesHosts: true };
    expect(readCall({ ...asked, tool: reaching })).toEqual({
      ok: true,
      call: { ...call, tool: reaching, network: hosts },
    });
  });

  it.each([
    ["other rules than it began with", { policy: "p0" }, { kind: "rules-changed" }],
    ["other rules, before anything else is told", { policy: "p0", tool: undefined }, { kind: "rules-changed" }],
    ["a name that no tool has", { tool: undefined }, { kind: "no-tool" }],
    [
      "arguments of another kind",
      { arguments: { n: "3" } },
      { kind: "wrong-arguments", error: expect.stringContaining("Wrong arguments for poke: n: ") as string },
    ],
    [
      "an argument too many",
      { arguments: { m: 1 } },
      { kind: "wrong-arguments", error: expect.stringContaining("Wrong arguments for poke: ") as string },
    ],
  ])("refuses %s", (_, changes, fault) => {
    expect(readCall({ ...asked, ...changes })).toEqual({ ok: false, fault });
  });
});

describe("assessCall", () => {
  const safe = makeRules([{ tool: "poke", level: "safe" }]);
  const strict = makeRules([{ tool: "poke", level: "confirm", approval: twoVotes }]);
  const mine = makeRules([{ tool: "poke", level: "safe", when: { path: { under: ["notes"] } } }]);
  const inRoom = makeRules([{ tool: "poke", level: "safe", chat: [session] }]);
  const inGroups = makeRules([{ tool: "poke", level: "safe", chat: ["group"] }]);
  const fetches: Partial<Tool> = { readOnly: true, level: "safe", reaches: () => ["https://a.example/"] };
  const asks = { kind: "ask", because: [{ kind: "level" }], terms: defaultTerms } as const;
  const denies = { kind: "deny" } as const;

  it.each<[string, ReadCall, Partial<CallFacts>, Partial<Verdict>, Partial<Assessment>]>([
    ["asks at its own level", read(), {}, asks, { origin: "rules: the tool's own default", scope }],
    [
      "asks on the terms of its rule, which no grant meets",
      read({}, { rules: strict }),
      {},
      { ...asks, terms: twoVotes },
      { origin: "rules: rules.0" },
    ],
    ["runs where a rule says so", read({}, { rules: safe }), {}, { kind: "allow" }, { origin: "rules: rules.0" }],
    ["knows the arguments", read({}, { rules: mine }), {}, { kind: "allow" }, {}],
    ["and other arguments", read({}, { rules: mine, input: { path: "b.txt" } }), {}, asks, {}],
    ["knows the chat", read({}, { rules: inRoom }), {}, { kind: "allow" }, {}],
    ["and another chat", read({}, { rules: inRoom, session: "fake:bot:hall" }), {}, asks, {}],
    ["knows the kind of chat", read({}, { rules: inGroups }), { chatKind: "group" }, { kind: "allow" }, {}],
    [
      "takes a chat that is not known for the stricter one",
      read({}, { rules: inGroups }),
      { chatKind: undefined },
      { kind: "ask" },
      {},
    ],
    ["refuses guests", read(), { person: makePerson("guest") }, denies, { origin: "role: the tool's own default" }],
    [
      "refuses what changes in plan mode",
      read(),
      { mode: { kind: "plan", paths: [] } },
      denies,
      { origin: "mode: the tool's own default" },
    ],
    [
      "refuses what the sub-agent does not have",
      read(),
      { only: ["other"] },
      denies,
      { origin: "agent: the tool's own default" },
    ],
    ["leaves it what it has", read(), { only: ["poke"] }, asks, { scope }],
    [
      "refuses everything at a pause",
      read({}, { rules: safe }),
      { paused: true },
      { kind: "deny", reason: "An owner pulled the kill switch: no tool runs until everything goes on." },
      { origin: "kill switch" },
    ],
    ["and goes on when there is none", read({}, { rules: safe }), { paused: false }, { kind: "allow" }, {}],
    [
      "asks after untrusted content, and says where that is from",
      read({}, { rules: safe }),
      { taint: "untrusted", sources: ["evil.example"] },
      { kind: "ask", because: [{ kind: "taint", sources: ["evil.example"] }] },
      { origin: "taint: rules.0" },
    ],
    [
      "asks for an address that nobody named",
      read(fetches),
      { taint: "exposed" },
      { kind: "ask", because: [{ kind: "address", hosts: ["a.example"] }] },
      {},
    ],
    [
      "not for one that was named",
      read(fetches),
      { taint: "exposed", addresses: ["https://a.example/"] },
      { kind: "allow" },
      {},
    ],
    [
      "asks for hosts where it would run at once",
      read({}, { rules: safe, network: hosts }),
      {},
      { kind: "ask", because: [{ kind: "network", hosts }] },
      {},
    ],
    [
      "names level and hosts",
      read({}, { network: hosts }),
      {},
      { ...asks, because: [{ kind: "level" }, { kind: "network", hosts }] },
      {},
    ],
    [
      "runs by a grant",
      read(),
      { grants: [grant] },
      { kind: "allow", grant: "g1" },
      { origin: "rules: the tool's own default", scope },
    ],
    ["not by one for another tool", read({ name: "note" }), { grants: [grant] }, asks, {}],
    ["not by one after untrusted content", read(), { grants: [grant], taint: "untrusted" }, { kind: "ask" }, {}],
    ["not by one when it reaches hosts", read({}, { network: hosts }), { grants: [grant] }, { kind: "ask" }, {}],
    ["not by one at a pause", read(), { grants: [grant], paused: true }, denies, {}],
  ])("%s", (_, call, changes, verdict, more) => {
    const assessed = assessCall(call, facts(changes));
    expect(assessed).toMatchObject({ verdict, ...more });
    expect(assessCall(call, facts(changes))).toEqual(assessed);
  });

  it("offers no grant where none could cover the call", () => {
    for (const call of [read({}, { rules: strict }), read({}, { network: hosts }), read({ alwaysAsks: true })])
      expect(assessCall(call, facts())).not.toHaveProperty("scope");
    expect(assessCall(read(), facts({ taint: "untrusted" }))).not.toHaveProperty("scope");
  });
});

describe("the second look at a verdict that was written down", () => {
  const decision = (changes: Partial<CallDecision> = {}): CallDecision => ({
    call: "1.1",
    tool: "poke",
    hash: "h1",
    verdict: "allow",
    reason: "",
    policy: "p1",
    grant: null,
    ...changes,
  });
  const allow: Verdict = { kind: "allow" };
  const ask: Verdict = { kind: "ask", because: [{ kind: "level" }], terms: twoVotes };
  const deny: Verdict = { kind: "deny", reason: "no" };

  it.each<[string, Partial<CallDecision>, string, Verdict, Confirmation]>([
    ["allowed, and allowed", {}, "h1", allow, { kind: "free" }],
    ["allowed, asks now", {}, "h1", ask, { kind: "needs-approval", terms: twoVotes }],
    ["allowed, denied now", {}, "h1", deny, { kind: "denied", reason: "no" }],
    ["allowed by a grant, asks now", { grant: "g1" }, "h1", ask, { kind: "needs-grant", grant: "g1" }],
    ["allowed by a grant, allowed now", { grant: "g1" }, "h1", allow, { kind: "free" }],
    ["allowed by a grant, denied now", { grant: "g1" }, "h1", deny, { kind: "denied", reason: "no" }],
    ["asked, and asks", { verdict: "ask" }, "h1", ask, { kind: "needs-approval", terms: twoVotes }],
    ["asked, allowed now", { verdict: "ask" }, "h1", allow, { kind: "needs-approval" }],
    [
      "asked, with a grant beside it",
      { verdict: "ask", grant: "g1" },
      "h1",
      ask,
      { kind: "needs-approval", terms: twoVotes },
    ],
    ["asked, denied now", { verdict: "ask" }, "h1", deny, { kind: "denied", reason: "no" }],
    ["denied, allowed now", { verdict: "deny" }, "h1", allow, { kind: "undecided" }],
    ["another call, allowed", {}, "h2", allow, { kind: "undecided" }],
    ["another call, asked", { verdict: "ask" }, "h2", ask, { kind: "undecided" }],
    ["another call, by a grant", { grant: "g1" }, "h2", ask, { kind: "undecided" }],
    ["another call, denied now", {}, "h2", deny, { kind: "denied", reason: "no" }],
  ])("%s", (_, changes, hash, now, confirmed) => {
    expect(confirmDecision(decision(changes), hash, now)).toStrictEqual(confirmed);
  });

  it.each<[string, CallDecision | undefined, boolean]>([
    ["none", undefined, false],
    ["one of this call", decision(), true],
    ["a question", decision({ verdict: "ask" }), true],
    ["a denial", decision({ verdict: "deny" }), false],
    ["one of another tool", decision({ tool: "note" }), false],
    ["one of other rules", decision({ policy: "p0" }), false],
  ])("counts as decided: %s", (_, given, expected) => {
    expect(isDecided(given, read())).toBe(expected);
  });
});

describe("the permission checker", () => {
  it("gives the verdict and the hash of the call as it stands now", async () => {
    const rules: PermissionRules = makeRules([]);
    const tool = makePlainTool({ reachesHosts: true });
    const check = createPermissionChecker({
      findTool: (name) => (name === "poke" ? tool : undefined),
      rules: () => rules,
    });
    const policy = versionOf(rules);
    const about = { ...facts(), session, policy, hosts };
    const checked = await check({ name: "poke", arguments: input }, about);
    const because = [{ kind: "level" }, { kind: "network", hosts }];
    expect(checked).toMatchObject({
      ok: true,
      checked: { tool, input, network: hosts, verdict: { kind: "ask", because } },
    });
    const { hash } = await bindCallNow(tool, { input, session, policy, network: hosts });
    expect(checked).toMatchObject({ checked: { hash } });
    expect(await check({ name: "prod", arguments: {} }, about)).toEqual({ ok: false, fault: { kind: "no-tool" } });
  });
});
