import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listLedger } from "../../../src/store/queries/ledger.ts";
import { effectRules } from "../../support/effect-tools.ts";
import { makeMessage } from "../../support/fake-channel.ts";
import { Gate } from "../../support/gate.ts";
import { TestGateway } from "../../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";

describe.each(listUsualEngines())("calls of one round on %s", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine) });
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const outputs = () =>
    kurisu.model.asked.at(-1)?.results.map((result) => (JSON.parse(result) as { output: string }).output);

  /** Each call waits until all of its group have begun, and the first of a group ends last. Answers who stood beside whom. */
  function runInGroups(...groups: readonly string[]): string[] {
    const begun = new Set<string>();
    const ended = new Set<string>();
    const beside: string[] = [];
    kurisu.onRun = async ({ what }) => {
      const group = groups.find((one) => one.includes(what)) ?? "";
      begun.add(what);
      const others = [...begun].filter((one) => !ended.has(one) && !group.includes(one));
      beside.push(...others.map((one) => `${what} beside ${one}`));
      await kurisu.until(() => Array.from(group).every((one) => begun.has(one)));
      if (what === group[0]) await kurisu.until(() => Array.from(group.slice(1)).every((one) => ended.has(one)));
      ended.add(what);
      return { ok: true, output: what };
    };
    return beside;
  }

  it("parallel-safe calls run side by side, another one runs alone, and results keep the order", async () => {
    const beside = runInGroups("abc", "w", "de");
    await kurisu.say("peek a; peek b; peek c; note w; peek d; peek e");
    expect(beside).toEqual([]);
    expect(outputs()).toEqual(["a", "b", "c", "w", "d", "e"]);
    expect(kurisu.did()[3]).toBe("w");
    expect(kurisu.did().slice(4).toSorted()).toEqual(["d", "e"]);
    const [row] = await kurisu.store.main.selectFrom("tool_ledger").select("turn").execute();
    const ledger = await listLedger(kurisu.store.main, row?.turn ?? "");
    expect(ledger.map(({ call, state }) => `${call} ${state}`).toSorted()).toEqual(
      [1, 2, 3, 4, 5, 6].map((call) => `1.${call} done`),
    );
  });

  it("approved calls keep the same rule", async () => {
    kurisu.rules.current = {
      ...effectRules,
      permissions: { ...effectRules.permissions, safe: [], confirm: ["peek", "poke"] },
    };
    const beside = runInGroups("ab", "w", "d");
    await kurisu.say("peek a; peek b; poke w; peek d");
    expect(kurisu.did()).toEqual([]);
    await kurisu.say("确认");
    expect(beside).toEqual([]);
    expect(outputs()).toEqual(["a", "b", "w", "d"]);
    expect(kurisu.did()).toHaveLength(4);
  });

  it("calls keep their results when one of them throws", async () => {
    kurisu.onRun = ({ what }) => {
      if (what === "b") throw new Error("no route");
      return { ok: true, output: what };
    };
    await kurisu.say("peek a; peek b; peek c");
    const [a, b, c] = kurisu.model.asked.at(-1)?.results ?? [];
    expect(a).toContain('"output":"a"');
    expect(b).toContain("no route");
    expect(c).toContain('"output":"c"');
  });

  it("/stop aborts all running calls, and those behind them do not begin", async () => {
    const stopped: string[] = [];
    kurisu.onRun = ({ what }, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener(
          "abort",
          () => {
            stopped.push(what);
            resolve({ ok: false, error: "Stopped." });
          },
          { once: true },
        ),
      );
    await kurisu.channel.deliver(makeMessage("peek a; peek b; note w"));
    await kurisu.until(() => kurisu.effects.length === 2);
    await kurisu.say("/stop");
    await kurisu.until(() => stopped.length === 2);
    expect(stopped.toSorted()).toEqual(["a", "b"]);
    expect(kurisu.did().toSorted()).toEqual(["a", "b"]);
  });

  it("begin with the answer, before the graph goes on, and each once", async () => {
    const gate = new Gate();
    kurisu.onRun = async ({ what }, { signal }) => {
      await gate.pass(signal);
      return { ok: true, output: what };
    };
    await kurisu.say("poke a; poke b");
    await kurisu.channel.deliver(makeMessage("确认"));
    await kurisu.until(() => gate.waiting === 1);
    const resumed = await kurisu.store.checkpoints
      .selectFrom("checkpoint_writes")
      .select("channel")
      .where("channel", "=", "__resume__")
      .execute();
    expect(resumed).toEqual([]);
    expect(kurisu.did()).toEqual(["a"]);
    gate.open();
    await kurisu.settle();
    expect(kurisu.did()).toEqual(["a", "b"]);
    expect(outputs()).toEqual(["a", "b"]);
    const audit = await kurisu.store.main.selectFrom("audit").select(["action", "call"]).orderBy("seq").execute();
    expect(audit.filter(({ action }) => action.startsWith("tool.")).map((row) => `${row.action} ${row.call}`)).toEqual([
      "tool.started 1.1",
      "tool.done 1.1",
      "tool.started 1.2",
      "tool.done 1.2",
    ]);
  });
});
