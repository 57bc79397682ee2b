import { sql } from "kysely";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { UsageRow } from "../../src/core/usage.ts";
import type { Store } from "../../src/store/open-store.ts";
import { openStore } from "../support/open-store.ts";
import { savePerson } from "../../src/store/queries/people.ts";
import { listModelCalls } from "../../src/store/queries/model-calls.ts";
import { listUsage } from "../../src/store/queries/usage.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";

const day = "2026-11-23";
const row: UsageRow = {
  day,
  person: "a",
  session: "s",
  model: "m",
  calls: 1,
  estimated: 0,
  input: 5,
  output: 1,
  cached: 0,
  cost: 3,
};

const request = (round: number) =>
  ({
    turn: "turn_1",
    round,
    model: "m",
    startedAt: 10 * round,
    ms: 7,
    input: 5,
    output: 1,
    cached: 2,
    cost: 3,
    isEstimated: false,
    end: "answered",
  }) as const;

describe.each(listEngines())("the usage that goes along with a transaction, on %s:", (engine) => {
  let store: Store;
  let faults: unknown[];
  beforeEach(async () => {
    faults = [];
    const log = { error: (...said: readonly unknown[]) => void faults.push(said) } as never;
    store = await openStore({ ...(await createStorePlace(engine)), log });
    onTestFinished(() => store.close());
  });
  const saveOwner = (id: string) =>
    store.usage.inTransaction((tx) => savePerson(tx, { id, name: "O", role: "owner", now: 1 }));
  const people = async () =>
    (await store.main.selectFrom("people").select("id").orderBy("id").execute()).map(({ id }) => id);
  const written = async () => (await listUsage(store.main, day)).map(({ person, calls }) => [person, calls]);

  it("the requests of a turn are written with their usage, in order, and again when the transaction failed", async () => {
    store.usage.add(row, request(1));
    store.usage.add(row, request(2));
    await expect(store.usage.inTransaction(() => Promise.reject(new Error("the work failed")))).rejects.toThrow(
      "the work failed",
    );
    expect(await listModelCalls(store.main, ["turn_1"])).toEqual([]);
    await saveOwner("o");
    await saveOwner("p");
    expect(await listModelCalls(store.main, ["turn_1"])).toEqual([request(1), request(2)]);
    expect(await written()).toEqual([["a", 2]]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1.5, -1, 1e300])(
    "a count of %s is refused, and delays no other write",
    async (bad) => {
      for (const part of ["calls", "estimated", "input", "output", "cached", "cost"] as const)
        expect(() => store.usage.add({ ...row, [part]: bad })).toThrow("is no count");
      store.usage.add(row);
      await saveOwner("o");
      expect([await people(), await written()]).toEqual([["o"], [["a", 1]]]);
    },
  );

  it("a count that the engine refuses is left out and logged: the work and the others' counts are written, once", async () => {
    await refuse("usage", "person", "x");
    for (const person of ["x", "a", "b"]) store.usage.add({ ...row, person });
    await saveOwner("o");
    await saveOwner("p");
    expect(await people()).toEqual(["o", "p"]);
    expect((await written()).toSorted(([a], [b]) => (`${a}` < `${b}` ? -1 : 1))).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
    expect(faults).toMatchObject([[{ person: "x", input: 5 }, "what a model used up could not be written"]]);
    expect((await store.usage.sumDay(day, "x", "s")).all.calls).toBe(2);
  });

  it("a fault of the work is the work's, and the count is written later", async () => {
    store.usage.add(row);
    const work = store.usage.inTransaction(() => Promise.reject(new Error("its own")));
    await expect(work).rejects.toThrow("its own");
    expect((await store.usage.sumDay(day, "a", "s")).mine.calls).toBe(1);
    await saveOwner("o");
    expect([await written(), faults]).toEqual([[["a", 1]], []]);
  });

  it("usage is written although the engine refuses a request that it is made of, which is logged", async () => {
    await refuse("model_calls", "turn", "turn_1");
    store.usage.add(row, request(1));
    store.usage.add({ ...row, person: "b" }, { ...request(1), turn: "turn_2" });
    await saveOwner("o");
    expect((await written()).toSorted(([a], [b]) => (`${a}` < `${b}` ? -1 : 1))).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
    expect((await listModelCalls(store.main, ["turn_1", "turn_2"])).map(({ turn }) => turn)).toEqual(["turn_2"]);
    expect(faults).toMatchObject([[{ person: "a", turns: ["turn_1"] }, "requests to a model could not be noted"]]);
    expect((await store.usage.sumDay(day, "a", "s")).all.calls).toBe(2);
  });

  /** The engine takes no more rows of this value. */
  async function refuse(table: string, column: string, value: string): Promise<void> {
    const rule =
      engine === "postgres"
        ? `alter table ${table} add constraint refused check (${column} <> '${value}')`
        : `create trigger refused before insert on ${table} when new.${column} = '${value}' begin select raise(abort, 'refused'); end`;
    await sql.raw(rule).execute(store.main);
  }
});
