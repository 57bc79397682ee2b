/*
 * What a gateway asks of its store in a conversation, on each engine. The tests of the gateway look closely, on SQLite only
 * (docs/decisions/code-and-tests.md#a-test-file-is-in-the-quick-or-the-full-tier): each
 * kind of row that they write is written and read here too.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadSkills } from "../../src/features/skills/loader/load-skills.ts";
import { createSkillRegistry } from "../../src/features/skills/skill-registry.ts";
import { defaultTerms } from "../../src/kernel/gate/approval-terms.ts";
import { createTodoTool } from "../../src/kernel/tools/builtin/todo.ts";
import type { Tool } from "../../src/kernel/tools/types.ts";
import { effectRules } from "../support/effect-tools.ts";
import { makeMessage, type Said } from "../support/fake-channel.ts";
import { codeOf, TestGateway } from "../support/gateway.ts";
import { sendAgents, testAgents } from "../support/send-agents.ts";
import { plainSkill, writeTree } from "../support/skill-source.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

describe.each(listEngines())("a conversation on %s", (engine) => {
  const alice: Said = { user: "alice", chat: "alice" };
  const inRoom = (user: string): Said => ({ user, chat: "room", group: true });
  let kurisu: TestGateway;

  beforeEach(async () => {
    const folder = await createTemporaryFolder();
    writeTree(folder, { "weather/skill.yaml": plainSkill });
    kurisu = new TestGateway({
      place: await createStorePlace(engine),
      members: ["alice", "bob", "carol"],
      agents: testAgents,
      tools: [createTodoTool({ database: () => kurisu.store.main }) as Tool],
      skillRegistry: () => createSkillRegistry(loadSkills(folder, {}).skills),
    });
    const { permissions } = effectRules;
    const safe = [...permissions.safe, "todo", "find_skill"];
    kurisu.rules.current = { ...effectRules, permissions: { ...permissions, safe } };
    kurisu.model.script = sendAgents();
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  it("a call is previewed; a standing approval of it is given, used, listed and withdrawn, over a restart", async () => {
    await kurisu.say("poke a");
    await kurisu.channel.deliver(makeMessage("预览"));
    await kurisu.until(() => kurisu.channel.sent.some(({ message }) => message.id.endsWith(".preview")));
    await kurisu.settle();
    expect([kurisu.previews.length, kurisu.did()]).toEqual([1, []]);
    await kurisu.say("确认 30分钟");
    await kurisu.restart();
    await kurisu.say("poke a");
    expect(kurisu.did()).toEqual(["a", "a"]);
    await kurisu.say("/grants");
    expect(kurisu.lastText()).toContain("G1");
    await kurisu.say("/revoke G1");
    await kurisu.say("poke a");
    expect(kurisu.did()).toHaveLength(2);
    await kurisu.say("确认 本任务");
    await kurisu.say("/grants");
    expect(kurisu.did()).toHaveLength(3);
    expect(kurisu.lastText()).not.toContain("G2");
  });

  it("two people's approvals are counted over a restart, and the proof names the outcome", async () => {
    const approval = { ...defaultTerms, votes: 2, approvers: ["fake:bob", "fake:carol", "owner"] };
    kurisu.rules.current = { ...effectRules, rules: [{ tool: "poke", level: "confirm", approval }] };
    await kurisu.say("poke a", inRoom("alice"));
    await kurisu.say("确认", inRoom("bob"));
    await kurisu.restart();
    await kurisu.say("/status", inRoom("alice"));
    expect(kurisu.lastText()).toMatch(/1\/2|1 of 2/);
    await kurisu.say("确认", inRoom("carol"));
    expect(kurisu.effects).toMatchObject([{ what: "a", person: "fake:alice" }]);
    await kurisu.say("/proof", inRoom("alice"));
    expect(kurisu.lastText("notice")).toContain("poke a");
  });

  it("people are trusted, and what they like is kept, seen and forgotten", async () => {
    await kurisu.say("在吗", alice);
    await kurisu.say("/trust fake:alice");
    expect(kurisu.lastText()).toContain("fake:alice");
    await kurisu.say("/untrust alice");
    expect(kurisu.lastText()).toContain("不再是受信任的人");
    await kurisu.say("以后都用简体。", alice);
    await kurisu.say("/preferences add 叫我凶真", alice);
    for (const what of ["a", "b", "c"]) {
      await kurisu.say(`poke ${what}`, alice);
      await kurisu.say("确认", alice);
    }
    await kurisu.say("/preferences", alice);
    for (const noted of ["以后都用简体", "叫我凶真", "poke"]) expect(kurisu.lastText()).toContain(noted);
    await kurisu.say("/preferences forget all", alice);
    await kurisu.say("/usage");
    expect(kurisu.lastText()).not.toBe("");
    await kurisu.say("/preferences", alice);
    expect(kurisu.lastText()).not.toContain("简体");
  });

  it("sub-agents work, ask and report; everything is stopped, kept and resumed", async () => {
    await kurisu.say("派 worker: peek 一 | reader: peek 二", alice);
    expect(kurisu.lastText()).toMatch(/^回来了：成 worker .*｜成 reader /);
    await kurisu.say("派 bg worker: poke 三", alice);
    await kurisu.until(async () => (await kurisu.questions()).length === 1);
    await kurisu.say("/status", alice);
    await kurisu.say("派 worker: poke 四", inRoom("bob"));
    await kurisu.until(async () => (await kurisu.questions()).length === 2);
    await kurisu.say("/stop all");
    await kurisu.until(async () => (await kurisu.questions()).length === 0);
    await kurisu.say("note 五", alice);
    await kurisu.restart();
    await kurisu.say("/resume");
    expect(kurisu.did()).toEqual(["一", "二", "五"]);
    await kurisu.say("/stop all");
    await kurisu.say("note 六", alice);
    await kurisu.say("/resume drop");
    expect(kurisu.did()).toHaveLength(3);
  });

  it("a list, a skill and the world lines of a chat are found again", async () => {
    kurisu.model.script = ({ results, text }) => {
      if (results.length > 0 || !text.includes("记下")) return { text: "好。" };
      const items = [{ text: "选题目", status: "active" }];
      return {
        calls: [
          { name: "todo", arguments: { items } },
          { name: "find_skill", arguments: { query: "weather" } },
        ],
      };
    };
    await kurisu.say("记下来");
    await kurisu.restart();
    await kurisu.say("/todo");
    expect(kurisu.lastText()).toContain("选题目");
    await kurisu.say("天气怎么样");
    kurisu.model.script = sendAgents();
    await kurisu.say("poke 甲");
    const code = codeOf(kurisu.lastPrompt());
    await kurisu.say("/dmail 0 换个话题");
    expect(kurisu.lastText()).toContain("换个话题");
    await kurisu.say(`确认 ${code}`);
    await kurisu.say("/worldline 1");
    await kurisu.say("后来呢");
    await kurisu.say("/worldline");
    expect(kurisu.lastText()).toContain("后来呢");
    expect(kurisu.did()).toEqual([]);
  });
});
