import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../../src/store/open-store.ts";
import { readAudit } from "../../../src/store/queries/audit.ts";
import type { CallDecision } from "../../../src/store/queries/decisions.ts";
import { listLedger, startLedgerRow } from "../../../src/store/queries/ledger.ts";
import { claimTurn, insertTurn, revokeTurn, type TurnLease } from "../../../src/store/queries/turns.ts";
import { ApprovalManager } from "../../../src/kernel/gate/approval-manager.ts";
import { aloneAs } from "../../../src/kernel/gate/find-person.ts";
import { hashCall } from "../../../src/kernel/gate/call-hash.ts";
import { createToolExecutor, type ToolExecutor } from "../../../src/kernel/tools/executor.ts";
import { fitNowhere } from "../../support/fit-results.ts";
import { versionOf, type PermissionRules } from "../../../src/kernel/gate/permission.ts";
import { createToolRegistry } from "../../../src/kernel/tools/registry.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import type { Person, Role } from "../../../src/kernel/gate/types.ts";
import { createEffectTools, effectRules } from "../../support/effect-tools.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { writeDecision } from "../../support/write-decision.ts";
import { createTestStore } from "../../support/test-store.ts";
import { createToolContext } from "../../support/tool-context.ts";

const log = pino({ level: "silent" });
type Execution = Parameters<ToolExecutor["execute"]>[0];
let store: Store;
let lease: TurnLease;
let rules: PermissionRules;
let executor: ToolExecutor;
let approvals: ApprovalManager;
let judged: CallDecision["verdict"] | undefined;
let roleNow: Role;
let tools: ReturnType<typeof createEffectTools>;

function build(changed: readonly Tool[] = tools.tools): ToolExecutor {
  const real = buildBare(changed);
  return {
    ...real,
    async execute(asked) {
      await writeDecision(store, asked, judged && { verdict: judged });
      return real.execute(asked);
    },
  };
}

function buildBare(changed: readonly Tool[] = tools.tools): ToolExecutor {
  const registry = createToolRegistry(changed);
  return createToolExecutor({
    findRole: () => Promise.resolve(roleNow),
    store,
    registry,
    approvals,
    rules: () => rules,
    // A result that is already short is handed on as it is; what becomes of long ones is in fit-result.test.ts.
    fit: fitNowhere("nothing is long here"),
    scrub: (text) => text,
    clock: new HandClock(),
    log,
  });
}

beforeEach(async () => {
  store = await createTestStore();
  rules = effectRules;
  judged = undefined;
  roleNow = "owner";
  tools = createEffectTools(() => 0);
  approvals = new ApprovalManager({ clock: new HandClock(), timeoutMs: () => 600_000 });
  executor = build();
  lease = await insertTurn(store.main, {
    id: "t",
    session: "s",
    inbox: "i",
    input: "{}",
    policy: "p",
    owner: "o",
    now: 0,
  });
});

const { call: _, now: __, ...context } = createToolContext({ session: "s", turn: "t" });

const execution = (name: string, changes: Partial<Execution> = {}, what = "a"): Execution => ({
  call: { id: "1.1", name, arguments: { what } },
  lease,
  policy: versionOf(rules),
  taint: "owner",
  context,
  ...changes,
});
const yesOf = (person: Person) =>
  ({ decision: "approved", by: { ...person, person: aloneAs(person.id), place: "same-chat" }, how: "words" }) as const;

async function approve(what = "a"): Promise<void> {
  const hash = hashCall({ tool: "poke", input: { what }, session: "s", policy: versionOf(rules) });
  const { id } = await approvals.open(store.main, {
    session: "s",
    chatKind: "private",
    turn: "t",
    interrupt: "i",
    person: context.person,
    policy: versionOf(rules),
    calls: [{ call: "1.1", tool: "poke", arguments: { what }, hash, summary: what, detail: what }],
  });
  await approvals.decide(store.main, id, yesOf(context.person));
}

const did = () => tools.effects.map((effect) => effect.what);
const kinds = async () => (await readAudit(store.main, 20)).map((row) => row.action);

