import { expect, it, onTestFinished } from "vitest";
import { saveLink } from "../../../src/store/queries/account-links.ts";
import { effectRules } from "../../support/effect-tools.ts";
import { TestGateway } from "../../support/gateway.ts";
import { createStorePlace } from "../../support/store-engines.ts";

it("an account linked from a group reads no private chats of others; one linked in private does", async () => {
  const builtin = ["search_person"];
  const kurisu = new TestGateway({ place: await createStorePlace("sqlite"), members: ["alice", "mallory"], builtin });
  const safe = [...effectRules.permissions.safe, ...builtin];
  kurisu.rules.current = { ...effectRules, permissions: { ...effectRules.permissions, safe } };
  let seen = "";
  kurisu.model.script = ({ results, text }) => {
    seen = JSON.stringify(results);
    return results.length === 0 && text.includes("search")
      ? { calls: [{ name: "search_person", arguments: { person: "me" } }] }
      : { text: "ok" };
  };
  onTestFinished(() => kurisu.dispose());
  await kurisu.start();
  await kurisu.say("a secret of palomas", { user: "alice" });
  await kurisu.say("hello", { user: "mallory" });
  const link = (account: string, acts: boolean) =>
    saveLink(kurisu.store.main, { account, human: "one", acts, now: kurisu.clock.now() });
  await link("fake:alice", true);
  await link("fake:mallory", false);
  kurisu.clock.advance(1_000);
  await kurisu.say("search", { user: "mallory" });
  expect(seen).toContain("hello");
  expect(seen).not.toContain("palomas");
  await link("fake:mallory", true);
  kurisu.clock.advance(1_000);
  await kurisu.say("search again", { user: "mallory" });
  expect(seen).toContain("palomas");
});
