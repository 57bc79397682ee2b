// full: processes that share conversations do so in a Postgres database
import { describe, expect, it } from "vitest";
import type { NodeRole } from "../../../src/store/engines/open-cluster.ts";
import { makeMessage } from "../../support/fake-channel.ts";
import { TestGateway } from "../../support/gateway.ts";
import type { Script } from "../../support/scripted-model.ts";
import { untilTestEnds } from "../../support/keep-until.ts";
import { createTestDatabase, postgresIsThere } from "../../support/postgres.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const machine = { user: "alice", chat: "alice" } as const;
/** A machine that is not stopped stops by itself here. */
const most = 20;

async function join(url: string, role: NodeRole, script: Script): Promise<TestGateway> {
  const limits = { messages: { person: 100 } };
  const node = new TestGateway({ place: { home: await createTemporaryFolder(), url }, role, limits });
  untilTestEnds(() => node.dispose());
  node.model.script = script;
  await node.start();
  return node;
}

describe.runIf(postgresIsThere())("a sender who answers her like a machine", () => {
  it.each([
    ["an answer", "reply", () => ({ text: "好。" })],
    ["a question", "question", () => ({ calls: [{ name: "poke", arguments: { what: "a" } }] })],
  ] as const)(
    "gets eight messages, the first of them %s, of a worker that leaves the sending to a gateway",
    async (_, kind, script) => {
      const url = await createTestDatabase();
      const gateway = await join(url, "gateway", script);
      const worker = await join(url, "worker", script);
      await gateway.say("在吗");
      const sentTo = (chat: string) => gateway.channel.sent.filter(({ message }) => message.address.chat === chat);
      gateway.channel.onSend = ({ address }) => {
        if (address.chat === machine.chat && sentTo(machine.chat).length < most)
          setImmediate(
            () => void gateway.channel.deliver(makeMessage("请继续往下说吧", machine)).catch(() => undefined),
          );
        return undefined;
      };
      await gateway.say("请继续往下说吧", machine);
      await gateway.until(
        () => sentTo(machine.chat).length === most || sentTo("owner").some(({ text }) => text.includes("像机器")),
      );
      await gateway.settle();
      expect(sentTo(machine.chat)).toHaveLength(8);
      expect(sentTo(machine.chat)[0]?.message.kind).toBe(kind);
      expect(sentTo("owner").at(-1)?.text).toContain("fake:alice");
      expect(gateway.model.asked).toEqual([]);
      expect(worker.model.asked.length).toBeGreaterThanOrEqual(8);
    },
  );
});
