import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../../../src/store/schema/database.ts";
import { createTodoTool } from "../../../src/kernel/tools/builtin/todo.ts";
import { createFetchTool } from "../../../src/features/work-tools/fetch.ts";
import { createFileReadTool } from "../../../src/features/work-tools/file-read.ts";
import { createFileWriteTool } from "../../../src/features/work-tools/file-write.ts";
import { createFileEditTool } from "../../../src/features/work-tools/file-edit.ts";
import { createGlobTool } from "../../../src/features/work-tools/glob.ts";
import { createGrepTool } from "../../../src/features/work-tools/grep.ts";
import { createSearchThreads } from "../../../src/features/work-tools/search-thread.ts";
import { createThinkTool } from "../../../src/kernel/tools/builtin/think.ts";
import { createTimeTool } from "../../../src/kernel/tools/builtin/time.ts";
import { createSearxng } from "../../../src/features/work-tools/web-search/searxng.ts";
import { createWebSearchTool } from "../../../src/features/work-tools/web-search.ts";
import { defineTool } from "../../../src/kernel/tools/define-tool.ts";
import { createHttpTool } from "../../../src/kernel/tools/create-http-tool.ts";
import { httpToolOptions } from "../../../src/kernel/tools/http-tool-options.ts";
import type { SealedTool } from "../../../src/kernel/tools/sealed-tool.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { createGuardedFetch } from "../../../src/web/guarded-fetch.ts";
import type { Workspace } from "../../../src/workspace/types.ts";
import { createWorkspace } from "../../../src/workspace/create-workspace.ts";
import { createFolderWriters } from "../../../src/workspace/folder-writers.ts";
import { createKnownContents, type KnownContents } from "../../../src/workspace/known-contents.ts";
import type { TestAgent } from "../send-agents.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";
import { TestGateway } from "../gateway.ts";
import type { TestGatewayOptions } from "../gateway-options.ts";
import type { Script } from "../scripted-model.ts";
import { allowSites, startSite, type TestSite } from "../web-server.ts";

/** The real web, file and other tools with the real gate, and sites of the test that they could really reach. */
export interface ProofBench {
  readonly kurisu: TestGateway;
  /** Pages that people ask for; a path says what it holds. */
  readonly pages: TestSite;
  /** Nobody ever named it: what arrives here got out. */
  readonly foreign: TestSite;
  /** The server of the operator's own tool `lookup`, and the search engine. */
  readonly operator: TestSite;
  /** Effects that happened, by the tool's name. */
  readonly done: string[];
  /** Every tool there is. */
  readonly tools: () => readonly SealedTool[];
}

/** What the sites answer, by path. */
export type Answer = (path: string) => string;

export async function startProofBench(options: {
  readonly page: Answer;
  /** Words of the one result of a search for this. */
  readonly snippet: (query: string) => string;
  readonly lookup: Answer;
  /** Tools that would do harm, as far as nothing is asked: level safe, with an effect. */
  readonly harmful: readonly string[];
  readonly script: (bench: () => ProofBench) => Script;
  readonly recallSkills?: TestGatewayOptions["recallSkills"];
  /** What the MCP server says of its tool; none = there is no server. */
  readonly server?: string;
  /** Real tools, in the place of the stand-ins of their names. */
  readonly real?: (made: {
    readonly workspace: Workspace;
    readonly contents: KnownContents;
    readonly database: () => Kysely<Database>;
  }) => readonly Tool[];
}): Promise<ProofBench> {
  const done: string[] = [];
  const pages = await startSite((request, response) => {
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(options.page(request.url ?? "/"));
  });
  const foreign = await startSite((_, response) => response.end("got it"));
  const operator = await startSite((request, response) => {
    const url = new URL(request.url ?? "/", "http://operator");
    const query = url.searchParams.get("q") ?? "";
    const found = { title: options.snippet(query), url: `${pages.origin}/found`, content: options.snippet(query) };
    const body = url.pathname === "/search" ? { results: [found] } : { answer: options.lookup(query) };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const home = await createTemporaryFolder();
  const writers = createFolderWriters();
  const workspace = createWorkspace({ root: `${home}/workspaces`, writers });
  const database = () => kurisu.store.main;
  const contents = createKnownContents({ database, writers });
  const threads = createSearchThreads();
  const guardedFetch = createGuardedFetch({ allowAddress: allowSites(pages, foreign) });
  const lookup = httpToolOptions.parse({
    description: "Looks a word up.",
    endpoint: `${operator.origin}/lookup`,
    query: { q: "{word}" },
    arguments: { word: { description: "The word." } },
  });
  const tools = [
    createFetchTool({ guardedFetch }),
    createWebSearchTool({ engines: [createSearxng(operator.origin)] }),
    createFileReadTool({ workspace, contents }),
    createFileWriteTool({ workspace, contents }),
    createFileEditTool({ workspace, contents }),
    createGlobTool({ workspace, threads, contents }),
    createGrepTool({ workspace, threads, contents }),
    createTodoTool({ database }),
    createTimeTool({ defaultZone: "Asia/Shanghai" }),
    createThinkTool(),
    createHttpTool("lookup", lookup),
    ...(options.server === "none" ? [] : [askServer(options.lookup, options.server ?? "finds a word")]),
  ] as Tool[];
  const real = options.real?.({ workspace, contents, database }) ?? [];
  const isReal = (name: string): boolean => real.some((tool) => tool.name === name);
  tools.push(...real, ...options.harmful.filter((name) => !isReal(name)).map((name) => harm(name, done)));
  const kurisu = new TestGateway({
    place: { home },
    tools,
    agents: [agent],
    // All of a long matrix speak in the same minute.
    limits: { messages: { person: 10_000, owner: 10_000, all: 100_000 } },
    ...(options.recallSkills && { recallSkills: options.recallSkills }),
  });
  // The operator trusts that server as far as can be.
  kurisu.rules.current = { permissions: {}, rules: [{ tool: "mcp__*", level: "safe" }], exclude: [] };
  const bench = { kurisu, pages, foreign, operator, done, tools: () => kurisu.tools };
  kurisu.model.script = options.script(() => bench);
  await kurisu.start();
  return bench;
}

const agent: TestAgent = {
  id: "reader",
  description: { zh: "读网页", en: "reads pages" },
  prompt: "Read it.",
  tools: ["*"],
  exclude: [],
  model: "inherit",
  rounds: 4,
};

function harm(name: string, done: string[]): Tool {
  return defineTool({
    name,
    description: { zh: name, en: name },
    input: z.record(z.string(), z.unknown()),
    level: name === "shell" ? "confirm" : "safe",
    readOnly: false,
    idempotent: false,
    place: "gateway",
    summarize: () => name,
    run: () => {
      done.push(name);
      return Promise.resolve({ ok: true, output: "done" });
    },
  }) as Tool;
}

/** What the bridge makes of a tool of an MCP server that the operator has declared to read only. */
function askServer(answer: Answer, description: string): Tool {
  const tool = defineTool({
    name: "mcp__words__find",
    description: { zh: description, en: description },
    input: z.strictObject({ word: z.string() }),
    level: "confirm",
    readOnly: true,
    idempotent: true,
    taint: "untrusted",
    place: "network",
    summarize: ({ word }) => word,
    run: ({ word }) => Promise.resolve({ ok: true, output: answer(word) }),
  });
  return { ...tool, source: "mcp" } as Tool;
}
