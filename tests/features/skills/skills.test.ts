import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadSkillRegistry, type SkillRegistry } from "../../../src/features/skills/skill-registry.ts";
import { effectRules } from "../../support/effect-tools.ts";
import { TestGateway } from "../../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const { permissions } = effectRules;
const rules = {
  ...effectRules,
  permissions: { ...permissions, safe: [...permissions.safe, "find_skill", "skill_file"] },
};

describe.each(listUsualEngines())("skills in a chat, on %s:", (engine) => {
  let kurisu: TestGateway;
  let folder: string;
  let shared: string;

  const write = (path: string, text: string, base = folder): void => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  };
  const read = (): SkillRegistry => {
    const loaded = loadSkillRegistry({ folder, shared: [shared], environment: {} });
    if (loaded.kind === "faulty") throw new Error(JSON.stringify(loaded.faults));
    return loaded.registry;
  };
  const yaml = (id: string, more = "") =>
    `id: ${id}\nname: ${id}\nversion: 1.0.0\ntype: knowledge\ntrigger: { keywords: [${id}] }\ncontext: 关于 ${id} 的话\n${more}`;

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    shared = await createTemporaryFolder();
    write("tea/skill.yaml", yaml("tea", "description: 泡茶\n"));
    write("wine/skill.yaml", yaml("wine", "description: 品酒\n"));
    write("moon/skill.yaml", yaml("moon", "requires: { tools: [rocket] }\n"));
    write("maps/SKILL.md", "---\nname: maps\ndescription: draw maps\n---\n画图的步骤\n", shared);
    write("maps/references/legend.md", "一\n二\n三\n", shared);
    kurisu = new TestGateway({ place: await createStorePlace(engine), skillRegistry: read });
    kurisu.rules.current = rules;
    kurisu.model.script = () => ({ text: "好。" });
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const prompt = () => kurisu.model.asked.at(-1);
  const context = () => prompt()?.context ?? "";
  const system = () => prompt()?.request.messages[0]?.text ?? "";
  const results = () => (prompt()?.results ?? []).map((one) => JSON.parse(one) as Record<string, unknown>);
  const call = async (name: string, input: Record<string, string | number>) => {
    kurisu.model.script = ({ results: ended }) =>
      ended.length === 0 ? { calls: [{ name, arguments: input }] } : { text: "好。" };
    await kurisu.say("请");
    kurisu.model.script = () => ({ text: "好。" });
    return results()[0] ?? {};
  };

  it("a message brings the text of its skill, named, and the topic keeps it for a while, over a restart too", async () => {
    await kurisu.say("tea 怎么泡");
    expect(context()).toContain("## tea (skill tea)\n关于 tea 的话");
    expect(context()).not.toContain("wine");
    await kurisu.say("再详细一点");
    expect(context()).toContain("关于 tea 的话");
    await kurisu.restart();
    await kurisu.say("嗯");
    expect(context()).toContain("关于 tea 的话");
    await kurisu.say("还有呢");
    expect(context()).toContain("关于 tea 的话");
    await kurisu.say("好的");
    expect(context()).not.toContain("关于 tea 的话");
  });

  it("another topic pushes it out, a new conversation at once", async () => {
    await kurisu.say("tea 怎么泡");
    await kurisu.say("wine 呢");
    expect(context()).toMatch(/关于 wine 的话[\s\S]*关于 tea 的话/);
    await kurisu.say("哪种 wine 好");
    expect(context()).not.toContain("关于 tea 的话");
    await kurisu.say("/new");
    await kurisu.say("你好");
    expect(context()).not.toContain("关于");
  });

  it("a skill that lacks something is neither in the catalogue nor used", async () => {
    await kurisu.say("moon 怎么去");
    expect(context()).not.toContain("关于 moon");
    expect(system()).toContain("- tea: 泡茶\n- wine: 品酒");
    expect(system()).not.toContain("- moon");
    await kurisu.say("/skills");
    expect(kurisu.lastText()).toContain("✕ moon  moon  用不了，缺 tool rocket");
    await kurisu.say("/skills on moon");
    expect(kurisu.lastText()).toBe("moon 打开了，但现在还用不了，缺 tool rocket。");
  });

  it("/skills off and on and auto hold for this chat, over a restart", async () => {
    await kurisu.say("/skills off tea");
    await kurisu.restart();
    await kurisu.say("tea 怎么泡");
    expect(context()).not.toContain("关于 tea 的话");
    expect(system()).not.toContain("- tea");
    await kurisu.say("/skills");
    expect(kurisu.lastText()).toContain("✕ tea  tea  关了");
    await kurisu.say("/skills auto tea");
    await kurisu.say("tea 怎么泡");
    expect(context()).toContain("关于 tea 的话");
    await kurisu.say("/skills");
    expect(kurisu.lastText()).toContain("▸ tea  tea  正在用");
    for (const wrong of ["/skills on nothing", "/skills fly"]) {
      await kurisu.say(wrong);
      expect(kurisu.lastText()).toMatch(/没有叫 nothing 的技能|用法/);
    }
  });

  it("a skill from outside is off until an owner switches it on, and then the turn counts as untrusted", async () => {
    const taintOf = async () => {
      const rows = await kurisu.store.main.selectFrom("messages").select("taint").orderBy("position").execute();
      return rows.at(-1)?.taint;
    };
    await kurisu.say("maps 画一张");
    expect(context()).not.toContain("画图的步骤");
    expect(await taintOf()).not.toBe("untrusted");
    await kurisu.say("/skills on maps", { user: "alice", chat: "room", group: true });
    expect(kurisu.lastText()).toMatch(/\n外来的技能只有管理员能打开。$/);
    await kurisu.say("/skills on maps");
    expect(kurisu.lastText()).toMatch(/^好，这里可以用 maps 了。它是外来的/);
    await kurisu.say("maps 画一张");
    expect(system()).toMatch(/quotation of its author.*:\n- maps: "draw maps"/);
    expect(context()).toContain("| ## maps (skill maps)\n| 画图的步骤");
    expect(await taintOf()).toBe("untrusted");
  });

  it("the approval of the operator's skill does not cover a later one with its id", async () => {
    const room = { user: "alice", chat: "room", group: true } as const;
    await kurisu.say("/skills on tea", room);
    expect(kurisu.lastText()).toBe("好，这里可以用 tea 了。");
    rmSync(join(folder, "tea"), { recursive: true });
    write("tea/SKILL.md", "---\nname: tea\ndescription: tea\n---\n别人的话\n", shared);
    await kurisu.say("tea 怎么泡", room);
    expect(context()).not.toContain("别人的话");
    await kurisu.say("/skills", room);
    expect(kurisu.lastText()).toContain("✕ tea  tea  外来的，没打开");
  });

  it("find_skill names candidates, and activates the one whose id it is given, for the turns that follow", async () => {
    const found = await call("find_skill", { query: "泡茶" });
    expect(found).toMatchObject({
      ok: true,
      output: { skills: [{ id: "tea", description: "泡茶", active: false }], tools: [] },
    });
    const activated = await call("find_skill", { query: "tea" });
    expect(activated).toMatchObject({ ok: true, output: { activated: "tea", instructions: "关于 tea 的话" } });
    await kurisu.say("继续");
    expect(context()).toContain("关于 tea 的话");
    expect(await call("find_skill", { query: "moon" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("missing tool rocket"),
    });
    expect(await call("find_skill", { query: "maps" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("not trusted"),
    });
  });

  it("skill_file reads what lies in a skill's folder, and nothing else", async () => {
    write("tea/references/leaf.md", "一\n二\n三\n");
    write("tea/mcp.json", '{"mcpServers":{}}');
    write("secret.txt", "秘密");
    symlinkSync(join(folder, "secret.txt"), join(folder, "tea/link.md"));
    linkSync(join(folder, "secret.txt"), join(folder, "tea/hard.md"));
    expect(await call("skill_file", { skill: "tea" })).toMatchObject({
      output: { files: expect.arrayContaining(["references/leaf.md", "skill.yaml"]) },
    });
    expect(await call("skill_file", { skill: "tea", path: "references/leaf.md", offset: 1, limit: 1 })).toMatchObject({
      output: { content: "二", total_lines: 3, has_more: true },
    });
    for (const path of [
      "../secret.txt",
      "link.md",
      "hard.md",
      "/etc/passwd",
      "mcp.json",
      "references",
      "none.md",
      "a/../../secret.txt",
    ]) {
      const refused = await call("skill_file", { skill: "tea", path });
      expect({ path, ...refused }).toMatchObject({ path, ok: false });
      expect(JSON.stringify(refused)).not.toContain("秘密");
    }
    expect(await call("skill_file", { skill: "maps", path: "references/legend.md" })).toMatchObject({ ok: false });
  });
});
