import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadSubAgents, narrowSubAgents } from "../../../src/features/sub-agents/load-sub-agents.ts";
import { createModelTiers } from "../../../src/models/model-tiers.ts";
import { formatModelReference, type ModelReference } from "../../../src/models/model-reference.ts";
import type { Models } from "../../../src/models/types.ts";
import { formatFault } from "../../../src/core/yaml-file.ts";
import { ConfigFolder } from "../../support/config-folder.ts";

const root = join(import.meta.dirname, "../../..");
const shipped = loadSubAgents(join(root, "config/agents"), {});

describe("the sub-agents that come with Kurisu", () => {
  it("docs/tools.md lists the shipped sub-agents with the same tools and models", () => {
    expect(shipped.faults).toEqual([]);
    const section = readFileSync(join(root, "docs/tools.md"), "utf8")
      .split(/^## /m)
      .find((part) => part.startsWith("Sub-agents"));
    const rows = [...(section ?? "").matchAll(/^\| `([\w-]+)` \| ([^|]+) \| (\w+) \|/gm)];
    const written = rows.map(([, id, tools = "", model]) => ({ id, tools: tools.split(", "), model }));
    const loaded = shipped.agents.map(({ id, tools, model }) => ({ id, tools, model }));
    expect(written.toSorted((a, b) => (a.id ?? "").localeCompare(b.id ?? ""))).toEqual(loaded);
  });

  it("name their schema in the first line", () => {
    for (const { id } of shipped.agents) {
      const [first] = readFileSync(join(root, `config/agents/${id}.yaml`), "utf8").split("\n");
      expect(first).toBe("# yaml-language-server: $schema=../schema/agent.schema.json");
    }
  });
});

describe("config/agents", () => {
  const good = "description: { zh: 一, en: one }\nprompt: Do it.\ntools: [ReadFile, mcp__a__*]\n";

  function load(files: Readonly<Record<string, string>>) {
    const folder = new ConfigFolder();
    onTestFinished(() => folder.remove());
    for (const [name, text] of Object.entries(files)) folder.write(name, text);
    const { agents, faults } = loadSubAgents(join(folder.path, "agents"), {});
    return { agents, faults: faults.map((fault) => formatFault(fault).slice(folder.path.length + 1)) };
  }

  it("gives defaults and understands the names other agents have for tools", () => {
    const { agents, faults } = load({ "agents/one.yaml": good });
    expect(faults).toEqual([]);
    expect(agents).toMatchObject([
      { id: "one", tools: ["file_read", "mcp__a__*"], exclude: [], model: "inherit", rounds: 20 },
    ]);
  });

  it("holds none when it is not there", () => {
    expect(load({})).toEqual({ agents: [], faults: [] });
  });

  it.each([
    ["agents/one.yaml", `${good}model: gpt\n`, "agents/one.yaml:4:8 model: must be inherit, small, large"],
    ["agents/one.yaml", `${good}rounds: 0\n`, "agents/one.yaml:4:9 rounds: must be a whole number, 1 to 100"],
    ["agents/one.yaml", `${good}tool: x\n`, "agents/one.yaml:4:1 tool"],
    ["agents/one.yaml", good.replace("[ReadFile, mcp__a__*]", "[]"), "agents/one.yaml:3:8 tools: must name at least"],
    ["agents/one.yaml", good.replace("Do it.", '" "'), "agents/one.yaml:2:9 prompt: must not be empty"],
    ["agents/One.yaml", good, "agents/One.yaml:1:1 is no sub-agent"],
    ["agents/one.yml", good, "agents/one.yml:1:1 is no sub-agent"],
  ])("%s: says where it is wrong (%#)", (name, text, fault) => {
    const { faults } = load({ [name]: text });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
  });

  it("tools.yaml narrows the tools of a sub-agent", () => {
    const { agents } = load({ "agents/one.yaml": good, "agents/two.yaml": good });
    const narrowed = narrowSubAgents(agents, { one: { tools: ["grep"], exclude: ["shell"] } });
    expect(narrowed.map(({ exclude, tools }) => [tools, exclude])).toEqual([
      [["grep"], ["shell"]],
      [["file_read", "mcp__a__*"], []],
    ]);
  });
});

describe("models by tier", () => {
  const main: Models = {
    offline: true,
    contextTokens: 32_000,
    inputs: new Set(),
    status: () => [],
    ask: () => Promise.reject(new Error("nobody asks")),
  };
  const answering = [{ provider: "openai", name: "main" }] as const;

  function pick(
    tiers: ReturnType<Parameters<typeof createModelTiers>[0]["tiers"]>,
    name: string,
  ): readonly string[] | "main" {
    const made = new Map<Models, readonly ModelReference[]>();
    const find = createModelTiers({
      tiers: () => tiers,
      main,
      fallback: answering,
      create(models) {
        const one = { ...main };
        made.set(one, models);
        return one;
      },
    });
    const found = find(name);
    expect(find(name)).toBe(found);
    return found === main ? "main" : (made.get(found) ?? []).map(formatModelReference);
  }

  const small = { provider: "ollama", name: "qwen3:8b" } as const;

  it.each([
    [{}, "small", "main"],
    [{}, "inherit", "main"],
    [{ small }, "small", ["ollama:qwen3:8b", "openai:main"]],
    [{ small }, "large", "main"],
    [{ inherit: small }, "large", ["ollama:qwen3:8b", "openai:main"]],
    [{ inherit: small, large: answering[0] }, "large", "main"],
    [{ small }, "anthropic:x", ["anthropic:x", "openai:main"]],
  ])("%j: %s is %j", (tiers, name, models) => {
    expect(pick(tiers, name)).toEqual(models);
  });

  it("follow the tiers of the moment", () => {
    let tiers: ReturnType<Parameters<typeof createModelTiers>[0]["tiers"]> = {};
    const find = createModelTiers({ tiers: () => tiers, main, fallback: answering, create: () => ({ ...main }) });
    expect(find("small")).toBe(main);
    tiers = { small };
    expect(find("small")).not.toBe(main);
    tiers = {};
    expect(find("small")).toBe(main);
  });
});
