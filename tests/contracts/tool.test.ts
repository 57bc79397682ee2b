import { globSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { z } from "zod";
import { beforeEach, describe, expect, it } from "vitest";
import { createFileDeleteTool } from "../../src/features/work-tools/file-delete.ts";
import { createFileEditTool } from "../../src/features/work-tools/file-edit.ts";
import { createFilePatchTool } from "../../src/features/work-tools/file-patch.ts";
import { createFileReadTool } from "../../src/features/work-tools/file-read.ts";
import { createFileWriteTool } from "../../src/features/work-tools/file-write.ts";
import { createGlobTool } from "../../src/features/work-tools/glob.ts";
import { createGrepTool } from "../../src/features/work-tools/grep.ts";
import { createSearchThreads } from "../../src/features/work-tools/search-thread.ts";
import { createBrowserTool } from "../../src/features/work-tools/browser.ts";
import { createFetchTool } from "../../src/features/work-tools/fetch.ts";
import type { JsonObject } from "../../src/core/conversation.ts";
import { createScrubber } from "../../src/core/scrub-secrets.ts";
import { createSendFileTool } from "../../src/features/work-tools/send-file.ts";
import { createFollowedCommands } from "../../src/features/work-tools/followed-commands.ts";
import { describeKeyArgument } from "../../src/kernel/tools/key-argument.ts";
import { createScreenshotTool } from "../../src/features/work-tools/screenshot.ts";
import { createShellTool } from "../../src/features/work-tools/shell.ts";
import { createShellOutputTool } from "../../src/features/work-tools/shell-output.ts";
import { createThinkTool } from "../../src/kernel/tools/builtin/think.ts";
import { createTimeTool } from "../../src/kernel/tools/builtin/time.ts";
import { createWebSearchTool, listSearchEngines } from "../../src/features/work-tools/web-search.ts";
import { createTodoTool } from "../../src/kernel/tools/builtin/todo.ts";
import { parseArguments } from "../../src/kernel/gate/parse-arguments.ts";
import { describeTool } from "../../src/kernel/tools/describe-tool.ts";
import { createOffSandbox } from "../../src/sandbox/open-sandbox.ts";
import type { Tool } from "../../src/kernel/tools/types.ts";
import { createHostBrowser } from "../../src/web/browser/host-browser.ts";
import { createBrowser } from "../../src/web/browser/open-page.ts";
import { createGuardedFetch } from "../../src/web/guarded-fetch.ts";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import type { Workspace } from "../../src/workspace/types.ts";
import { createEffectTools } from "../support/effect-tools.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestStore } from "../support/test-store.ts";
import { fitInto } from "../support/fit-results.ts";
import { createToolContext } from "../support/tool-context.ts";
import { listWrongArguments } from "../support/wrong-arguments.ts";

/** Tools of a feature, from tests/features/NAME/contract-tools.ts. */
interface ContractTools {
  readonly examples: Readonly<Record<string, JsonObject>>;
  /** Those that only read, and can answer here. */
  readonly answersHere: readonly string[];
  readonly create: () => readonly Tool[];
}

const features = join(import.meta.dirname, "../features");
const others = await Promise.all(
  globSync("*/contract-tools.ts", { cwd: features }).map(
    (file) => import(join(features, file)) as Promise<ContractTools>,
  ),
);

/** Arguments each tool takes. */
const examples: Readonly<Record<string, JsonObject>> = {
  ...Object.assign({}, ...others.map((of) => of.examples)),
  time: {},
  shell: { command: "ls -la" },
  shell_output: { id: "cmd_00c0ffee" },
  file_read: { path: "notes.txt" },
  file_write: { path: "notes.txt", content: "hello" },
  file_edit: { path: "notes.txt", old: "hello", new: "bye" },
  file_patch: { path: "notes.txt", patch: "@@ -1 +1 @@\n-hello\n+bye\n" },
  file_delete: { path: "notes.txt" },
  glob: { pattern: "**/*.txt" },
  grep: { pattern: "hello" },
  fetch: { url: "https://example.com/" },
  web_search: { query: "time machine" },
  screenshot: { url: "https://example.com/" },
  browser: { url: "https://example.com/" },
  think: { thought: "The hippocampus comes first." },
  todo: { items: [{ text: "outline", status: "active" }] },
  send_file: { path: "notes.txt" },
};

/** What may change something, and can be tried out on a copy of the workspace. */
const effective = ["shell", "file_write", "file_edit", "file_patch", "file_delete", "poke"];

/** Those that only read, and can answer here. */
const answersHere = ["time", "think", "file_read", "glob", "grep", "todo", "peek"].concat(
  others.flatMap((of) => of.answersHere),
);

let tools: ReadonlyMap<string, Tool>;
let workspace: Workspace;
let otherWorkspace: Workspace;
beforeEach(async () => {
  workspace = createWorkspace({ root: await createTemporaryFolder() });
  otherWorkspace = createWorkspace({ root: await createTemporaryFolder() });
  const sandbox = createOffSandbox();
  const threads = createSearchThreads();
  const browser = createBrowser({ place: createHostBrowser() });
  const store = await createTestStore();
  const builtin = [
    createTimeTool({ defaultZone: "Asia/Shanghai" }),
    createShellTool({ sandbox, workspace, defaultTimeoutSeconds: 30 }),
    createShellOutputTool({ sandbox, followed: createFollowedCommands({ sandbox }) }),
    createFileReadTool({ workspace }),
    createFileWriteTool({ workspace }),
    createFileEditTool({ workspace }),
    createFilePatchTool({ workspace }),
    createFileDeleteTool({ workspace }),
    createGlobTool({ workspace, threads }),
    createGrepTool({ workspace, threads }),
    createFetchTool({ guardedFetch: createGuardedFetch() }),
    createWebSearchTool({ engines: listSearchEngines({ searxngUrl: "http://127.0.0.1:1" }) }),
    createScreenshotTool({ browser }),
    createBrowserTool({ browser }),
    createThinkTool(),
    createTodoTool({ database: () => store.main }),
    ...others.flatMap(({ create }) => create()),
    createSendFileTool({
      workspace,
      delivery: { limitFor: () => 1_000, deliver: async () => ({ kind: "refused", reason: "Nobody is there." }) },
    }),
  ] as Tool[];
  const ours = createEffectTools(() => 0).tools;
  tools = new Map([...builtin, ...ours].map((tool) => [tool.name, tool]));
});

const names = [...Object.keys(examples), "poke", "note", "peek", "read_page", "never"];

describe.each(names)("the tool %s", (name) => {
  const find = (): Tool => {
    const tool = tools.get(name);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool;
  };
  const example = examples[name] ?? { what: "a" };
  const parse = (): unknown => {
    const parsed = parseArguments(find(), example);
    if (!parsed.ok) throw new Error(parsed.error);
    return parsed.input;
  };

  it("a tool's name cannot be taken for one of an MCP server", () => {
    expect(name).toMatch(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/);
  });

  it("tells the model of itself in both languages, with a JSON Schema of an object", () => {
    for (const language of ["zh", "en"] as const) {
      const offered = describeTool(find(), language);
      expect(offered.description).toMatch(/\S/);
      expect(offered.parameters).toMatchObject({ type: "object", additionalProperties: false });
      expect(JSON.parse(JSON.stringify(offered))).toEqual(offered);
    }
  });

  it("keeps to its arguments: unknown keys are refused, whatever they are", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.jsonValue(), (key, value) => {
        const known = Object.keys(z.toJSONSchema(find().input, { io: "input" }).properties ?? {});
        fc.pre(!known.includes(key) && key !== "__proto__");
        expect(parseArguments(find(), { ...example, [key]: JSON.parse(JSON.stringify(value)) as string }).ok).toBe(
          false,
        );
      }),
      { numRuns: 50 },
    );
  });

  it("tells the model of each wrong argument which one it is and what rule it breaks", () => {
    const wrong = listWrongArguments(describeTool(find(), "en").parameters, example);
    expect(wrong.length).toBeGreaterThan(0);
    for (const { given, about } of wrong) {
      const parsed = parseArguments(find(), given);
      const error = parsed.ok ? `takes ${JSON.stringify(given).slice(0, 200)}` : parsed.error;
      expect(error).toMatch(new RegExp(`^Wrong arguments for ${name}: (?:.*; )?${about}[.:].*\\S`));
      expect(error.length).toBeLessThan(1_000);
    }
  });

  it("shows of its arguments no secret, on one line of at most 50 letters", () => {
    const secret = "hunter2-hunter2-hunter2";
    const scrub = createScrubber([secret]);
    for (const [key, value] of Object.entries(example)) {
      if (typeof value !== "string") continue;
      for (const text of [secret, `${value} ${secret}`, `https://${secret}.test/${secret}`, `${secret}\n`]) {
        const shown = describeKeyArgument(find(), { ...example, [key]: text }, scrub);
        expect(shown).not.toMatch(/hunter2|\n/);
        expect(Array.from(shown).length).toBeLessThanOrEqual(50);
      }
    }
  });

  it.each(answersHere.filter((one) => one === name))(
    "keeps nothing between calls: what another conversation does changes no answer",
    async () => {
      await workspace.write("cli:main", "notes.txt", "hello\n", "write");
      await workspace.write("cli:other", "notes.txt", "good bye, hello\n", "write");
      const input = name === "todo" ? {} : parse();
      const ask = (session: string) => find().run(input, createToolContext({ session }));
      const first = await ask("cli:main");
      expect(first.ok).toBe(true);
      await ask("cli:other");
      if (name === "todo") await find().run(parse(), createToolContext({ session: "cli:other" }));
      expect(await ask("cli:main")).toEqual(first);
    },
  );

  it("says what it would do, the same every time, and how long it may take", () => {
    const [one, other] = [parse(), parse()];
    expect(find().summarize(one)).toBe(find().summarize(other));
    expect(find().detail?.(one, "zh")).toBe(find().detail?.(other, "zh"));
    expect(find().timeoutMs(one)).toBeGreaterThan(0);
    expect(find().timeoutMs(one)).toBeLessThanOrEqual(600_000);
  });

  it("asks first where it changes something", () => {
    // note and never stand in tests for what rules may make of a tool.
    const asks = effective.includes(name) || name === "browser" || name === "send_file";
    expect(find().level === "confirm").toBe(asks);
    expect(asks && find().readOnly).toBe(false);
  });

  it("a tool on a copy of the workspace is the same tool, if it can be tried out at all", () => {
    const { onCopy } = find();
    // Only what can reach nothing but the workspace; peek and the others of the tests do not touch it.
    expect(onCopy !== undefined).toBe(effective.includes(name));
    if (!onCopy) return;
    const copy = onCopy(otherWorkspace);
    const input = parse();
    expect(parseArguments(copy, example)).toEqual(parseArguments(find(), example));
    for (const of of [copy, find()]) {
      const { level, readOnly, place, source } = of;
      expect({ level, readOnly, place, source, detail: of.detail?.(input, "zh"), limit: of.timeoutMs(input) }).toEqual({
        level: "confirm",
        readOnly: false,
        place: find().place,
        source: "builtin",
        detail: find().detail?.(input, "zh"),
        limit: find().timeoutMs(input),
      });
    }
  });

  it("answers with data, not with a fault, when it cannot do it", async () => {
    const aborted = AbortSignal.abort(new Error("stopped"));
    const result = await find().run(parse(), createToolContext({ signal: aborted }));
    expect(typeof result.ok).toBe("boolean");
    expect(result.ok || result.error.length > 0).toBe(true);
  });
});

