// full: two processes of one Postgres database
import { describe, expect, it } from "vitest";
import { runAlone } from "../../src/store/queries/run-alone.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { createStorePlace } from "../support/store-engines.ts";
import { createTestStore, openTestStore } from "../support/test-store.ts";

describe.runIf(postgresIsThere())("work that one process of a database does for all", () => {
  it("runs at one process at a time, and again once it has ended or failed", async () => {
    const place = await createStorePlace("postgres");
    const [one, other] = [await openTestStore(place), await openTestStore(place)];
    const end = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    const first = runAlone(one.main, "vectors", () => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    const tryOther = (name: string) => runAlone(other.main, name, async () => "done");
    expect([await tryOther("vectors"), await tryOther("more")]).toEqual([undefined, "done"]);
    end.resolve("first");
    expect([await first, await tryOther("vectors")]).toEqual(["first", "done"]);
    await expect(runAlone(one.main, "vectors", () => Promise.reject(new Error("no model")))).rejects.toThrow(
      "no model",
    );
    expect(await tryOther("vectors")).toBe("done");
  });
});

it("work of a process that has its SQLite file alone always runs", async () => {
  const { main } = await createTestStore();
  const inner = runAlone(main, "vectors", () => runAlone(main, "vectors", async () => "done"));
  expect(await inner).toBe("done");
});
