// full: processes that share conversations do so in a Postgres database
import { describe, expect, it } from "vitest";
import type { NodeRole } from "../../src/store/engines/open-cluster.ts";
import { makeMessage } from "../support/fake-channel.ts";
import { pressOf, TestGateway } from "../support/gateway.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { obeyWords } from "../support/obey-words.ts";
import { createTestDatabase, postgresIsThere } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

async function join(url: string, role: NodeRole): Promise<TestGateway> {
  // One worker may happen to get all messages of a person.
  const limits = { messages: { person: 100 } };
  const node = new TestGateway({ place: { home: await createTemporaryFolder(), url }, role, limits });
  untilTestEnds(() => node.dispose());
  await node.start();
  return node;
}

async function startThree(): Promise<readonly [TestGateway, TestGateway, TestGateway]> {
  const url = await createTestDatabase();
  return [await join(url, "gateway"), await join(url, "worker"), await join(url, "worker")];
}

/** Its model answers once that has come, or the turn is aborted. */
function hold({ model }: TestGateway, until: Promise<void>): void {
  model.script = async (view) => {
    const { signal } = view.request;
    await Promise.race([until, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
    return obeyWords(view);
  };
}

const textsOf = (node: TestGateway, chat: string) =>
  node.channel.sent.filter(({ message }) => message.address.chat === chat).map(({ text }) => text);
const askedBy = (nodes: readonly TestGateway[]) => nodes.reduce((sum, { model }) => sum + model.asked.length, 0);
const chats = Array.from({ length: 12 }, (_, index) => `chat-${index}`);

describe.runIf(postgresIsThere())("processes of one database", () => {
  it("answer every message once and in the order of its chat", async () => {
    const [gateway, one, other] = await startThree();
    for (const number of [1, 2, 3])
      for (const chat of chats) await gateway.channel.deliver(makeMessage(`say ${number}`, { chat, user: "alice" }));
    await gateway.settle();
    for (const chat of chats) {
      const said = textsOf(gateway, chat).map((text) => /say (\d)/.exec(text)?.[1]);
      expect(said).toEqual(["1", "2", "3"]);
    }
    expect(askedBy([gateway])).toBe(0);
    expect(askedBy([one, other])).toBe(36);
    expect(Math.min(askedBy([one]), askedBy([other]))).toBeGreaterThan(0);
  });

  it("leave the turns alone that another one runs when they start", async () => {
    const url = await createTestDatabase();
    const gateway = await join(url, "gateway");
    const running = await join(url, "worker");
    const goOn = Promise.withResolvers<void>();
    hold(running, goOn.promise);
    for (const chat of chats.slice(0, 4)) await gateway.channel.deliver(makeMessage("hello", { chat, user: "alice" }));
    await gateway.until(() => askedBy([running]) === 4);
    const later = await join(url, "worker");
    goOn.resolve();
    await gateway.settle();
    expect(askedBy([running, later])).toBe(4);
    for (const chat of chats.slice(0, 4)) expect(textsOf(gateway, chat)).toHaveLength(1);
  });

  it("carry on an approved turn wherever the approval was given", async () => {
    const [gateway, one, other] = await startThree();
    await gateway.channel.deliver(makeMessage("poke a", { chat: "alice", user: "alice" }));
    await gateway.until(() => gateway.prompts().length === 1);
    await gateway.channel.deliver(pressOf(gateway.lastPrompt(), "approve", { chat: "alice", user: "alice" }));
    await gateway.until(() => gateway.lastText("reply").includes("1 件里成了 1 件"));
    expect([...one.did(), ...other.did()]).toEqual(["a"]);
  });

  it("stop what they run when another one pauses everything, and go on when it ends the pause", async () => {
    const [gateway, one, other] = await startThree();
    for (const node of [one, other]) hold(node, new Promise(() => undefined));
    await gateway.channel.deliver(makeMessage("hello", { chat: "alice", user: "alice" }));
    await gateway.until(() => askedBy([one, other]) === 1);
    expect(await gateway.gateway.system.pause("login")).toBe(true);
    await gateway.settle();
    for (const { model } of [one, other]) model.script = obeyWords;
    await gateway.channel.deliver(makeMessage("still there?", { chat: "alice", user: "alice" }));
    await gateway.settle();
    expect(askedBy([one, other])).toBe(1);
    expect(await gateway.gateway.system.resume("login", false)).toBe(1);
    await gateway.until(() => gateway.lastText("reply").includes("still there?"));
    expect(askedBy([one, other])).toBe(2);
  });
});
