import { describe, expect, it } from "vitest";
import { findHistory, listMemories } from "../../../src/memory/people/list-memories.ts";
import { forgetMemory } from "../../../src/memory/people/forget-memory.ts";
import { recallMemories } from "../../../src/memory/people/recall-memories.ts";
import { remember, type Fact } from "../../../src/memory/people/remember.ts";
import { findMemoryScope, type MemoryScope } from "../../../src/memory/scope.ts";
import { endLinks, saveLink } from "../../../src/store/queries/account-links.ts";
import { engines } from "../../support/store-engines.ts";
import { createTestStore } from "../../support/test-store.ts";

const start = Date.UTC(2026, 0, 1);
const dayMs = 24 * 3_600_000;

describe.each(engines)("memories of people on %s:", (engine) => {
  async function open() {
    const { main } = await createTestStore(engine);
    const scopeOf = (id: string, place = "", persona = "kurisu") =>
      findMemoryScope(main, {
        person: { id, name: id },
        session: place === "" ? "private" : place,
        chatKind: place === "" ? "private" : "group",
        persona,
      });
    const say = async (scope: MemoryScope, content: string, more: Partial<Fact> = {}) => {
      const said = await remember(main, scope, {
        category: "fact",
        content,
        taint: "user",
        origin: "said",
        now: start,
        ...more,
      });
      if (said.kind === "refused") throw new Error(said.why);
      return said;
    };
    const list = async (scope: MemoryScope) =>
      (await listMemories(main, scope, { limit: 50 })).map(({ content }) => content);
    const recall = async (scope: MemoryScope, text: string) =>
      (await recallMemories(main, scope, text, { limit: 5, now: start })).map(({ content }) => content);
    return { main, scopeOf, say, list, recall };
  }

  it("what is contradicted is kept with its time, and only the newest counts", async () => {
    const { main, scopeOf, say, list, recall } = await open();
    const me = await scopeOf("t:1");
    const first = await say(me, "我住在上海");
    const second = await say(me, "我搬家了，现在住杭州", { now: start + 10 * dayMs });
    expect(second).toMatchObject({ kind: "remembered", superseded: [first.id] });
    expect(await list(me)).toEqual(["我搬家了，现在住杭州"]);
    expect(await recall(me, "我住在哪个城市")).toEqual(["我搬家了，现在住杭州"]);
    expect(await recall(me, "我以前住在哪")).toContain("我住在上海");
    const then = await listMemories(main, me, { limit: 5, at: start + 5 * dayMs });
    expect(then.map(({ content }) => content)).toEqual(["我住在上海"]);
    const history = await findHistory(main, me, second.id);
    expect(history?.before).toMatchObject([{ id: first.id, invalidAt: start + 10 * dayMs, supersededBy: second.id }]);
    expect((await findHistory(main, me, first.id))?.events.map(({ kind }) => kind)).toEqual([
      "remembered",
      "superseded",
    ]);
  });

  it("the same said again is kept once, other numbers and a no are another thing", async () => {
    const { scopeOf, say, list } = await open();
    const me = await scopeOf("t:1");
    const first = await say(me, "我每天早上七点起床跑步");
    expect(await say(me, "我每天早上七点起床跑步。")).toEqual({ kind: "known", id: first.id });
    await say(me, "我的猫叫团子，今年 3 岁");
    await say(me, "我的猫叫团子，今年 4 岁");
    await say(me, "我喜欢香菜", { category: "preference" });
    await say(me, "我不喜欢香菜了", { category: "preference" });
    expect(await list(me)).not.toContain("我喜欢香菜");
    expect(await list(me)).toHaveLength(3);
  });

  it("what was said in private stays there, what was said in a group is read there and by its speaker", async () => {
    const { scopeOf, say, list, recall } = await open();
    const [me, here, elsewhere] = [await scopeOf("t:1"), await scopeOf("t:1", "g1"), await scopeOf("t:1", "g2")];
    const others = await scopeOf("t:2", "g1");
    await say(me, "我偷偷在找新工作");
    await say(here, "我住在南京");
    await say(me, "我搬到苏州了", { now: start + dayMs });
    expect(await recall(others, "工作")).toEqual([]);
    expect(await list(others)).toEqual(["我住在南京"]);
    expect(await list(elsewhere)).toEqual([]);
    // In private the newer counts; in the group nobody sees that anything changed.
    expect(await list(me)).toEqual(["我搬到苏州了", "我偷偷在找新工作"]);
    expect(await list(await scopeOf("t:2"))).toEqual([]);
    expect(await list(await scopeOf("t:1", "", "neutral"))).toEqual([]);
  });

  it("accounts that were linked in private share theirs until the link ends; one that was linked in a group does not", async () => {
    const { main, scopeOf, say, list } = await open();
    await say(await scopeOf("t:1"), "我住在上海");
    await say(await scopeOf("q:1"), "我搬到北京了", { now: start + dayMs });
    const link = (account: string, acts: boolean) => saveLink(main, { account, human: "u1", acts, now: start });
    await link("t:1", true);
    await link("q:1", false);
    expect(await list(await scopeOf("q:1"))).toEqual(["我搬到北京了"]);
    expect(await list(await scopeOf("t:1"))).toEqual(["我住在上海"]);
    await link("q:1", true);
    expect(await list(await scopeOf("q:1"))).toEqual(["我搬到北京了"]);
    expect(await list(await scopeOf("t:1"))).toEqual(["我搬到北京了"]);
    await endLinks(main, ["t:1", "q:1"], start + 2 * dayMs);
    expect(await list(await scopeOf("t:1"))).toEqual(["我住在上海"]);
  });

  it("a forgotten one is gone with its words and what it had replaced; nobody forgets another's", async () => {
    const { main, scopeOf, say, list } = await open();
    const [me, here] = [await scopeOf("t:1"), await scopeOf("t:2", "g1")];
    await say(me, "我住在上海");
    const { id } = await say(me, "我搬到杭州了", { now: start + dayMs });
    const theirs = await say(here, "我养了一只猫");
    expect(await forgetMemory(main, await scopeOf("t:1", "g1"), theirs.id, start)).toBeUndefined();
    expect(await forgetMemory(main, me, theirs.id, start)).toBeUndefined();
    expect(await forgetMemory(main, me, id, start + 2 * dayMs)).toEqual({ id, memories: 2, at: start + 2 * dayMs });
    expect(await list(me)).toEqual([]);
    const rows = await main.selectFrom("memories").select("content").where("person", "=", "t:1").execute();
    expect(rows).toEqual([{ content: "" }, { content: "" }]);
    const terms = await main.selectFrom("memory_terms").select("memory").where("memory", "=", id).execute();
    expect(terms).toEqual([]);
    expect(await forgetMemory(main, me, id, start)).toBeUndefined();
  });
});
