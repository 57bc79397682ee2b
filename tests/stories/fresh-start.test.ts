import { statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import type { Finding } from "../../src/kernel/feature/finding.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { runOnce } from "../support/kurisu-process/run-once.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";

const offline = { KURISU_MODEL: "offline" };

describe("a fresh start without any key", () => {
  test("says in one screen what is on, what is not, and the remedy, and so does the doctor while she runs", async () => {
    const folder = createKurisuFolder();
    // Nothing of a model in the environment, and no Ollama where one would be looked for.
    const nothing = { OLLAMA_HOST: "http://127.0.0.1:9", DOCKER_HOST: "unix:///nowhere/docker.sock" };
    const kurisu = await startKurisu({ folder, environment: { OLLAMA_HOST: nothing.OLLAMA_HOST } });
    const screen = kurisu.stdout();
    expect(screen.trim().split("\n").length).toBeLessThanOrEqual(12);
    expect(screen).toContain(folder.home);
    expect(screen).toMatch(/模型\s+离线（按规则应答）.*kurisu setup.*OPENAI_API_KEY.*Ollama.*kurisu doctor/);
    expect(screen).toMatch(/telegram\s+关.*TELEGRAM_BOT_TOKEN.*docs\/channels\.zh-CN\.md/);
    expect(screen).toMatch(/沙箱\s+\S/);
    expect(screen).toMatch(/管理员\s+\S/);
    expect(screen).toContain(kurisu.url);
    expect(statSync(folder.home).mode & 0o777).toBe(0o700);
    const ready = (await (await fetch(`${kurisu.url}/readyz`)).json()) as Record<string, { state?: string }>;
    expect(ready).toMatchObject({ status: "ready", cli: { state: "ready" }, model: { state: "ready" } });

    const ask = async (...words: readonly string[]) => {
      const child = spawnKurisu(words, { folder, environment: nothing });
      await child.ended();
      return child.stdout().trim().split("\n");
    };
    const findings = (await ask("doctor", "--json")).map((line) => JSON.parse(line) as Finding);
    const find = (check: string) => findings.filter((finding) => finding.check === check);
    expect(find("model")).toEqual([
      {
        check: "model",
        state: "warning",
        detail: expect.stringMatching(/offline.*kurisu setup, or set OPENAI_API_KEY or ANTHROPIC/),
      },
    ]);
    expect(find("web search")).toMatchObject([{ state: "warning" }]);
    expect(find("telegram")).toMatchObject([
      { state: "warning", detail: expect.stringContaining("off. Set TELEGRAM_BOT_TOKEN") },
    ]);
    expect(find("sandbox")).toHaveLength(1);
    expect(find("store")).toMatchObject([{ state: "ok" }]);
    // Skills have the tools that she has.
    const skills = (await ask("skills", "list", "--json")).map((line) => JSON.parse(line) as Record<string, unknown>);
    const missing = (id: string) => skills.find((skill) => skill["id"] === id)?.["missing"];
    expect(missing("shell")).toEqual(dockerIsThere() ? undefined : ["tool shell"]);
    expect(missing("web-search")).toEqual(["tool web_search"]);
    expect(await kurisu.stop()).toEqual({ code: 0, signal: null });
  });

  test("the offline model answers in character, does what it is asked, and says what it is when that is asked", async () => {
    const folder = createKurisuFolder();
    const chat = spawnKurisu(["chat"], { folder, environment: offline, input: "你会什么\n现在几点？\n" });
    expect((await chat.ended()).code).toBe(0);
    const [first = "", second = ""] = chat.stdout().split(/(?=\d{4}年)/);
    expect(first).toMatch(/没接真正的模型/);
    expect(first).toMatch(/「读 notes\.txt」/);
    expect(second).toMatch(/\d{1,2}[:：点]/);
    expect(second).not.toMatch(/OPENAI_API_KEY|Ollama/);
    expect(chat.stdout()).not.toMatch(/作为(?:一个)?(?:AI|人工智能)|language model/i);
  });
});

describe.runIf(dockerIsThere())("the offline model drives the real tools", () => {
  test("a command: asked, confirmed by a second process, run once in a container that can do little", async () => {
    const folder = createKurisuFolder();
    const probe = "id -u; cat /sys/class/net/*/address; touch /usr/x || echo locked; echo ran >> effect.txt";
    const asked = await runOnce(`运行 ${probe}`, { folder, environment: offline });
    expect(asked.code).toBe(3);
    expect(asked.approval?.calls).toEqual([{ tool: "shell", summary: probe }]);
    expect(folder.workspaces()).toEqual([]);
    const done = await runOnce("确认", { folder, environment: offline });
    expect(done.code).toBe(0);
    expect(done.reply).toContain("locked");
    expect(done.reply).toMatch(/\n(?:1000|\d{3,})\n/);
    expect(done.reply, "no network but the loopback").not.toMatch(/(?:[1-9a-f][0-9a-f]|[0-9a-f][1-9a-f]):[0-9a-f]{2}:/);
    expect(folder.workspaceLines("effect.txt")).toEqual(["ran"]);
  });
});