describe("a call that may reach hosts", () => {
  const hosts = ["pypi.org"];
  /** Runs `note`, which needs no yes, as a tool that takes hosts. */
  const run = (network: readonly string[], now: readonly string[]) =>
    build(tools.tools.map((tool) => ({ ...tool, reachesHosts: true }))).execute(
      execution("note", { network, context: { ...context, network: now } }),
    );
  async function approveReach(network: readonly string[]): Promise<void> {
    const tool = "note";
    const policy = versionOf(rules);
    const hash = hashCall({ tool, input: { what: "a" }, session: "s", policy, network });
    const { person } = context;
    const call = { call: "1.1", tool, arguments: { what: "a" }, hash, summary: "a", detail: "a", network };
    const asked = {
      session: "s",
      chatKind: "private" as const,
      turn: "t",
      interrupt: "i",
      person,
      policy,
      calls: [call],
    };
    const { id } = await approvals.open(store.main, asked);
    await approvals.decide(store.main, id, yesOf(person));
  }

  it("a call runs after approval of exactly these hosts", async () => {
    await approveReach(hosts);
    expect(await run(hosts, hosts)).toMatchObject({ kind: "done" });
  });

  it("a call to hosts does not run without approval, even where the rules let the tool run at once", async () => {
    expect(await run(hosts, hosts)).toMatchObject({
      kind: "denied",
      reason: expect.stringContaining("Nobody approved") as string,
    });
    expect(await run([], [])).toMatchObject({ kind: "done" });
    expect(did()).toEqual(["a"]);
  });

  it.each([
    ["more", ["a.org", "pypi.org"]],
    ["fewer", []],
    ["others", ["pypi.org:443"]],
  ])("a call does not run when it may reach %s by now", async (_, now) => {
    await approveReach(hosts);
    expect(await run(hosts, now)).toMatchObject({
      kind: "denied",
      reason: expect.stringContaining("changed since it was judged") as string,
    });
    expect(did()).toEqual([]);
  });

  it.each([
    ["more", ["a.org", "pypi.org"]],
    ["others", ["pypi.org:443"]],
  ])("a call judged with %s does not run by the approval of these hosts", async (_, judged) => {
    await approveReach(hosts);
    expect(await run(judged, judged)).toMatchObject({
      kind: "denied",
      reason: expect.stringContaining("Nobody approved") as string,
    });
    expect(did()).toEqual([]);
  });

  it("a tool that takes no hosts is given none", async () => {
    const heard: unknown[] = [];
    tools.behaviour.run = async (__, { network }) => {
      heard.push(network);
      return { ok: true, output: "" };
    };
    await executor.execute(execution("note", { context: { ...context, network: hosts } }));
    expect(heard).toEqual([[]]);
  });
});

describe("a call that needs approval", () => {
  it("runs with it once, and a second time answers what the first brought", async () => {
    await approve();
    const first = await executor.execute(execution("poke"));
    expect(first).toMatchObject({ kind: "done", envelope: { output: "did a" } });
    expect(await executor.execute(execution("poke"))).toEqual(first);
    expect(did()).toEqual(["a"]);
    expect((await kinds()).filter((kind) => kind.startsWith("tool."))).toEqual(["tool.started", "tool.done"]);
  });

  it("a call does not run without approval, or with other arguments than those shown", async () => {
    expect(await executor.execute(execution("poke"))).toMatchObject({ kind: "denied" });
    await approve("a");
    expect(await executor.execute(execution("poke", {}, "b"))).toMatchObject({ kind: "denied" });
    expect(did()).toEqual([]);
    expect(await listLedger(store.main, "t")).toEqual([]);
  });

  it("the ledger records a call before it acts", async () => {
    await approve();
    let seen: unknown;
    tools.behaviour.run = async () => {
      seen = await listLedger(store.main, "t");
      return { ok: true, output: null };
    };
    await executor.execute(execution("poke"));
    expect(seen).toMatchObject([{ state: "started", outcome: null }]);
  });

  it("the executor does not repeat an interrupted call", async () => {
    await approve();
    const hash = hashCall({ tool: "poke", input: { what: "a" }, session: "s", policy: versionOf(rules) });
    await startLedgerRow(store.main, { turn: "t", call: "1.1", tool: "poke", hash, token: 1, now: 0 });
    expect(await executor.execute(execution("poke"))).toMatchObject({ kind: "unknown" });
    expect(did()).toEqual([]);
  });

  it("the executor re-runs an interrupted call when the tool is idempotent", async () => {
    const hash = hashCall({ tool: "note", input: { what: "a" }, session: "s", policy: versionOf(rules) });
    await startLedgerRow(store.main, { turn: "t", call: "1.1", tool: "note", hash, token: 1, now: 0 });
    const harmless = build(tools.tools.map((tool) => ({ ...tool, idempotent: true })));
    expect(await harmless.execute(execution("note"))).toMatchObject({ kind: "done" });
    expect(did()).toEqual(["a"]);
  });
});

