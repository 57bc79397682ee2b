// full: several starts of the program on one Postgres database
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { NodeRole } from "../../src/store/engines/open-cluster.ts";
import { lastWords } from "../support/kurisu-process/scripted-model.ts";
import type { RunningKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait-until.ts";

const people = [5001, 5002, 5003, 5004, 5005, 5006];
const answerMs = 1_500;

interface Nodes {
  readonly story: TelegramStory;
  start(role: NodeRole): Promise<RunningKurisu>;
  /** Everybody says this number. */
  sayAll(...numbers: readonly number[]): void;
  /** Everybody has these answers, in order and once. */
  hearAll(...numbers: readonly number[]): Promise<void>;
}

async function openNodes(): Promise<Nodes> {
  const story = await startTelegramStory({
    engine: "postgres",
    environment: { KURISU_OWNERS: people.map((id) => `telegram:${id}`).join(",") },
    async script(request) {
      await pause(answerMs);
      return { content: `第 ${/\d+/.exec(lastWords(request))?.[0]} 条收到。` };
    },
  });
  const heardBy = (chat: number) => story.said(chat).flatMap((text) => /^第 (\d+) 条收到。$/.exec(text)?.[1] ?? []);
  return {
    story,
    start: async (role) => story.start({ role, environment: { KURISU_HOME: await createTemporaryFolder() } }),
    sayAll(...numbers) {
      for (const number of numbers)
        for (const id of people) story.say(`这是 ${number}`, { chat: id, from: { id, name: "冈部" } });
    },
    async hearAll(...numbers) {
      const wanted = JSON.stringify(numbers.map(String));
      const isComplete = () => people.every((id) => heardBy(id).length >= numbers.length);
      await waitUntil(`${numbers.length} answers in every chat`, isComplete);
      for (const id of people) expect(JSON.stringify(heardBy(id))).toBe(wanted);
    },
  };
}

describe.runIf(postgresIsThere())("several processes on one database", () => {
  it("answer everything once and in order while a worker is killed, a worker is frozen and a gateway is killed", async () => {
    const nodes = await openNodes();
    const gateway = await nodes.start("gateway");
    const standby = await nodes.start("gateway");
    const doomed = await nodes.start("worker");
    const frozen = await nodes.start("worker");
    nodes.sayAll(1, 2);
    await waitUntil("turns", () => nodes.story.model.requests.length >= 4);
    doomed.kill("SIGKILL");
    await doomed.ended();
    await nodes.hearAll(1, 2);

    const second = await nodes.start("worker");
    nodes.sayAll(3);
    await waitUntil("turns", () => nodes.story.model.requests.length >= 16);
    frozen.kill("SIGSTOP");
    await nodes.hearAll(1, 2, 3);
    frozen.kill("SIGCONT");

    gateway.kill("SIGKILL");
    await gateway.ended();
    nodes.sayAll(4);
    await nodes.hearAll(1, 2, 3, 4);
    const metrics = await (await fetch(`${standby.url}/metrics`)).text();
    expect(metrics).toContain('kurisu_claims_taken_total{after_silence="true"} 1\n');
    expect(metrics).toMatch(/^kurisu_cluster_nodes [34]$/m);
    await nodes.story.quiet();
    for (const node of [standby, frozen, second]) expect((await node.stop()).code).toBe(0);
  });
});
