import { describe, expect, it } from "vitest";
import {
  dropOverheard,
  listOverheard,
  listUntold,
  markTold,
  saveOverheard,
} from "../../../src/features/group-sense/queries/overheard.ts";
import { listEngines } from "../../support/store-engines.ts";
import { createTestStore } from "../../support/test-store.ts";

describe.each(listEngines())("on %s:", (engine) => {
  it("overheard words keep their order, their newest and their session", async () => {
    const { main } = await createTestStore(engine);
    const keep = { most: 3, since: 10 };
    const say = (session: string, text: string, saidAt: number) =>
      saveOverheard(main, session, { message: text, sender: "甲", text, saidAt }, keep);
    await say("b", "别处", 20);
    for (const [text, at] of [
      ["旧", 5],
      ["一", 20],
      ["二", 19],
      ["三", 21],
      ["四", 22],
    ] as const)
      await say("a", text, at);
    const { heard, upTo } = await listUntold(main, "a", { most: 2, since: 20 });
    expect(heard.map(({ text }) => text)).toEqual(["三", "四"]);
    expect((await listOverheard(main, "a", 0)).map(({ text }) => text)).toEqual(["二", "三", "四"]);
    await markTold(main, "a", upTo);
    await say("a", "五", 23);
    const untold = await listUntold(main, "a", { most: 2, since: 0 });
    expect(untold.heard.map(({ text }) => text)).toEqual(["五"]);
    expect((await listOverheard(main, "a", 0)).map(({ told }) => told)).toEqual([true, true, false]);
    await dropOverheard(main, "a");
    expect(await listOverheard(main, "a", 0)).toEqual([]);
    expect(await listOverheard(main, "b", 0)).toHaveLength(1);
  });
});