describe("a change since a call was judged", () => {
  it.each<[string, PermissionRules]>([
    ["stricter", { permissions: { safe: [], confirm: [], deny: ["note"] }, rules: [], exclude: [] }],
    ["laxer", { permissions: { safe: ["note", "poke"], confirm: [], deny: [] }, rules: [], exclude: [] }],
  ])("rules that are %s stop it", async (_, changed) => {
    const judged = execution("note");
    rules = changed;
    expect(await executor.execute(judged)).toMatchObject({
      kind: "denied",
      reason: expect.stringContaining("rules changed") as string,
    });
    expect(did()).toEqual([]);
    expect(await kinds()).toEqual(["tool.denied"]);
  });

  it("a tool that became unavailable is not run", async () => {
    const gone = build(
      tools.tools.map((tool) => ({ ...tool, availability: () => ({ ok: false as const, reason: "gone." }) })),
    );
    expect(await gone.execute(execution("note"))).toEqual({ kind: "denied", reason: "gone. It did not run." });
  });

  it("a turn that another process took over does not act", async () => {
    await claimTurn(store.main, "t", "another", 0);
    await expect(executor.execute(execution("note"))).rejects.toMatchObject({ code: "TURN_LOST" });
    expect(did()).toEqual([]);
  });

  it("a turn that is stopped while it acts keeps the row that says it began", async () => {
    tools.behaviour.run = async () => {
      await revokeTurn(store.main, "t", "stopped", 1);
      return { ok: true, output: null };
    };
    expect(await executor.execute(execution("note"))).toMatchObject({ kind: "unknown" });
    expect(await listLedger(store.main, "t")).toMatchObject([{ state: "started" }]);
  });
});

describe("the verdict that was written down", () => {
  const refused = { kind: "denied", reason: expect.stringContaining("No verdict was given on exactly this call") };
  const codes = async () =>
    (await readAudit(store.main, 20)).map((row) => (JSON.parse(row.detail) as { code?: string }).code);

  it.each(["note", "peek", "poke"])("a call of %s without a verdict does not run, even with approval", async (name) => {
    await approve();
    expect(await buildBare().execute(execution(name))).toMatchObject(refused);
    expect(await codes()).toContain("undecided");
    expect([did(), await listLedger(store.main, "t")]).toEqual([[], []]);
  });

  it.each<[string, Partial<CallDecision>]>([
    ["of other arguments", { hash: "0".repeat(64) }],
    ["of another call", { call: "1.2" }],
    ["of another tool", { tool: "peek" }],
    ["by other rules", { policy: "others" }],
    ["that denies", { verdict: "deny" }],
  ])("one %s lets nothing run", async (_, changes) => {
    for (const name of ["note", "read_page"]) {
      await store.main.deleteFrom("decisions").execute();
      await writeDecision(store, execution(name), changes);
      expect(await buildBare().execute(execution(name))).toMatchObject(refused);
    }
    expect(did()).toEqual([]);
  });

  it("the verdict of another turn does not count for this turn", async () => {
    await writeDecision(store, execution("note"), { turn: "other" });
    expect(await buildBare().execute(execution("note"))).toMatchObject(refused);
  });

  it("a call judged as needing approval still needs it when the tool may run at once now", async () => {
    judged = "ask";
    expect(await executor.execute(execution("note"))).toMatchObject({
      kind: "denied",
      reason: expect.stringContaining("Nobody approved") as string,
    });
    expect(await executor.execute(execution("peek"))).toMatchObject({ kind: "denied" });
    expect(did()).toEqual([]);
  });

  it("a judge that runs again overwrites the verdict", async () => {
    await writeDecision(store, execution("note"), { hash: "", verdict: "deny" });
    await writeDecision(store, execution("note"));
    expect(await buildBare().execute(execution("note"))).toMatchObject({ kind: "done" });
  });
});

