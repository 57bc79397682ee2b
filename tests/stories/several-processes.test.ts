// full: several starts of the program on one Postgres database
import { describe, expect, it } from "vitest";
import type { NodeRole } from "../../src/store/engines/open-cluster.ts";
import { fileScript } from "../support/kurisu-process/file-script.ts";
import { lastWords } from "../support/kurisu-process/scripted-model.ts";
import { openNodes, people } from "../support/kurisu-process/open-nodes.ts";
import { owner, startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { testLimitMs } from "../support/patience.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait-until.ts";

describe.runIf(postgresIsThere())("several processes on one database", () => {
  it(
    "answer everything once and in order while a gateway and a worker are killed, and a worker is frozen",
    { timeout: 2 * testLimitMs },
    async () => {
      const nodes = await openNodes();
      const { story } = nodes;
      const gateway = await nodes.start("gateway");
      const standby = await nodes.start("gateway");
      const doomed = await nodes.start("worker");
      const frozen = await nodes.start("worker");
      nodes.sayAll(1, 2);
      await waitUntil("turns of both workers", () => story.model.requests.length >= 4);
      for (const node of [doomed, gateway]) await node.crash();
      await nodes.hearAll(1, 2);

      const second = await nodes.start("worker");
      nodes.sayAll(3);
      await waitUntil("turns of both workers", () => story.model.requests.length >= 3 * people.length - 2);
      frozen.kill("SIGSTOP");
      await nodes.hearAll(1, 2, 3);
      frozen.kill("SIGCONT");

      nodes.sayAll(4);
      await nodes.hearAll(1, 2, 3, 4);
      const readMetrics = async () => (await fetch(`${standby.url}/metrics`)).text();
      expect(await readMetrics()).toContain('kurisu_claims_taken_total{after_silence="true"} 1\n');
      // The worker that was frozen counts again from its next sign of life.
      await waitUntil("three living processes", async () => /^kurisu_cluster_nodes 3$/m.test(await readMetrics()));
      await story.quiet();
      for (const node of [standby, frozen, second]) expect((await node.stop()).code).toBe(0);
    },
  );

  it("show a running turn and fetch a person's file by the one that is connected to the platform", async () => {
    const words = "Upa 在里面。".repeat(70);
    const story = await startTelegramStory({
      engine: "postgres",
      chunkMs: 100,
      script: (request) => (/慢慢说/.test(lastWords(request)) ? { content: words } : fileScript(request)),
    });
    const start = async (role: NodeRole, environment: Readonly<Record<string, string>> = {}) =>
      story.start({ role, environment: { KURISU_HOME: await createTemporaryFolder(), ...environment } });
    const gateway = await start("gateway");
    // This one could not reach the platform by itself.
    const worker = await start("worker", { TELEGRAM_API_ROOT: "http://127.0.0.1:1" });
    expect(gateway.stdout()).toMatch(/进程 +只连平台，回答归 worker；[\s\S]+沙箱 +这里不用：命令由 worker 执行/);
    expect(worker.stdout()).toMatch(/进程 +只回答，平台归 gateway；这个数据库上共 2 个/);
    story.sendFile({ content: Buffer.from("明天十二点。"), name: "notes.txt", caption: "读一下" });
    await story.hear("上面写着：明天十二点。");

    const group = { chat: -100_1, from: { id: owner, name: "冈部" } };
    story.say("/pair@kurisu_test_bot", group);
    await story.hear(/这个群开启了/, group);
    story.say("@kurisu_test_bot 慢慢说", group);
    await story.hear(words, group);
    expect(story.fake.callsOf("editMessageText").length).toBeGreaterThan(1);
    expect(story.fake.callsOf("sendChatAction")).not.toEqual([]);
    expect(story.fake.callsOf("setMessageReaction")).not.toEqual([]);
    expect(story.said(group.chat).filter((text) => text.includes("Upa"))).toEqual([words]);
    await story.quiet();
    for (const node of [gateway, worker]) expect((await node.stop()).code).toBe(0);
  });
});
