import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { relayIsThere } from "../support/egress-bench.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { listSessionContainers } from "../support/session-containers.ts";

const skill = `id: site
name: 站点
version: 1.0.0
type: tool
trigger: { keywords: [运行] }
context: 用 curl。
tools: { network: [files.kurisu-story.example.net, pypi.org:443] }
`;

describe.runIf(await relayIsThere())("a skill of the operator's that names hosts", () => {
  test("the question names the hosts and a command reaches no others; switched off it reaches none and no question names them", async () => {
    const story = await startTelegramStory({ files: { "skills/site/skill.yaml": skill } });
    const { home } = story.folder;
    const first = await story.start();
    const curl = "curl -s -m 5 -o /dev/null -w '%{http_code}\\n' http://169.254.169.254/ >> effect.txt";
    story.say(`运行 ${curl}`);
    const card = await story.hearQuestion();
    expect(card.text).toContain("这条命令可以访问：files.kurisu-story.example.net、pypi.org:443。");
    story.say("确认");
    await story.hear("好了，我看过结果了。");
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["403"]);
    expect(readdirSync(join(home, "egress"))).toEqual([]);

    // A yes to a question of before does not outlive the switch.
    story.say(`运行 ${curl}`);
    const asked = await story.hearQuestion();
    expect((await first.stop()).code).toBe(0);
    story.folder.configure("system/sandbox.yaml", "network: off\n");
    const second = await story.start();
    story.say(`确认 ${asked.code}`);
    await story.quiet();
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["403"]);
    story.say(`运行 ${curl}`);
    const without = await story.hearQuestion();
    expect(without.text).toContain("没有网络");
    expect(without.text).not.toContain("可以访问");
    story.say(`确认 ${without.code}`);
    await expect.poll(() => story.folder.workspaceLines("effect.txt")).toEqual(["403", "000"]);
    expect((await second.stop()).code).toBe(0);
  });

  test("leaves no container and no socket behind when the gateway is killed under its command", async () => {
    const story = await startTelegramStory({ files: { "skills/site/skill.yaml": skill } });
    const egress = join(story.folder.home, "egress");
    const first = await story.start();
    story.say("运行 echo begun >> effect.txt; exec sleep 300");
    await story.hearQuestion();
    story.say("确认");
    await expect.poll(() => story.folder.workspaceLines("effect.txt")).toEqual(["begun"]);
    expect(readdirSync(egress)).toHaveLength(1);
    await first.crash();
    const second = await story.start();
    await story.quiet();
    expect(existsSync(egress)).toBe(false);
    expect(await listSessionContainers(story.folder.home)).toEqual([]);
    expect((await second.stop()).code).toBe(0);
  });
});