describe("the person a call is for", () => {
  it.each<[Role, string]>([
    ["owner", "done"],
    ["trusted", "done"],
    ["member", "done"],
    ["guest", "denied"],
  ])("runs nothing for a role that was taken away: %s by now → %s", async (role, kind) => {
    await approve();
    roleNow = role;
    expect(await executor.execute(execution("poke"))).toMatchObject({ kind });
    expect(await listLedger(store.main, "t")).toHaveLength(kind === "done" ? 1 : 0);
  });

  it("a call has no more rights than the person's role at the start of the turn", async () => {
    const guest = { context: { ...context, person: { ...context.person, role: "guest" } } } as const;
    expect(await executor.execute(execution("note", guest))).toMatchObject({ kind: "denied" });
  });

  it("the tool receives the person's current role", async () => {
    roleNow = "member";
    let heard: unknown;
    tools.behaviour.run = async (_, { person }) => {
      heard = person.role;
      return { ok: true, output: "" };
    };
    await executor.execute(execution("note"));
    expect(heard).toBe("member");
  });
});

describe("a call that only reads", () => {
  it("a read-only call is recorded when it is done, and answered from the ledger", async () => {
    let before: unknown;
    tools.behaviour.run = async ({ what }) => {
      before = await listLedger(store.main, "t");
      return { ok: true, output: what };
    };
    const first = await executor.execute(execution("peek"));
    expect(before).toEqual([]);
    expect(await listLedger(store.main, "t")).toMatchObject([{ state: "done", tool: "peek" }]);
    expect(await executor.execute(execution("peek"))).toEqual(first);
    expect(did()).toEqual(["a"]);
    expect(await kinds()).toEqual(["tool.done"]);
  });

  it("a read-only call still needs approval where its level says so", async () => {
    const asking = build(tools.tools.map((tool) => ({ ...tool, readOnly: true })));
    judged = "allow";
    expect(await asking.execute(execution("poke"))).toMatchObject({ kind: "denied" });
    expect(did()).toEqual([]);
  });
});

describe("a tool that misbehaves", () => {
  it("throws: the model is told in one sentence", async () => {
    tools.behaviour.run = () => {
      throw new Error("no route to host");
    };
    const outcome = await executor.execute(execution("note"));
    expect(outcome).toMatchObject({ kind: "failed", envelope: { ok: false, error: "note failed: no route to host" } });
  });

  it("takes too long: it is told to stop", async () => {
    tools.behaviour.run = (_, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve({ ok: false, error: "stopped" }), { once: true }),
      );
    const hasty = build(tools.tools.map((tool) => ({ ...tool, timeoutMs: () => 20 })));
    expect(await hasty.execute(execution("note"))).toMatchObject({ kind: "failed", envelope: { error: "stopped" } });
  });

  it("a missing tool, wrong arguments or a denied tool do not run", async () => {
    expect(await executor.execute(execution("nothing"))).toMatchObject({ kind: "denied" });
    expect(
      await executor.execute(execution("note", { call: { id: "1.1", name: "note", arguments: { wat: 1 } } })),
    ).toMatchObject({ kind: "denied" });
    expect(await executor.execute(execution("never"))).toMatchObject({ kind: "denied" });
    expect(did()).toEqual([]);
  });
});
