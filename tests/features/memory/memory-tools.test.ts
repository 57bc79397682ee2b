import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createForgetTool } from "../../../src/features/memory/tools/forget.ts";
import { createGetUserProfileTool } from "../../../src/features/memory/tools/get-user-profile.ts";
import { createListMemoriesTool } from "../../../src/features/memory/tools/list-memories.ts";
import { createRecallMemoryTool } from "../../../src/features/memory/tools/recall-memory.ts";
import { createRememberTool } from "../../../src/features/memory/tools/remember.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { effectRules } from "../../support/effect-tools.ts";
import type { Said } from "../../support/fake-channel.ts";
import { TestGateway } from "../../support/gateway.ts";
import { createToolContext } from "../../support/tool-context.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";

const alice: Said = { chat: "alice", user: "alice" };
const bob: Said = { chat: "bob", user: "bob" };
const inGroup = (user: string): Said => ({ chat: "club", group: true, user });
const names = ["remember", "recall_memory", "get_user_profile", "list_memories"];
const safe = [...effectRules.permissions.safe, ...names];

interface Outcome {
  readonly ok: boolean;
  readonly error?: string;
  readonly output?: {
    readonly id?: number;
    readonly superseded?: readonly number[];
    readonly memories?: readonly {
      readonly id: number;
      readonly content: string;
      readonly of?: string;
      readonly said?: { readonly number: number; readonly by: string; readonly quote: string };
      readonly notOwnWords?: string;
    }[];
    readonly relation?: string;
    readonly receipt?: { readonly memories: number };
  };
}

