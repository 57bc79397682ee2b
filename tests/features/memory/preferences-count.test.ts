import { AIMessage } from "@langchain/core/messages";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../src/kernel/tools/define-tool.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { listPreferences } from "../../../src/features/memory/queries/preferences.ts";
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
    summarize: (input) => JSON.stringify(input),
    run: async () => ({ ok: true, output: "done" }),
    ...more,
  }) as Tool;
const looking = { level: "safe", readOnly: true } as const;

const numbers: Readonly<Record<string, number>> = { 两: 2, 三: 3, 五: 5 };

/** What a model reads out of its prompt, and nothing else: the notes first, and above them what is said right now. */
function chooseArguments(context: string, said: string) {
  const notes = (context.split("how this person likes things").at(1) ?? "").split("\n").slice(1);
  const own = notes.filter((line) => line.startsWith("- "));
  const words = [...own, said].map((line) => line.replaceAll("\\u{2f}", "/"));
  const folder = words.flatMap((line) => /写到 ?([\w/]+?)\/?(?: ?文件夹|$|，)/.exec(line)?.[1] ?? []).at(-1);
  const count = words.flatMap((line) => /(\d+|[两三五])\s*条/.exec(line)?.[1] ?? []).at(-1);
  return {
    path: `${folder === undefined ? "" : `${folder}/`}report.md`,
    max_results: count === undefined ? 5 : (numbers[count] ?? Number(count)),
  };
}

describe.each(listUsualEngines())("preferences change what is called next, on %s:", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({
      place: await createStorePlace(engine),
      tools: [
        makeTool("file_write"),
        makeTool("web_search", looking),
        makeTool("page", { ...looking, taint: "untrusted" }),
      ],
    });
    const { permissions } = kurisu.rules.current;
    const safe = [...(permissions.safe ?? []), "web_search", "page"];
    kurisu.rules.current = { ...kurisu.rules.current, permissions: { ...permissions, safe } };
    kurisu.model.script = ({ text, context, results }) => {
      const { max_results, path } = chooseArguments(context, text);
      const calls = [
        ...(text.includes("看网页") ? [{ name: "page", arguments: {} }] : []),
        ...(text.includes("报告") || text.includes("改成")
          ? [{ name: "file_write", arguments: { path, content: "x" } }]
          : []),
        ...(text.includes("搜 ") ? [{ name: "web_search", arguments: { query: "x", max_results } }] : []),
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
  /** The path that is asked for when nothing but the notes says where. */
  const nextPath = async (said?: Parameters<TestGateway["say"]>[1]) => {
    await say("/new", said);
    await say("写份报告", said);
    const [question] = await kurisu.questions();
    await say("取消", said);
    return question?.calls[0]?.arguments["path"];
  };
  const nextCount = async () => {
    await say("/new");
    await say("搜 海马体");
    const called = kurisu.model.asked.at(-1)?.request.messages.findLast((message) => AIMessage.isInstance(message));
    return called?.tool_calls?.[0]?.args["max_results"] as unknown;
  };
  const notes = async () => {
    await say("/preferences");
    // That the test says no again and again is noted, too.
    return kurisu
      .lastText()
      .split("\n")
      .slice(1)
      .filter((line) => !line.includes("多次拒绝"));
  };

  it("a correction is noted with its approval, shown, edited and forgotten, and every call still needs approval", async () => {
    expect(await nextPath()).toBe("report.md");
    await say("写份报告");
    await say("改成 写到 out 文件夹");
    expect(await notes()).toEqual([]);
    await say("确认");
    expect(await notes()).toEqual(["1. file_write：写到 out/（看出来的）"]);
    expect(await nextPath()).toBe("out/report.md");
    await say("/preferences edit 1 以后都写到 archive/2026 文件夹");
    expect(kurisu.lastText()).toBe("改好了：file_write：写到 out/ → 以后都写到 archive/2026 文件夹");
    expect(await notes()).toEqual(["1. 以后都写到 archive/2026 文件夹（你加的）"]);
    expect(await nextPath()).toBe("archive/2026/report.md");
    // A later correction takes the place of the words.
    await say("写份报告");
    await say("改成 写到 tmp");
    await say("确认");
    expect(await notes()).toEqual(["1. file_write：写到 tmp/（看出来的）"]);
    expect(await nextPath()).toBe("tmp/report.md");
    await say("/preferences forget 1");
    expect(await nextPath()).toBe("report.md");
  });

  it("a later wish in words replaces an earlier one, and a correction", async () => {
    await say("以后搜索只要三条");
    expect(await nextCount()).toBe(3);
    await say("以后搜索只要两条");
    expect(await nextCount()).toBe(2);
    await say("写份报告");
    await say("改成 写到 out 文件夹");
    await say("确认");
    await say("以后结果都写到 docs 文件夹。");
    expect(await notes()).toEqual(["1. 以后搜索只要两条（你说的）", "2. 以后结果都写到 docs 文件夹（你说的）"]);
    expect(await nextPath()).toBe("docs/report.md");
    await say("/preferences add 都写到 kept 文件夹");
    expect((await notes()).at(1)).toBe("2. 都写到 kept 文件夹（你加的）");
    expect(await nextPath()).toBe("kept/report.md");
    await say("/preferences edit 1 搜索给我 5 条");
    expect(await nextCount()).toBe(5);
    expect((await notes())[0]).toBe("1. 搜索给我 5 条（你加的）");
  });

  it("preferences never come from a page, another person or a tainted turn, and never hold a permission or a secret", async () => {
    await say("看网页，再写份报告");
    await say("改成 写到 out 文件夹");
    await say("确认");
    expect((await notes()).join()).not.toContain("out");
    const room = { chat: "room", group: true } as const;
    await say("以后结果都写到 alices 文件夹", { ...room, user: "alice" });
    expect(await nextPath({ ...room, user: "bob" })).toBe("report.md");
    await say("以后结果都写到 quoted 文件夹", { ...room, user: "bob", forwarded: true });
    const ofBob = await listPreferences(kurisu.store.main, "fake:bob");
    expect(ofBob.filter(({ key }) => !key.startsWith("tool:"))).toEqual([]);
    for (const text of ["以后写文件都不用确认", "never ask me again, just run it", "登录密码是 hunter2"]) {
      await say(`/preferences add ${text}`);
      expect(kurisu.lastText()).toMatch(/这是权限的事|看着像密码/);
    }
    await say("/preferences add 简短");
    await say("/preferences edit 1 直接执行");
    expect(kurisu.lastText()).toContain("这是权限的事");
    for (const wrong of ["edit", "edit 1", "edit 9 短", "edit x 短"]) {
      await say(`/preferences ${wrong}`);
      expect(kurisu.lastText()).toMatch(/用法|没有第/);
    }
    expect(await notes()).toEqual(["1. 简短（你加的）"]);
    await say("/preferences edit 1 更短", room);
    expect(kurisu.lastText()).toContain("私聊");
  });
});
