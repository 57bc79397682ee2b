import { afterEach, describe, expect, it } from "vitest";
import { effectRules } from "../support/effect-tools.ts";
import { makeLeaving, makeMessage, type Said } from "../support/fake-channel.ts";
import { TestGateway } from "../support/gateway.ts";
import { createStorePlace, listEngines, type EngineName } from "../support/store-engines.ts";

const club = { group: true, chat: "club" } as const;
const minuteMs = 60_000;
const dayMs = 86_400_000;
const privately = (user: string): Said => ({ chat: user, user });

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

async function start(engine: EngineName): Promise<void> {
  kurisu = new TestGateway({
    place: await createStorePlace(engine),
    mentionOnly: true,
    observe: true,
    limits: { loop: 0 },
    members: ["alice", "bob"],
    builtin: ["search_by_keywords"],
  });
  const safe = [...effectRules.permissions.safe, "search_by_keywords"];
  kurisu.rules.current = { ...effectRules, permissions: { ...effectRules.permissions, safe } };
  kurisu.model.script = () => ({ text: "好。" });
  await kurisu.start();
}

/** How many messages with the word somebody finds. */
async function hits(said: Said, keyword: string): Promise<number> {
  kurisu.model.script = ({ results }) =>
    results.length === 0
      ? { calls: [{ name: "search_by_keywords", arguments: { keywords: [keyword] } }] }
      : { text: "看过了。" };
  await kurisu.say("查一下", said);
  kurisu.model.script = () => ({ text: "好。" });
  kurisu.clock.advance(minuteMs);
  const [result = "{}"] = kurisu.model.asked.at(-1)?.results ?? [];
  return (JSON.parse(result) as { output: { total_matches: number } }).output.total_matches;
}

describe.each(listEngines())("the chat log in private for a person who left a group, on %s:", (engine) => {
  it("shows them nothing there, until they speak in the group again", async () => {
    await start(engine);
    const beside: Said = { ...club, user: "bob", addressed: false };
    await kurisu.say("搬家那天下雨了", beside);
    await kurisu.say("搬家公司迟到了", { ...beside, user: "alice" });
    const topic = makeMessage("另一个话题也说搬家", beside);
    await kurisu.channel.deliver({ ...topic, address: { ...topic.address, thread: "2" } });
    await kurisu.say("搬家的事只跟你说", privately("bob"));
    kurisu.clock.advance(minuteMs);
    expect(await hits(privately("bob"), "搬")).toBe(4);

    const leaving = makeLeaving("bob", "club");
    // The platform may tell it twice, and of a group where nobody spoke.
    await kurisu.channel.deliver(leaving, leaving, { ...leaving, key: "again" }, makeLeaving("bob", "elsewhere"));
    await kurisu.restart();
    kurisu.clock.advance(minuteMs);
    expect(await hits(privately("bob"), "搬")).toBe(1);
    expect(await hits(privately("bob"), "公司")).toBe(0);
    expect(await hits(privately("alice"), "搬")).toBe(2);

    // A message from before that comes late makes nobody a reader again.
    kurisu.clock.advance(10 * minuteMs);
    const sentAt = kurisu.clock.now() - 60 * minuteMs;
    await kurisu.channel.deliver({ ...makeMessage("走之前说的搬家", beside), sentAt });
    await kurisu.settle();
    expect(await hits(privately("bob"), "搬")).toBe(1);
    expect(await hits(privately("alice"), "搬")).toBe(3);

    await kurisu.say("我又回来了", beside);
    expect(await hits(privately("bob"), "搬")).toBe(4);
  });

  it("ends some time after they last spoke there, left or not, and private talk stays", async () => {
    await start(engine);
    const beside: Said = { ...club, addressed: false };
    await kurisu.say("搬家那天下雨了", { ...beside, user: "bob" });
    await kurisu.say("搬家的事只跟你说", privately("bob"));
    kurisu.clock.advance(50 * dayMs);
    await kurisu.say("搬家公司迟到了", { ...beside, user: "alice" });
    kurisu.clock.advance(39 * dayMs);
    expect(await hits(privately("bob"), "搬")).toBe(3);
    kurisu.clock.advance(2 * dayMs);
    expect(await hits(privately("bob"), "搬")).toBe(1);
    expect(await hits(privately("alice"), "搬")).toBe(2);
    // In the group itself everybody reads along.
    expect(await hits({ ...club, user: "bob" }, "搬")).toBe(2);
    expect(await hits(privately("bob"), "搬")).toBe(3);
  });

  it("the log shows nothing to a person whose first words were heard after they had left", async () => {
    await start(engine);
    await kurisu.say("搬家公司迟到了", { ...club, user: "alice", addressed: false });
    const message = makeMessage("搬家要多久", { ...club, user: "bob" });
    await kurisu.channel.deliver(message, makeLeaving("bob", "club"));
    await kurisu.settle();
    kurisu.clock.advance(minuteMs);
    expect(await hits(privately("bob"), "搬")).toBe(0);
    expect(await hits(privately("alice"), "搬")).toBe(2);
  });
});
