// full: processes that share conversations do so in a Postgres database
import { describe, expect, it } from "vitest";
import type { NodeRole } from "../../src/store/engines/open-cluster.ts";
import { makeMessage } from "../support/fake-channel.ts";
import { TestGateway } from "../support/gateway.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { createTestDatabase, postgresIsThere } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/** Processes of one database, started one after the other. */
async function startBeside(...roles: readonly NodeRole[]): Promise<readonly TestGateway[]> {
  const url = await createTestDatabase();
  const nodes: TestGateway[] = [];
  for (const role of roles) nodes.push(await join(url, role));
  return nodes;
}

async function join(url: string, role: NodeRole): Promise<TestGateway> {
  const node = new TestGateway({ place: { home: await createTemporaryFolder(), url }, role });
  untilTestEnds(() => node.dispose());
  await node.start();
  return node;
}

const textsOf = (node: TestGateway, chat: string) =>
  node.channel.sent.filter(({ message }) => message.address.chat === chat).map(({ text }) => text);
const askedBy = (nodes: readonly TestGateway[]) => nodes.reduce((sum, { model }) => sum + model.asked.length, 0);
const chats = Array.from({ length: 12 }, (_, index) => `chat-${index}`);

describe.runIf(postgresIsThere())("processes of one database", () => {
  it("answer every message once and in the order of its chat", async () => {
    const [gateway, one, other] = (await startBeside("gateway", "worker", "worker")) as [
      TestGateway,
      TestGateway,
      TestGateway,
    ];
    for (const number of [1, 2, 3])
      for (const chat of chats) await gateway.channel.deliver(makeMessage(`say ${number}`, { chat, user: "alice" }));
    await gateway.settle();
    for (const chat of chats) expect(textsOf(gateway, chat)).toHaveLength(3);
    expect(askedBy([gateway])).toBe(0);
    expect(askedBy([one, other])).toBe(36);
    expect(one.model.asked.length).toBeGreaterThan(0);
    expect(other.model.asked.length).toBeGreaterThan(0);
  });
});
