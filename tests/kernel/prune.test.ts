import { afterEach, expect, it } from "vitest";
import { saveOverheard } from "../../src/features/group-sense/queries/overheard.ts";
import { TestGateway } from "../support/gateway.ts";

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

it("finished work is removed after 14 days while she runs, too", async () => {
  kurisu = new TestGateway();
  await kurisu.start();
  await kurisu.say("在吗", { user: "alice" });
  const { main } = kurisu.store;
  const overheard = { message: "1", sender: "bob", text: "早", saidAt: kurisu.clock.now() };
  await saveOverheard(main, "s", overheard, { most: 9, since: 0 });
  const count = async () => {
    const rows = await main.selectFrom("inbox").select("id").execute();
    const ofFeatures = await main.selectFrom("overheard").select("seq").execute();
    return [rows.length, ofFeatures.length];
  };
  await kurisu.gateway.prune();
  expect(await count()).toEqual([1, 1]);
  kurisu.clock.advance(15 * 24 * 3_600_000);
  await kurisu.gateway.prune();
  expect(await count()).toEqual([0, 0]);
});