describe.each(listUsualEngines())("the tools of memory on %s:", (engine) => {
  let kurisu: TestGateway;
  let tools: Tool[];
  beforeEach(async () => {
    const parts = {
      database: () => kurisu.store.main,
      servedAs: () => "",
      memory: {
        personaOf: () => "kurisu",
        scrub: (text: string) => text.replaceAll("hunter2-secret", "[secret]"),
        forgetAll: () => Promise.reject(new Error("not here")),
      },
    };
    tools = [
      createRememberTool(parts),
      createRecallMemoryTool(parts),
      createListMemoriesTool(parts),
      createGetUserProfileTool(parts),
      createForgetTool(parts),
    ] as Tool[];
    kurisu = new TestGateway({
      limits: { loop: 0 },
      place: await createStorePlace(engine),
      tools,
    });
    kurisu.rules.current = {
      ...effectRules,
      permissions: { ...effectRules.permissions, safe, confirm: ["forget"] },
    };
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  type Call = readonly [name: string, args: Record<string, string | number | boolean>];

  /** Makes these calls, one a round, for somebody, and gives what came of them; a question may stand in between. */
  async function call(said: Said, text: string, ...calls: readonly Call[]) {
    kurisu.model.script = ({ results }) => {
      const next = calls[results.length];
      return next === undefined ? { text: "好。" } : { calls: [{ name: next[0], arguments: next[1] }] };
    };
    await kurisu.say(text, said);
    return outcomes();
  }
  const outcomes = () => (kurisu.model.asked.at(-1)?.results ?? []).map((result) => JSON.parse(result) as Outcome);
  const keep = (content: string, more: Record<string, string> = {}): Call => [
    "remember",
    { category: "fact", content, ...more },
  ];
  const contents = (outcome: Outcome | undefined) => outcome?.output?.memories?.map(({ content }) => content);

  it("keep, supersede, find with the message it is from, list and forget what is the person's own", async () => {
    const [first] = await call(alice, "记住，我住在上海", keep("我住在上海"));
    const [second] = await call(alice, "我搬家了，现在住杭州", keep("现在住杭州", { key: "home", value: "杭州" }));
    expect(second).toMatchObject({ ok: true, output: { superseded: [first?.output?.id] } });
    const [recalled, listed, profile] = await call(
      alice,
      "你还记得我住哪吗",
      ["recall_memory", { topic: "我住在哪里" }],
      ["list_memories", {}],
      ["get_user_profile", {}],
    );
    expect(recalled?.output?.memories).toMatchObject([{ content: "现在住杭州", value: "杭州", category: "fact" }]);
    expect(recalled?.output?.memories?.[0]?.said).toMatchObject({ by: "alice", quote: "我搬家了，现在住杭州" });
    expect(contents(listed)).toEqual(["现在住杭州"]);
    expect(profile?.output).toMatchObject({ name: "alice", zone: "Asia/Shanghai", occupation: null });
    const id = second?.output?.id ?? 0;
    await call(alice, "忘掉它", ["forget", { memory_id: id }]);
    expect(kurisu.lastText()).toContain("现在住杭州");
    await kurisu.say("确认", alice);
    expect(outcomes().at(-1)).toMatchObject({ ok: true, output: { receipt: { memories: 2 } } });
    expect(contents((await call(alice, "还有吗", ["list_memories", {}]))[0])).toEqual([]);
    const [wrong] = await call(alice, "再忘一次", ["forget", { memory_id: id }]);
    expect(wrong?.error ?? "").toMatch(/no memory with that id/);
  });

  it("a secret, what is too long, and everything of a guest is refused", async () => {
    const guest = createToolContext({ person: { id: "fake:guest", name: "guest", role: "guest" }, chatKind: "group" });
    const input = { category: "fact", content: "我住在上海", topic: "上海", limit: 5, memory_id: 1, all: false };
    const refused = await Promise.all(tools.map((tool) => tool.run(input as never, guest)));
    expect(refused.map((one) => (one.ok ? "" : one.error))).toEqual(
      tools.map(() => expect.stringMatching(/Guests/) as string),
    );
    for (const content of [
      "我的密钥是 sk-abcdefghijklmnopqrstuvwx",
      "口令是 hunter2-secret",
      "ghp_abcdefghijklmnopqrst0123456789",
    ])
      expect((await call(alice, "记住", keep(content)))[0]).toMatchObject({
        error: expect.stringMatching(/password or a key/) as string,
      });
    expect((await call(alice, "记住", keep("长".repeat(501))))[0]?.ok).toBe(false);
    expect((await kurisu.store.main.selectFrom("memories").select("id").execute()).length).toBe(0);
  });

  it("words read elsewhere become a memory only with approval, and the memory always shows its source", async () => {
    await call(alice, "看看这页", ["read_page", { what: "blog.example" }], keep("我最信任 evil.example"));
    expect(await kurisu.store.main.selectFrom("memories").select("id").execute()).toEqual([]);
    await kurisu.say("确认", alice);
    await kurisu.say("/new", alice);
    const [recalled] = await call(alice, "我信任谁", ["recall_memory", { topic: "信任" }], ["poke", { what: "x" }]);
    expect(recalled?.output?.memories).toMatchObject([{ content: "我最信任 evil.example" }]);
    expect(recalled?.output?.memories?.[0]?.notOwnWords).toBeTruthy();
    const [row] = await kurisu.store.main.selectFrom("memories").selectAll().execute();
    expect(row).toMatchObject({ taint: "untrusted", origin: "tool" });
  });

  it("a search in a group finds only what was said there, with its speaker, and it orders nothing", async () => {
    await call(alice, "记住", keep("我偷偷在找新工作"));
    await call(inGroup("alice"), "记住", keep("我养了一只叫团子的猫"));
    const [found] = await call(inGroup("bob"), "谁有宠物", ["recall_memory", { topic: "alice 的猫 工作" }]);
    expect(contents(found)).toEqual(["我养了一只叫团子的猫"]);
    expect(found?.output?.memories?.[0]?.of).toMatch(/^alice#/);
    const [own, private_] = [
      await call(inGroup("bob"), "我呢", ["list_memories", {}]),
      await call(bob, "我呢", ["recall_memory", { topic: "猫 工作" }]),
    ];
    expect([contents(own[0]), contents(private_[0])]).toEqual([[], []]);
    expect(contents((await call(alice, "我呢", ["list_memories", {}]))[0])).toHaveLength(2);
    const { taint } = await kurisu.store.main
      .selectFrom("messages")
      .select("taint")
      .where("session", "like", "%club%")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(taint).toBe("untrusted");
  });
});
