import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/conversation.ts";
import { listActive } from "../../src/features/memory/queries/memories.ts";
import { createForgetTool } from "../../src/features/memory/tools/forget.ts";
import { createRememberTool } from "../../src/features/memory/tools/remember.ts";
import type { Tool } from "../../src/kernel/tools/types.ts";
import { effectRules } from "../support/effect-tools.ts";
import type { Said } from "../support/fake-channel.ts";
import { TestGateway } from "../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

const alice: Said = { chat: "alice", user: "alice" };

/** Each is said by a person and kept by a model with the fact that it sees in it, and by the command. */
const asked: readonly (readonly [content: string, fact: JsonObject, beside: readonly string[]])[] = [
  ["我在字节上班，老婆叫小美，她不喜欢吃辣", { key: "employer", value: "字节" }, ["我在字节上班"]],
  [
    "I live in Hangzhou, I have a cat called Mochi and my favourite colour is green",
    { key: "home", value: "Hangzhou" },
    ["I live in Hangzhou", "my favourite colour is green"],
  ],
  ["Home is Hangzhou; the cat is Mochi", { key: "home", value: "Hangzhou" }, ["Home is Hangzhou"]],
  ["I live in Hangzhou with my parents", { key: "home", value: "Hangzhou" }, []],
  ["我对花生、虾和蟹过敏", {}, []],
  ["我住在杭州", { key: "home", value: "杭州" }, []],
];

describe.each(listUsualEngines())("words that a person asks to have remembered on %s", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    const parts = {
      database: () => kurisu.store.main,
      servedAs: () => "",
      memory: {
        personaOf: () => "default",
        scrub: (text: string) => text,
        forgetAll: () => Promise.reject(new Error("not here")),
      },
    };
    kurisu = new TestGateway({
      limits: { loop: 0 },
      place: await createStorePlace(engine),
      tools: [createRememberTool(parts), createForgetTool(parts)] as Tool[],
    });
    const safe = [...effectRules.permissions.safe, "remember"];
    kurisu.rules.current = { ...effectRules, permissions: { ...effectRules.permissions, safe, confirm: ["forget"] } };
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const known = async (user = "alice") =>
    (await listActive(kurisu.store.main, { accounts: [`fake:${user}`], place: "", persona: "default" }, { most: 50 }))
      .map(({ content }) => content)
      .toSorted();
  async function call(text: string, name: string, args: JsonObject): Promise<JsonObject> {
    kurisu.model.script = ({ results }) =>
      results.length === 0 ? { calls: [{ name, arguments: args }] } : { text: "好。" };
    await kurisu.say(text, alice);
    kurisu.model.script = () => ({ text: "好。" });
    return JSON.parse(kurisu.model.asked.at(-1)?.results[0] ?? "{}") as JsonObject;
  }
  const remember = (content: string, fact: JsonObject = {}) =>
    call(`记住${content}`, "remember", { category: "fact", content, ...fact });

  it.each(asked)("the tool keeps words whole: %s", async (content, fact) => {
    expect(await remember(content, fact)).toMatchObject({ ok: true, output: { content } });
    expect(await known()).toContain(content);
  });

  it.each(asked)("the command keeps words whole: %s", async (content, _, beside) => {
    await kurisu.say(`/remember ${content}`, alice);
    expect(kurisu.lastText()).toContain(content);
    const kept = await known();
    expect(kept).toContain(content);
    for (const fact of beside.filter((one) => one !== "Home is Hangzhou")) expect(kept).toContain(fact);
  });

  it("stay when a newer fact replaces one that was read out of them", async () => {
    const [content, fact, beside] = asked[1] ?? ["", {}, []];
    await remember(content, fact);
    expect(await known()).toEqual([content, ...beside].toSorted());
    await kurisu.say("I moved to Berlin", alice);
    expect(await known()).toEqual([content, "I moved to Berlin", "my favourite colour is green"].toSorted());
  });

  it("stay when a part of them is said in passing", async () => {
    const content = "I live in Hangzhou with my parents";
    await remember(content, { key: "home", value: "Hangzhou" });
    kurisu.clock.advance(60_000);
    await kurisu.say("I live in Hangzhou", alice);
    expect(await known()).toContain(content);
  });

  it("go when they are forgotten, and the question and the receipt name what goes and what stays", async () => {
    const [content, fact] = asked[0] ?? ["", {}];
    const kept = await remember(content, fact);
    const { id } = kept["output"] as { id: number };
    await call("忘掉它", "forget", { memory_id: id });
    expect(kurisu.lastText()).toContain(`#${id} ${content}`);
    expect(kurisu.lastText()).not.toContain("旧的说法");
    await kurisu.say("确认", alice);
    expect(await known()).toEqual(["我在字节上班"]);
    const receipt = JSON.parse(kurisu.model.asked.at(-1)?.results.at(-1) ?? "{}") as JsonObject;
    expect(receipt).toMatchObject({ output: { receipt: { memories: 1, stay: [{ content: "我在字节上班" }] } } });
  });

  it("the question about forgetting names the older versions, which go as well", async () => {
    await remember("我住在杭州", { key: "home", value: "杭州" });
    const kept = await remember("我住在成都", { key: "home", value: "成都" });
    const { id } = kept["output"] as { id: number };
    await call("忘掉它", "forget", { memory_id: id });
    expect(kurisu.lastText()).toMatch(/我住在成都（连同旧的说法：#\d+ 我住在杭州）/);
    await kurisu.say("确认", alice);
    expect(await known()).toEqual([]);
  });
});
