import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSkillRegistry } from "../../../src/features/skills/skill-registry.ts";
import { loadSkills } from "../../../src/features/skills/loader/load-skills.ts";
import { effectRules } from "../../support/effect-tools.ts";
import { TestGateway } from "../../support/gateway.ts";
import { makePlainTool } from "../../support/plain-tool.ts";
import { agentOf, type TestAgent } from "../../support/send-agents.ts";
import { plainSkill, writeTree } from "../../support/skill-source.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const agent: TestAgent = {
  id: "greedy",
  description: { zh: "什么都要", en: "wants everything" },
  prompt: "Do it.",
  tools: ["*"],
  exclude: [],
  model: "inherit",
  rounds: 4,
};

describe.each(listUsualEngines())("tools that a skill brings, on %s:", (engine) => {
  let kurisu: TestGateway;
  const ran: string[] = [];

  beforeEach(async () => {
    const folder = await createTemporaryFolder();
    writeTree(folder, { "weather/skill.yaml": plainSkill });
    ran.length = 0;
    const tool = makePlainTool({
      name: "brew",
      source: "skill",
      skill: "weather",
      run: async (_, { session }) => {
        ran.push(session);
        // What a server answers makes no skill part of a turn.
        return { ok: true, output: "done", activates: "weather" };
      },
    });
    kurisu = new TestGateway({
      place: await createStorePlace(engine),
      agents: [agent],
      tools: [tool],
      skillRegistry: () => createSkillRegistry(loadSkills(folder, {}).skills),
    });
    const { permissions } = effectRules;
    kurisu.rules.current = {
      ...effectRules,
      permissions: { ...permissions, safe: [...(permissions.safe ?? []), "find_skill", "brew"] },
    };
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const offers = () => kurisu.model.asked.map(({ tools }) => tools.includes("brew"));

  it("the tools are offered while the skill is active in the turn: by the message, or from the round that activates it", async () => {
    kurisu.model.script = ({ results }) =>
      results.length === 0 ? { calls: [{ name: "find_skill", arguments: { query: "weather" } }] } : { text: "好。" };
    await kurisu.say("你好");
    expect(offers()).toEqual([false, true]);
    kurisu.model.script = () => ({ text: "好。" });
    await kurisu.say("/new");
    await kurisu.say("你好");
    await kurisu.say("天气怎么样");
    expect(offers()).toEqual([false, true, false, true]);
    // At the end, so that nothing before them changes its place.
    expect(kurisu.model.asked.at(-1)?.tools.at(-1)).toBe("brew");
  });

  it("a call of such a tool does not activate its skill", async () => {
    kurisu.model.script = ({ results }) =>
      results.length === 0 ? { calls: [{ name: "brew", arguments: {} }] } : { text: "好。" };
    await kurisu.say("你好");
    expect(ran).toHaveLength(1);
    expect(offers()).toEqual([false, false]);
  });

  it("no sub-agent gets the tools, whatever its file names and whatever its parent does", async () => {
    kurisu.model.script = (view) => {
      if (view.results.length > 0) return { text: view.results.join(" ") };
      if (agentOf(view) !== undefined) return { calls: [{ name: "brew", arguments: {} }] };
      return { calls: [{ name: "task", arguments: { description: "去办", agent_name: "greedy" } }] };
    };
    await kurisu.say("天气怎么样");
    await kurisu.settle();
    const asked = kurisu.model.asked.filter((view) => agentOf(view) === "greedy");
    expect(asked[0]?.tools).toContain("peek");
    expect(asked[0]?.tools).not.toContain("brew");
    expect(asked[1]?.results[0]).toMatch(/"ok":false/);
    expect(ran).toEqual([]);
  });
});