describe("a flood of output", () => {
  it.each([
    ["file_read", { path: "long.txt", limit: 2000 }],
    ["grep", { pattern: "e", limit: 1000, context: 20 }],
    ["glob", { pattern: "**", limit: 2000 }],
  ])("the output of %s fits a prompt, and the rest can be read", async (name, given) => {
    const session = "cli:main";
    await workspace.write(session, "long.txt", "one line of text that is here\n".repeat(20_000), "write");
    for (let index = 0; index < 300; index++) {
      await workspace.write(
        session,
        `a folder with a long name ${"x".repeat(60)}/file number ${index}.txt`,
        "e",
        "write",
      );
    }
    const tool = tools.get(name);
    const parsed = tool && parseArguments(tool, given);
    if (!tool || parsed?.ok !== true) throw new Error(name);
    const fit = fitInto(workspace);
    const context = createToolContext({ session });
    const result = await fit(await tool.run(parsed.input, context), context);
    const shown = JSON.stringify(result.output);
    expect(result.ok).toBe(true);
    expect(shown.length).toBeLessThanOrEqual(16_000);
    expect(shown).toMatch(/"has_more":true|whole in results\//);
  });
});

it("two lists written in one round do not race", () => {
  expect(tools.get("todo")?.concurrencySafe).toBe(false);
});
