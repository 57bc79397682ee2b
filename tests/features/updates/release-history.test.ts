import { describe, expect, it } from "vitest";
import { listReleases, recordRelease } from "../../../src/features/updates/release-history.ts";
import { listEngines } from "../../support/store-engines.ts";
import { createTestStore } from "../../support/test-store.ts";

describe.each(listEngines())("on %s:", (engine) => {
  it("recordRelease adds a row for each change of the version, a step back too, whatever the clock says", async () => {
    const { main } = await createTestStore(engine);
    expect(await recordRelease(main, "0.1.0", 1_000)).toEqual({ from: undefined });
    expect(await recordRelease(main, "0.1.0", 2_000)).toBeUndefined();
    expect(await recordRelease(main, "0.2.0", 3_000)).toEqual({ from: "0.1.0" });
    expect(await recordRelease(main, "0.1.0", 500)).toEqual({ from: "0.2.0" });
    expect(await listReleases(main, 9)).toEqual([
      { version: "0.1.0", since: 3_001 },
      { version: "0.2.0", since: 3_000 },
      { version: "0.1.0", since: 1_000 },
    ]);
  });
});
