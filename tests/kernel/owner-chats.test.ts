import { expect, it } from "vitest";
import { createListOwnerChats } from "../../src/kernel/questions/owner-chats.ts";
import { savePrivateChat } from "../../src/store/queries/private-chats.ts";
import { createTestStore } from "../support/test-store.ts";

it("an own chat of the web console gets its own questions as an owner's, and none that was asked elsewhere", async () => {
  const { main } = await createTestStore();
  for (const [person, session] of [
    ["telegram:1", "telegram:bot:1"],
    ["telegram:2", "telegram:bot:2"],
    ["console:owner", "console:local:main"],
  ] as const)
    await savePrivateChat(main, person, session);
  const list = createListOwnerChats({
    base: async (person) => (person === "telegram:2" ? "member" : "owner"),
  });
  expect(await list(main, "telegram:bot:-100")).toEqual(["telegram:bot:1"]);
  expect((await list(main, "console:local:main")).toSorted()).toEqual(["console:local:main", "telegram:bot:1"]);
});
