// full: needs a container engine
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dockerIsThere, requireDocker } from "../../support/docker.ts";
import { effectRules } from "../../support/effect-tools.ts";
import { TestGateway } from "../../support/gateway.ts";

describe.runIf(dockerIsThere())("a command that goes on after its answer", () => {
  let kurisu: TestGateway;

  beforeEach(async () => {
    kurisu = new TestGateway({ hasSandbox: true });
    const { permissions } = effectRules;
    const safe = [...permissions.safe, "shell_output"];
    kurisu.rules.current = { ...effectRules, permissions: { ...permissions, safe, confirm: ["shell"] } };
    kurisu.model.script = ({ text, results }) => {
      const [, command] = /运行 (.*)$/.exec(text) ?? [];
      const [, id] = /看 (\S+)$/.exec(text) ?? [];
      if (results.length > 0) return { text: `结果：${results.join(" ")}` };
      if (command !== undefined) return { calls: [{ name: "shell", arguments: { command, follow: true } }] };
      if (id !== undefined) return { calls: [{ name: "shell_output", arguments: { id, wait: 20 } }] };
      return { text: "好。" };
    };
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const start = async (command: string): Promise<string> => {
    await kurisu.say(`运行 ${command}`);
    await kurisu.say("确认");
    return /cmd_[0-9a-f]{8}/.exec(kurisu.lastText("reply"))?.[0] ?? "";
  };
  const countRunning = async (): Promise<number> => {
    const containers = await requireDocker().listContainers({ filters: { label: ["kurisu.sandbox=1"] } });
    return containers.filter(({ Mounts }) => Mounts.some(({ Source }) => Source?.startsWith(kurisu.place.home))).length;
  };

  it("asks with its whole time, runs on, and is read without another question", async () => {
    await kurisu.say("运行 echo one; sleep 4; echo two");
    expect(kurisu.lastPrompt().text).toContain("[goes on in the background]");
    expect(kurisu.lastPrompt().text).toContain("最多 600 秒");
    expect(kurisu.lastPrompt().text).toContain("命令还会在后台接着跑，最多 10 分钟；/stop 结束它。");
    await kurisu.say("确认");
    expect(kurisu.lastText("reply")).toContain(String.raw`"output":"one\n","running":true`);
    const id = /cmd_[0-9a-f]{8}/.exec(kurisu.lastText("reply"))?.[0] ?? "";
    await kurisu.say(`看 ${id}`);
    expect(kurisu.lastText("reply")).toContain(String.raw`"output":"two\n","running":false,"exit_code":0`);
    expect(kurisu.prompts()).toHaveLength(1);
  });

  it.each([
    ["/stop", "停"],
    ["/new", "从头开始"],
    ["/stop all", "停"],
  ])("ends with %s", async (words, told) => {
    const id = await start("exec sleep 300");
    expect(id).not.toBe("");
    await kurisu.say(words);
    expect(kurisu.lastText()).toContain(told);
    if (words === "/stop all") await kurisu.say("/resume");
    await kurisu.say(`看 ${id}`);
    expect(kurisu.lastText("reply")).toContain("It was stopped with");
    await expect.poll(countRunning).toBe(0);
  });

  it("ends when the sandbox is switched off", async () => {
    expect(await start("exec sleep 300")).not.toBe("");
    expect(await countRunning()).toBe(1);
    await kurisu.switchSandboxOff();
    await expect.poll(countRunning).toBe(0);
  });

  it("ends with the process, and the next one says so", async () => {
    const id = await start("exec sleep 300");
    expect(await countRunning()).toBe(1);
    await kurisu.restart();
    await expect.poll(countRunning).toBe(0);
    await kurisu.say(`看 ${id}`);
    expect(kurisu.lastText("reply")).toContain("it was ended with a restart");
  });
});
