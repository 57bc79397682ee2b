import { afterEach, expect, it } from "vitest";
import { TestGateway } from "../support/gateway.ts";

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

it("finished work is removed after 14 days while she runs, too", async () => {
  kurisu = new TestGateway();
  await kurisu.start();
  await kurisu.say("在吗", { user: "alice" });
  const count = async () => (await kurisu.store.main.selectFrom("inbox").select("id").execute()).length;
  await kurisu.gateway.prune();
  expect(await count()).toBe(1);
  kurisu.clock.advance(15 * 24 * 3_600_000);
  await kurisu.gateway.prune();
  expect(await count()).toBe(0);
});
