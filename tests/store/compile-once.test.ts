import { beforeEach, describe, expect, it } from "vitest";
import { compileOnce } from "../../src/store/statements/compile-once.ts";
import type { Store } from "../../src/store/open-store.ts";
import { listEngines } from "../support/store-engines.ts";
import { addSession, createTestStore } from "../support/test-store.ts";

describe.each(listEngines())("a statement that is compiled once, on %s:", (engine) => {
  let store: Store;
  beforeEach(async () => {
    store = await createTestStore(engine);
    await addSession(store, "a");
    await addSession(store, "b");
  });

  it("the statement is built for the first call alone, and runs with the values of each", async () => {
    let built = 0;
    const rename = compileOnce((db, { id, mode }: { readonly id: string; readonly mode: string | null }) => {
      built += 1;
      return db.updateTable("sessions").set({ mode }).where("id", "=", id).returning(["id", "mode"]);
    });
    expect(await rename(store.main, { id: "a", mode: "plan" })).toEqual([{ id: "a", mode: "plan" }]);
    expect(await rename(store.main, { id: "b", mode: null })).toEqual([{ id: "b", mode: null }]);
    expect(await store.main.transaction().execute((tx) => rename(tx, { id: "b", mode: "x" }))).toEqual([
      { id: "b", mode: "x" },
    ]);
    expect(await rename(store.main, { id: "nobody", mode: "x" })).toEqual([]);
    expect(built).toBe(1);
  });

  it("takes text with a NUL where the engine does not", async () => {
    const write = compileOnce((db, { mode }: { readonly mode: string }) =>
      db.updateTable("sessions").set({ mode }).where("id", "=", "a").returning("mode"),
    );
    const [row] = await write(store.main, { mode: "a\0b" });
    expect(row?.mode).toBe(engine === "postgres" ? "a\u{FFFD}b" : "a\0b");
  });

  it.each<readonly [string, (given: { readonly mode: string }) => string]>([
    ["as text", ({ mode }) => `${mode}!`],
    ["as a number", ({ mode }) => String(Number(mode) + 1)],
    ["by its order", ({ mode }) => (mode < "n" ? mode : "")],
    ["in JSON", (given) => JSON.stringify(given)],
    ["by their names", (given) => Object.keys(given).join()],
    ["in a copy", (given) => ({ ...given }).mode],
  ])("the builder cannot look at its values %s", async (_, look) => {
    const write = compileOnce((db, given: { readonly mode: string }) =>
      db
        .updateTable("sessions")
        .set({ mode: look(given) })
        .where("id", "=", "a"),
    );
    await expect(write(store.main, { mode: "x" })).rejects.toThrow("may not look at its values");
  });

  it("writes no row of the audit, whose values have to be looked at", async () => {
    const write = compileOnce((db, { detail }: { readonly detail: string }) =>
      db.insertInto("audit").values({ at: 0, actor: "", action: "", detail, session: null, turn: null, call: null }),
    );
    await expect(write(store.main, { detail: "{}" })).rejects.toThrow("may not look at its values");
  });
});
