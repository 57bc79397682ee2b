import { expect, it } from "vitest";
import { createReadiness } from "../../src/kernel/http/readiness.ts";

type Parts = Parameters<typeof createReadiness>[0];

function createParts(refusedFiles: readonly string[], waitingKeys: readonly string[] = []): Parts {
  return {
    channels: [],
    features: [],
    owns: () => true,
    describeCluster: () => undefined,
    runsTurns: true,
    models: { status: () => [] } as unknown as Parts["models"],
    sandbox: { status: () => Promise.resolve({ state: "off", detail: "" }) } as unknown as Parts["sandbox"],
    store: { main: {}, engine: "sqlite" } as unknown as Parts["store"],
    stall: () => undefined,
    waitingKeys: () => waitingKeys,
    refusedFiles: () => refusedFiles,
    clock: { now: () => 7 },
  };
}

it("a file that became faulty makes the configuration degraded, also beside a key that waits for a restart", async () => {
  const states = await createReadiness(createParts(["models.yaml"], ["channels.yaml: persona"]))();
  expect(states["configuration"]).toEqual({
    state: "degraded",
    since: 7,
    detail: "faulty, so the last good version is in force, and the next start would fail: models.yaml",
  });
});

it("a configuration without faults is not among the states", async () => {
  expect(await createReadiness(createParts([]))()).not.toHaveProperty("configuration");
});

it("a gateway beside workers needs no sandbox of its own", async () => {
  const states = await createReadiness({ ...createParts([]), runsTurns: false })();
  expect(states["sandbox"]).toMatchObject({ state: "off", detail: "the workers run commands" });
});
