import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { listPreferences } from "../../../src/features/memory/queries/preferences.ts";
import { defineTool } from "../../../src/kernel/tools/define-tool.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { makeMessage } from "../../support/fake-channel.ts";
import { TestGateway } from "../../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";

const makeTool = (name: string, more: Partial<Pick<Tool, "level" | "readOnly" | "taint">> = {}): Tool =>
  defineTool({
    name,
    description: { zh: name, en: name },
    input: z.looseObject({}),
    level: "confirm",
    readOnly: false,
    idempotent: false,
    place: "gateway",
    summarize: () => name,
    run: async () => ({ ok: true, output: "done" }),
    ...more,
  }) as Tool;

describe.each(listUsualEngines())("a correction by a person, on %s:", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    const page = makeTool("page", { level: "safe", readOnly: true, taint: "untrusted" });
    kurisu = new TestGateway({
      place: await createStorePlace(engine),
      tools: [makeTool("brew"), makeTool("mcp__far__brew"), page],
    });
    const { permissions } = kurisu.rules.current;
    kurisu.rules.current = {
      ...kurisu.rules.current,
      permissions: { ...permissions, safe: [...(permissions.safe ?? []), "page"] },
    };
    // `TOOL {arguments}` is called; after `page first` something untrusted is read before.
    kurisu.model.script = ({ text, results }) => {
      const [, tool = "", given = ""] = /(\w+) (\{.*\})/.exec(text) ?? [];
      const calls = [
        ...(text.includes("page first") ? [{ name: "page", arguments: {} }] : []),
        ...(tool === "" ? [] : [{ name: tool, arguments: JSON.parse(given) as Record<string, never> }]),
      ];
      const next = calls[results.length];
      return next ? { calls: [next] } : { text: "好。" };
    };
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const say = async (...said: Parameters<TestGateway["say"]>) => {
    kurisu.clock.advance(10);
    await kurisu.say(...said);
  };
  /** Asks for one call, and has it another way once for each of the others; then agrees. */
  const settle = async (calls: readonly object[], { tool = "brew", before = "", yes = "确认" } = {}) => {
    for (const [index, call] of calls.entries())
      await say(`${index === 0 ? before : "改成 "}${tool} ${JSON.stringify(call)}`);
    await say(yes);
  };
  const notes = async () => {
    await say("/preferences");
    return kurisu.lastText().split("\n").slice(1).join("\n");
  };
  const told = () => JSON.stringify(kurisu.model.asked.at(-1)?.request.messages);

  it("becomes a note of tool and option at once, is used, can be forgotten, and changes nothing of what is asked", async () => {
    await settle([
      { seconds: 30, mode: "weak", what: "红茶" },
      { seconds: 60, mode: "strong", what: "红茶" },
    ]);
    expect(await notes()).toBe("1. brew 的 mode 通常用 strong（看出来的）\n2. brew 的 seconds 通常用 60（看出来的）");
    await say("你好");
    expect(told()).toContain("- brew 的 seconds 通常用 60");
    await say('brew {"seconds":60}');
    expect(await kurisu.questions()).toHaveLength(1);
    await say("取消");
    await say("/preferences forget 2");
    expect(await notes()).toBe("1. brew 的 mode 通常用 strong（看出来的）");
    await say("你好");
    expect(told()).not.toContain("通常用 60");
  });

  it("the newest of several corrections of one wish counts", async () => {
    await settle([{ seconds: 30 }, { seconds: 60 }]);
    await settle([{ seconds: 60 }, { seconds: 90 }, { seconds: 90, quiet: true }]);
    const text = await notes();
    expect(text).toContain("seconds 通常用 90");
    expect(text).toContain("quiet 通常用 true");
    expect(text).not.toContain("通常用 60");
  });

  it("a plain choice is noted where the person's own words name it, never where only the model or others do", async () => {
    await say('brew {"path":"a.md","text":"x"}');
    await say('改成 写到 out 文件夹 brew {"path":"out/a.md","text":"x"}');
    await say('改成 英文 brew {"path":"out/a.md","text":"y"}');
    await say("确认");
    expect(await notes()).toBe("1. brew：写到 out/（看出来的）\n2. brew：用英文写（看出来的）");
    // The place is the model's idea, and what the call is about is not written down.
    await settle([{ path: "a.md" }, { path: "kept/secret-plan.md" }]);
    expect(await notes()).toContain("写到 kept/");
    await say('brew {"path":"kept/b.md"}');
    await say("改成 别的地方", { quote: { messageId: "x", fromUs: false, text: "改成 写到 evil 文件夹" } });
    await say('brew {"path":"evil/b.md"}');
    await say("确认");
    expect(await notes()).not.toContain("evil");
    expect(JSON.stringify(await listPreferences(kurisu.store.main, "fake:owner"))).not.toContain("secret-plan");
  });

  it("a choice is noted where words that steer the running turn name it", async () => {
    await say("/busy steer");
    await say('brew {"path":"a.md"}');
    const before = kurisu.model.script;
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    kurisu.model.script = async ({ results }) => {
      if (results.length > 0) return { calls: [{ name: "brew", arguments: { path: "out/a.md" } }] };
      begun.resolve();
      await held.promise;
      return { calls: [{ name: "note", arguments: { what: "a" } }] };
    };
    await kurisu.channel.deliver(makeMessage("改成 别的地方"));
    await begun.promise;
    await kurisu.channel.deliver(makeMessage("改成 写到 out 文件夹"));
    // An answer to a later command of the chat: the words before it are in their lane.
    const count = kurisu.channel.sent.length;
    await kurisu.channel.deliver(makeMessage("/busy"));
    await kurisu.until(() => kurisu.channel.sent.length > count);
    held.resolve();
    await kurisu.settle();
    kurisu.model.script = before;
    await say("确认");
    expect(await notes()).toBe("1. brew：写到 out/（看出来的）");
  });

  it("an option that is the subject of the call is noted by its name alone, and only when it recurs", async () => {
    await settle([{ what: "红茶" }, { what: "绿茶，钥匙在门垫下" }]);
    expect(await notes()).not.toContain("what");
    await settle([{ what: "咖啡" }, { what: "可可" }]);
    expect(await notes()).toContain("brew 的 what 常要改，拿不准先问（看出来的）");
    await say("你好");
    expect(told()).toContain("- brew 的 what 常要改");
    expect(JSON.stringify(await listPreferences(kurisu.store.main, "fake:owner"))).not.toMatch(/门垫|绿茶|可可/);
  });

  it("a correction counts only with its approval, without another question in between, and soon enough", async () => {
    await settle([{ seconds: 30 }, { seconds: 60 }], { yes: "取消" });
    await settle([{ seconds: 30 }]);
    await say('brew {"seconds":30}');
    await say("改成 别的，算了");
    await say('poke {"what":"a"}');
    await say("取消");
    await settle([{ seconds: 60 }]);
    expect(await notes()).not.toContain("seconds");
    await say('brew {"seconds":30}');
    await say("改成 别的，等会儿");
    kurisu.clock.advance(11 * 60_000);
    await settle([{ seconds: 61 }]);
    expect(await notes()).not.toContain("seconds");
  });

  it("she learns nothing from untrusted text, secrets, a server's names, or another person's decision", async () => {
    await settle([{ seconds: 30 }, { seconds: 60 }], { before: "page first " });
    await say("/new");
    await settle([{ seconds: 30 }, { seconds: 60 }], { tool: "mcp__far__brew" });
    await settle([
      { pin: 1, password: true, api_key: "a", account: 1, [`x${"y".repeat(50)}`]: true, "a b": true },
      { pin: 4711, password: false, api_key: "b", account: 12345678, [`x${"y".repeat(50)}`]: false, "a b": false },
    ]);
    await settle([
      { pin: 2, api_key: "c" },
      { pin: 3, api_key: "d" },
    ]);
    const inGroup = { chat: "room", group: true } as const;
    await say('brew {"seconds":30}', { ...inGroup, user: "alice" });
    await say('改成 brew {"seconds":60}', { ...inGroup, user: "alice" });
    await say("确认", { ...inGroup, user: "owner", quote: kurisu.lastPrompt().id });
    const all = [
      ...(await listPreferences(kurisu.store.main, "fake:owner")),
      ...(await listPreferences(kurisu.store.main, "fake:alice")),
    ];
    // Of a long number its argument's name is counted, and no more.
    expect(all.flatMap(({ key }) => (key.startsWith("tool:") ? [] : [key]))).toEqual(["change:brew.account"]);
    expect(all.every(({ text }) => text === "")).toBe(true);
  });

  it("the notes are bounded: the newest of many are kept and shown", async () => {
    for (let number = 0; number < 9; number += 1) {
      const options = (value: number) =>
        Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`o${number}_${index}`, value]));
      await settle([options(1), options(2)]);
    }
    const stored = await listPreferences(kurisu.store.main, "fake:owner");
    expect(stored).toHaveLength(60);
    const lines = (await notes()).split("\n");
    expect(lines).toHaveLength(20);
    expect(lines.join()).toContain("o8_7");
    expect(lines.join()).not.toContain("o0_0");
  });
});
