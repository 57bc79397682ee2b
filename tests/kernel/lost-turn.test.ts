import { expect, it } from "vitest";
import { claimTurn } from "../../src/store/queries/turns.ts";
import { makeMessage } from "../support/fake-channel.ts";
import { TestGateway } from "../support/gateway.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { obeyWords } from "../support/obey-words.ts";

it("a process that lost its turn to another one leaves the message open, so that it is answered when that one dies too", async () => {
  const kurisu = new TestGateway();
  untilTestEnds(() => kurisu.dispose());
  await kurisu.start();
  const goOn = Promise.withResolvers<void>();
  kurisu.model.script = async (view) => {
    await goOn.promise;
    return obeyWords(view);
  };
  await kurisu.channel.deliver(makeMessage("hello"));
  await kurisu.until(() => kurisu.model.asked.length === 1);
  const { id } = await kurisu.store.main.selectFrom("turns").select("id").executeTakeFirstOrThrow();
  const now = kurisu.clock.now();
  expect(await claimTurn(kurisu.store.main, id, "another process", now)).toBeDefined();
  goOn.resolve();
  await kurisu.stop();
  expect(kurisu.channel.sent).toEqual([]);
  await kurisu.start();
  await kurisu.settle();
  expect(kurisu.channel.sent.map(({ text }) => text)).toEqual([expect.stringContaining("hello")]);
});
