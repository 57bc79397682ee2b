import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/conversation.ts";
import { createFetchTool } from "../../src/features/work-tools/fetch.ts";
import { createFileDeleteTool } from "../../src/features/work-tools/file-delete.ts";
import { createFileEditTool } from "../../src/features/work-tools/file-edit.ts";
import { createFilePatchTool } from "../../src/features/work-tools/file-patch.ts";
import { createFileReadTool } from "../../src/features/work-tools/file-read.ts";
import { createFileWriteTool } from "../../src/features/work-tools/file-write.ts";
import { createGlobTool } from "../../src/features/work-tools/glob.ts";
import { createGrepTool } from "../../src/features/work-tools/grep.ts";
import { createSearchThreads } from "../../src/features/work-tools/search-thread.ts";
import { createTimeTool } from "../../src/kernel/tools/builtin/time.ts";
import { createTodoTool } from "../../src/kernel/tools/builtin/todo.ts";
import { createWebSearchTool } from "../../src/features/work-tools/web-search.ts";
import type { Tool } from "../../src/kernel/tools/types.ts";
import { createGuardedFetch } from "../../src/web/guarded-fetch.ts";
import { effectRules } from "../support/effect-tools.ts";
import { TestGateway } from "../support/gateway.ts";

const reading = ["file_read", "glob", "grep", "fetch", "time", "todo", "web_search", "peek"];
const changing = ["file_write", "file_edit", "file_patch", "file_delete"];

let kurisu: TestGateway;
beforeEach(async () => {
  const tools: Tool[] = [];
  kurisu = new TestGateway({ tools });
  const { workspace } = kurisu;
  const threads = createSearchThreads();
  tools.push(
    createFileReadTool({ workspace }) as Tool,
    createFileWriteTool({ workspace }) as Tool,
    createFileEditTool({ workspace }) as Tool,
    createFilePatchTool({ workspace }) as Tool,
    createFileDeleteTool({ workspace }) as Tool,
    createGlobTool({ workspace, threads }) as Tool,
    createGrepTool({ workspace, threads }) as Tool,
    createFetchTool({ guardedFetch: createGuardedFetch() }) as Tool,
    createTimeTool({ defaultZone: "Asia/Shanghai" }) as Tool,
    createTodoTool({ database: () => kurisu.store.main }) as Tool,
    createWebSearchTool({ engines: [] }) as Tool,
  );
  kurisu.rules.current = {
    ...effectRules,
    permissions: { safe: [...reading, "send_file"], confirm: changing, deny: ["never"] },
  };
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

const failing: readonly (readonly [tool: string, input: JsonObject])[] = [
  ["file_read", { path: "none.txt" }],
  ["file_read", { path: "../x" }],
  ["file_read", { path: 3 }],
  ["glob", { pattern: "../*" }],
  ["grep", { pattern: "x", path: "none" }],
  ["fetch", { url: "http://127.0.0.1/" }],
  ["fetch", { url: "nothing" }],
  ["time", { at: "soonish" }],
  ["todo", { items: [{ text: "x", status: "later" }] }],
  ["web_search", { query: "x" }],
  ["send_file", { path: "none.txt" }],
  ["never", {}],
  ["no_such_tool", {}],
];

/** Words of ours: what is in code marks is somebody's command, name or quotation. */
const ours = (text: string) => text.replaceAll(/```[^]*?```|`[^`]*`/g, " ").replaceAll(/\b(?:MCP|JSON|D-Mail)\b/g, " ");
const english = /[A-Za-z]{2,}[ ,]+[a-z]{2,}[ ,]+[a-z]{2,}/;

describe.each([
  ["zh", "请做这个", /\p{Script=Han}/u],
  ["ja", "これをやって", /\p{Script=Hiragana}/u],
] as const)("in a chat in %s", (_, order, own) => {
  it("each thing that does not work has words of its own", async () => {
    for (const [name, input] of failing) {
      kurisu.model.script = ({ results }) => {
        const [result] = results;
        if (result === undefined) return { calls: [{ name, arguments: input }] };
        return { text: (JSON.parse(result) as { say?: string }).say ?? `nothing was said of ${name}` };
      };
      await kurisu.say(order);
      const text = kurisu.lastText();
      expect(ours(text)).not.toMatch(english);
      expect(text).toMatch(own);
    }
  });

  it("a change is told in that language, with the lines counted as an editor does", async () => {
    const session = "fake:bot:owner";
    await kurisu.workspace.write(session, "a.txt", "one\ntwo\n", "write");
    const changes: readonly (readonly [string, JsonObject])[] = [
      ["file_write", { path: "b.txt", content: "l1\nl2\nl3\n" }],
      ["file_edit", { path: "a.txt", old: "one", new: "1", all: true }],
      ["file_delete", { path: "a.txt" }],
    ];
    for (const [name, input] of changes) {
      kurisu.model.script = ({ results }) =>
        results.length === 0 ? { calls: [{ name, arguments: input }] } : { text: "……" };
      await kurisu.say(order);
      const { text } = kurisu.lastPrompt();
      expect(text.replaceAll(/```/g, "").replaceAll(/`[^`]*`/g, " ")).not.toMatch(english);
      await kurisu.say("/stop");
    }
    expect(
      kurisu
        .prompts()
        .map(({ text }) => text)
        .join("\n"),
    ).toMatch(/3 行/);
  });
});

describe("a tool without words of its own for a question", () => {
  it("shows every argument once a rule makes it ask, and its summary alone only where that is all", async () => {
    kurisu.rules.current = { ...kurisu.rules.current, permissions: { safe: [], confirm: [...reading, ...changing] } };
    const ask = async (name: string, input: JsonObject): Promise<string> => {
      kurisu.model.script = ({ results }) =>
        results.length === 0 ? { calls: [{ name, arguments: input }] } : { text: "嗯。" };
      await kurisu.say("做一下", { user: "alice" });
      return kurisu.lastPrompt().text;
    };
    const todo = await ask("todo", { items: [{ text: "买牛奶" }, { text: "给 mallory 转账" }] });
    expect(todo).toContain("买牛奶");
    expect(todo).toContain("给 mallory 转账");
    const grep = (await ask("grep", { pattern: "x", path: ".", context: 7 })).replaceAll("\n┆ ", "");
    expect(grep).toContain('"context":7');
    expect(await ask("file_delete", { path: "a.txt" })).toContain("│ a.txt\n");
  });
});
