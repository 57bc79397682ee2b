// full: needs a container engine
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { loadSkillRegistry } from "../../../src/features/skills/skill-registry.ts";
import { createShellTool } from "../../../src/features/work-tools/shell.ts";
import type { Sandbox, SandboxCommand } from "../../../src/sandbox/types.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { createWorkspace } from "../../../src/workspace/create-workspace.ts";
import { requireDocker } from "../../support/docker.ts";
import { effectRules } from "../../support/effect-tools.ts";
import { createEgressBench, relayIsThere, startEgressSite, type EgressBench } from "../../support/egress-bench.ts";
import { makeMessage } from "../../support/fake-channel.ts";
import { codeOf, TestGateway } from "../../support/gateway.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { createTestSandbox } from "../../support/test-sandbox.ts";

const listed = "[public.test-site.net:8080, '*.example.org']";

describe.runIf(await relayIsThere())("a skill that names hosts", () => {
  let kurisu: TestGateway;
  let way: EgressBench;
  let skills: string;
  let commands: SandboxCommand[];
  let isOn: boolean;

  /** Writes the skill anew; the next message or yes finds it changed, as by a saved file. */
  function writeSkill(network: string): void {
    const text = `id: site
name: 站点
version: 1.0.0
type: tool
trigger: { keywords: [站点] }
context: 用 curl。
tools: { builtin: [shell], network: ${network} }
`;
    writeFileSync(join(skills, "site", "skill.yaml"), text);
  }

  beforeEach(async () => {
    isOn = true;
    commands = [];
    way = await createEgressBench();
    skills = await createTemporaryFolder();
    mkdirSync(join(skills, "site"));
    writeSkill(listed);
    const { sandbox } = createTestSandbox({ docker: requireDocker(), egress: way.egress });
    await sandbox.status();
    const watched: Sandbox = {
      ...sandbox,
      run(command) {
        commands.push(command);
        return sandbox.run(command);
      },
    };
    const home = await createTemporaryFolder();
    const workspace = createWorkspace({ root: join(home, "workspaces") });
    kurisu = new TestGateway({
      place: { home },
      tools: [createShellTool({ sandbox: watched, workspace }) as Tool],
      skillRegistry() {
        const loaded = loadSkillRegistry({ folder: skills, environment: {} });
        if (loaded.kind === "faulty") throw new Error(JSON.stringify(loaded.faults));
        return loaded.registry;
      },
      hostsAllowed: () => isOn,
    });
    kurisu.rules.current = { ...effectRules, permissions: { ...effectRules.permissions, confirm: ["shell"] } };
    kurisu.model.script = ({ text, results }) => {
      const [, command] = /运行 (.*)$/.exec(text) ?? [];
      if (command !== undefined && results.length === 0) return { calls: [{ name: "shell", arguments: { command } }] };
      return { text: `结果：${results.join(" ")}` };
    };
    await kurisu.start();
    onTestFinished(() => sandbox.stop());
  });
  afterEach(() => kurisu.dispose());

  const fetchSite = "curl -sS -m 5 http://public.test-site.net:8080/";
  const startSite = () => startEgressSite((_, response) => response.end("hello from the site"));

  it("lets a command reach them after a question that names them, and tells what was refused", async () => {
    const site = await startSite();
    await kurisu.say(`看看站点，运行 ${fetchSite}; curl -s https://evil.test-site.net/; true`);
    expect(kurisu.lastPrompt().text).toContain("网络只通到下面列的主机");
    expect(kurisu.lastPrompt().text).toContain("这条命令可以访问：*.example.org、public.test-site.net:8080。");
    expect(site.connections()).toBe(0);
    expect(kurisu.model.asked[0]?.context).toContain("`shell` can reach *.example.org, public.test-site.net:8080 ");
    await kurisu.say("确认");
    expect(kurisu.lastText("reply")).toContain("hello from the site");
    expect(kurisu.lastText("reply")).toContain('"network":{"refused":["evil.test-site.net:443"]}');
    expect(site.requests).toHaveLength(1);
    expect(commands.map(({ network }) => network)).toEqual([["*.example.org", "public.test-site.net:8080"]]);
    expect(way.folders()).toEqual([]);
    // What a host wrote is nothing that the person said.
    const turn = await kurisu.store.main.selectFrom("messages").select(["role", "taint"]).execute();
    expect(turn.filter(({ role }) => role === "tool").map(({ taint }) => taint)).toEqual(["untrusted"]);
  });

  it("gives nothing to a turn that does not call for it", async () => {
    const site = await startSite();
    await kurisu.say(`运行 ${fetchSite} || echo none`);
    expect(kurisu.lastPrompt().text).toContain("没有网络");
    expect(kurisu.lastPrompt().text).not.toContain("可以访问");
    await kurisu.say("确认");
    expect(kurisu.lastText("reply")).toContain("none");
    expect(commands.map(({ network }) => network)).toEqual([undefined]);
    expect(site.connections()).toBe(0);
  });

  it.each([
    ["grew", () => writeSkill("[public.test-site.net:8080, '*.example.org', evil.test-site.net]")],
    ["shrank", () => writeSkill("[public.test-site.net:8080]")],
    ["was emptied", () => writeSkill("[]")],
    ["was switched off by the operator", () => (isOn = false)],
  ])("nothing runs when the list of hosts %s between the question and the approval", async (_, change) => {
    const site = await startSite();
    await kurisu.say(`看看站点，运行 ${fetchSite}`);
    change();
    await kurisu.say("确认");
    expect(kurisu.lastText("reply")).toContain("The hosts this call may reach changed");
    expect(commands).toEqual([]);
    expect(site.connections()).toBe(0);
  });

  it("asks also where the rules would let commands run at once, with hosts and without", async () => {
    const { permissions } = effectRules;
    kurisu.rules.current = { ...effectRules, permissions: { ...permissions, safe: [...permissions.safe, "shell"] } };
    await kurisu.say("运行 echo at once");
    expect(kurisu.prompts()).toHaveLength(1);
    await kurisu.say("确认");
    expect(kurisu.lastText("reply")).toContain("at once");
    await kurisu.say(`看看站点，运行 ${fetchSite}`);
    expect(kurisu.lastPrompt().text).toContain("这条命令可以访问：");
    await kurisu.say("取消");
    expect(commands).toHaveLength(1);
  });

  it("the preview runs without a network, and the approval still runs the call with one", async () => {
    const site = await startSite();
    await kurisu.say(`看看站点，运行 ${fetchSite} > page || echo none > page`);
    await kurisu.channel.deliver(makeMessage("预览"));
    await kurisu.until(() => kurisu.channel.sent.some(({ message }) => message.id.endsWith(".preview")));
    await kurisu.settle();
    expect(kurisu.channel.sent.at(-1)?.text).toContain("+none");
    expect(commands.map(({ network }) => network)).toEqual([undefined]);
    expect(site.connections()).toBe(0);
    await kurisu.say("确认");
    expect(site.requests).toHaveLength(1);
  });

  it("asks again with the same hosts for 「重来」", async () => {
    const site = await startSite();
    await kurisu.say(`看看站点，运行 ${fetchSite}`);
    await kurisu.say("/stop");
    await kurisu.say("重来");
    expect(kurisu.lastPrompt().text).toContain("这条命令可以访问：*.example.org、public.test-site.net:8080。");
    await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`);
    expect(site.requests).toHaveLength(1);
  });
});
