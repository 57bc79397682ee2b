import { onTestFinished, describe, expect, it } from "vitest";
import { hashJson } from "../../src/core/canonical-json.ts";
import type { JsonObject } from "../../src/core/conversation.ts";
import { insertGrant } from "../../src/store/queries/grants.ts";
import { createFileDeleteTool } from "../../src/features/work-tools/file-delete.ts";
import { createShellTool } from "../../src/features/work-tools/shell.ts";
import { defaultTerms } from "../../src/kernel/gate/approval-terms.ts";
import { versionOf, type PermissionRules } from "../../src/kernel/gate/permission.ts";
import { createOffSandbox } from "../../src/sandbox/open-sandbox.ts";
import type { Sandbox } from "../../src/sandbox/types.ts";
import type { Tool } from "../../src/kernel/tools/types.ts";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import { effectRules } from "../support/effect-tools.ts";
import { TestGateway } from "../support/gateway.ts";
import { sendAgents, testAgents } from "../support/send-agents.ts";
import type { Script, ScriptedAnswer } from "../support/scripted-model.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

type ScriptedCalls = NonNullable<ScriptedAnswer["calls"]>;

describe.each(listUsualEngines())("a grant on %s", (engine) => {
  /** The commands that ran. */
  let commands: string[];

  async function begin(rules: PermissionRules = effectRules): Promise<TestGateway> {
    const place = await createStorePlace(engine);
    commands = [];
    const off = createOffSandbox();
    const sandbox: Sandbox = {
      ...off,
      lastStatus: () => ({
        state: "ready",
        detail: "",
        engineVersion: "1",
        image: { name: "test", id: "sha256:1", sizeBytes: 1 },
        keepsContainers: false,
        hasBrowser: false,
      }),
      run(command) {
        commands.push(command.command);
        return off.run(command);
      },
    };
    const workspace = createWorkspace({ root: `${place.home}/workspaces`, trash: `${place.home}/trash` });
    const tools = [createShellTool({ sandbox, workspace }), createFileDeleteTool({ workspace })] as readonly Tool[];
    const kurisu = new TestGateway({ place, tools, agents: testAgents, members: ["alice", "bob"] });
    kurisu.rules.current = rules;
    await kurisu.start();
    onTestFinished(() => kurisu.dispose());
    return kurisu;
  }

  /** Also one that nobody could have given, as a fault elsewhere might write it. */
  async function plant(kurisu: TestGateway, tool: string, input: JsonObject, policy?: string): Promise<void> {
    const now = kurisu.clock.now();
    await insertGrant(kurisu.store.main, {
      id: `g_${tool}`,
      code: "G9",
      session: "fake:bot:owner",
      person: "fake:owner",
      personName: "owner",
      tool,
      pattern: { kind: "exact", hash: hashJson({ tool, input }) },
      policy: policy ?? versionOf(kurisu.rules.current),
      question: "q_1",
      givenBy: "fake:owner",
      turn: null,
      expiresAt: now + 3_600_000,
      createdAt: now,
    });
  }

  const uses = async (kurisu: TestGateway) =>
    (await kurisu.store.main.selectFrom("grants").select("uses").execute()).map((row) => row.uses);

  it("the grant covers an ordinary call", async () => {
    const kurisu = await begin();
    await plant(kurisu, "poke", { what: "a" });
    await kurisu.say("poke a");
    expect(kurisu.did()).toEqual(["a"]);
    expect(await uses(kurisu)).toEqual([1]);
  });

  const never: readonly { readonly name: string; readonly arguments: JsonObject; readonly parsed: JsonObject }[] = [
    { name: "file_delete", arguments: { path: "a.txt" }, parsed: { path: "a.txt" } },
    {
      name: "shell",
      arguments: { command: "rm a.txt" },
      parsed: { command: "rm a.txt", timeout: 30, cwd: ".", fresh: false },
    },
  ];
  it.each(never)("covers no $name, can not be given for one, and is not offered", async (call) => {
    const kurisu = await begin();
    kurisu.model.script = ({ results }) =>
      results.length > 0 ? { text: "好了。" } : { calls: [{ name: call.name, arguments: call.arguments }] };
    await kurisu.workspace.write("fake:bot:owner", "a.txt", "x", "write");
    await plant(kurisu, call.name, call.parsed);
    const isThere = async () => (await kurisu.workspace.readBytes("fake:bot:owner", "a.txt")).ok;
    await kurisu.say("清理一下");
    expect(kurisu.prompts()).toHaveLength(1);
    expect(kurisu.lastPrompt().text).not.toContain("30 分钟");
    for (const wish of ["确认 30分钟", "确认 本任务"]) {
      await kurisu.say(wish);
      expect(kurisu.lastText()).toContain("不能给一段时间的许可");
    }
    expect([await isThere(), commands, await uses(kurisu)]).toEqual([true, [], [0]]);
    expect(await kurisu.questions()).toHaveLength(1);
    await kurisu.say("确认");
    await kurisu.say("再清理一下");
    expect(kurisu.prompts()).toHaveLength(2);
    expect(await uses(kurisu)).toEqual([0]);
  });

  it("covers nothing in a turn that has read what strangers wrote, in this round or in those before", async () => {
    const kurisu = await begin();
    await plant(kurisu, "poke", { what: "a" });
    await kurisu.say("read_page x > peek y > poke a");
    expect(kurisu.did()).toEqual(["x", "y"]);
    await kurisu.say("确认 30分钟");
    expect(kurisu.lastText()).toContain("不能给一段时间的许可");
    await kurisu.say("取消");
    // What was read is still there.
    await kurisu.say("poke a");
    expect([kurisu.did(), await uses(kurisu)]).toEqual([["x", "y"], [0]]);
  });

  it("covers nothing under other rules than those it was given under", async () => {
    const kurisu = await begin();
    await plant(kurisu, "poke", { what: "a" }, "of-yesterday");
    await kurisu.say("poke a");
    expect([kurisu.did(), await uses(kurisu)]).toEqual([[], [0]]);
  });

  it.each([
    ["two people's yes", { votes: 2 }],
    ["an owner's yes", { approvers: ["owner"] }],
    ["somebody else's yes", { askerMayApprove: false }],
    ["a question in the owners' private chat", { ask: "owner" }],
  ] as const)("covers nothing that needs %s", async (_, terms) => {
    const approval = { ...defaultTerms, ...terms };
    const kurisu = await begin({ ...effectRules, rules: [{ tool: "poke", level: "confirm", approval }] });
    await plant(kurisu, "poke", { what: "a" });
    await kurisu.say("poke a");
    expect([kurisu.did(), await uses(kurisu)]).toEqual([[], [0]]);
  });

  describe("「确认 本任务」", () => {
    /** She pokes, then sends a worker, and what the worker does. */
    const send = (first: ScriptedCalls, task: string): Script =>
      sendAgents(({ results, text }) => {
        if (!text.startsWith("去")) return { text: "嗯。" };
        const sent = { name: "task", arguments: { description: task, agent_name: "worker" } };
        return [{ calls: first }, { calls: [sent] }, { calls: first }][results.length] ?? { text: "回来了。" };
      });
    const poke = { name: "poke", arguments: { what: "a" } };

    it("covers the sub-agents of the turn that asked, and no other turn's", async () => {
      const kurisu = await begin();
      kurisu.model.script = send([poke], "poke a > peek b > poke a");
      await kurisu.say("去");
      await kurisu.say("确认 本任务");
      expect(kurisu.did()).toEqual(["a", "a", "b", "a", "a"]);
      expect(kurisu.prompts()).toHaveLength(1);
      await kurisu.say("派 worker: poke a");
      expect(kurisu.prompts()).toHaveLength(2);
    });

    it("a grant given to a sub-agent's question covers the turn that sent it, also after a restart", async () => {
      const kurisu = await begin();
      kurisu.model.script = send([{ name: "peek", arguments: { what: "b" } }], "poke a > poke a > poke c > poke a");
      await kurisu.say("去");
      await kurisu.say("确认 本任务");
      expect(kurisu.did()).toEqual(["b", "a", "a"]);
      kurisu.model.script = send([poke], "poke a > poke a > poke c > poke a");
      await kurisu.restart();
      await kurisu.settle();
      await kurisu.say("确认");
      expect(kurisu.did()).toEqual(["b", "a", "a", "c", "a", "a"]);
      expect(kurisu.prompts().filter(({ text }) => text.includes("poke"))).toHaveLength(2);
    });

    it("covers no sub-agent that has read what strangers wrote", async () => {
      const kurisu = await begin();
      kurisu.model.script = send([poke], "read_page x > poke a");
      await kurisu.say("去");
      await kurisu.say("确认 本任务");
      expect(kurisu.did()).toEqual(["a", "x"]);
      expect(kurisu.prompts()).toHaveLength(2);
    });
  });
});
