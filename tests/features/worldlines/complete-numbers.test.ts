import { afterEach, beforeEach, expect, it } from "vitest";
import { forkBranch } from "../../../src/features/worldlines/branches.ts";
import { appendPoint } from "../../../src/store/queries/messages.ts";
import { TestGateway } from "../../support/gateway.ts";
import { addSession } from "../../support/test-store.ts";

const session = "cli:local:main";
let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway();
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

it("the Tab key completes the numbers of points after /dmail and of branches after /worldline", async () => {
  const { completeLine } = kurisu.assembled;
  const { store } = kurisu;
  expect(await completeLine("main", "/wor")).toEqual(["/worldline"]);
  expect(await completeLine("nobody", "/dmail ")).toEqual([]);
  expect(await completeLine("nobody", "/worldline ")).toEqual([]);
  await addSession(store, session);
  const message = { role: "user", text: "在吗", senderId: "cli:owner", senderName: "owner" } as const;
  for (const now of [1, 2])
    await store.main
      .transaction()
      .execute((tx) => appendPoint(tx, { session, turn: null, taint: "owner", message, now }));
  expect(await completeLine("main", "/dmail ")).toEqual(["0", "1"]);
  expect(await completeLine("main", "/dmail 1 换")).toEqual([]);
  await store.main.transaction().execute((tx) => forkBranch(tx, session, { position: 1, point: 0, now: 3 }));
  expect((await completeLine("main", "/worldline ")).toSorted()).toEqual(["1", "2"]);
  expect(await completeLine("main", "/worldline 1 ")).toEqual([]);
});
