import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestGateway } from "../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

describe.each(listUsualEngines())("a question on %s", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine) });
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  it("a question is shown once, in the chat it comes from, and in no other open chat", async () => {
    const others = [
      { user: "owner", chat: "owner" },
      { user: "bob", chat: "bob" },
      { user: "owner", chat: "hall", group: true },
      { user: "alice", chat: "alice" },
    ];
    for (const said of others) await kurisu.say("你好", said);
    await kurisu.say("poke secret", { user: "alice", chat: "room", group: true });
    expect(kurisu.prompts().map(({ message }) => message.address.chat)).toEqual(["room"]);
    await kurisu.restart();
    await kurisu.settle();
    const elsewhere = kurisu.channel.sent.filter(({ message }) => message.address.chat !== "room");
    expect(elsewhere.filter(({ text }) => /secret|poke/.test(text))).toEqual([]);
    expect(kurisu.prompts()).toHaveLength(1);
    for (const said of others.slice(0, 3)) await kurisu.say("确认", said);
    expect(kurisu.did()).toEqual([]);
  });

  it("a question that the platform refuses for good is tried once, and nothing runs", async () => {
    let tries = 0;
    kurisu.channel.onSend = ({ kind }) => {
      if (kind !== "question") return undefined;
      tries += 1;
      return { kind: "refused", reason: "400: the chat is gone" };
    };
    await kurisu.say("poke a", { user: "alice", chat: "alice" });
    kurisu.clock.advance(3_600_000);
    await kurisu.restart();
    await kurisu.settle();
    expect(tries).toBe(1);
    expect(kurisu.did()).toEqual([]);
  });
});
