import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFetchTool } from "../../../src/features/work-tools/fetch.ts";
import { createGrepTool } from "../../../src/features/work-tools/grep.ts";
import { createSendFileTool } from "../../../src/features/work-tools/send-file.ts";
import { createShellTool } from "../../../src/features/work-tools/shell.ts";
import { createWebSearchTool, listSearchEngines } from "../../../src/features/work-tools/web-search.ts";
import type { SearchQuestion } from "../../../src/features/work-tools/web-search/search-engine.ts";
import { writeSites } from "../../../src/features/work-tools/web-search/search-engine.ts";
import { createGuardedFetch } from "../../../src/web/guarded-fetch.ts";
import { ConfigFolder } from "../../support/config-folder.ts";
import { createToolContext } from "../../support/tool-context.ts";
import { allowSites, startSite } from "../../support/web-server.ts";
import { patienceMs } from "../../support/patience.ts";

const main = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));

let folder: ConfigFolder;
beforeEach(() => {
  folder = new ConfigFolder();
});
afterEach(() => folder.remove());

async function run(...given: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [main, "tools", ...given], {
    cwd: folder.path,
    env: { KURISU_HOME: `${folder.path}/data`, SEARXNG_URL: "http://127.0.0.1:9" },
    timeout: patienceMs,
  });
  return stdout;
}

describe("a second tool of a kind", () => {
  it("a second tool has its own name, description, defaults and level, and the first stays as it was", async () => {
    folder.write(
      "config/system/tools.yaml",
      [
        "tools:",
        "  search_docs: { use: web_search, description: Search the manuals., sites: [docs.python.org], maxResults: 3 }",
        "  sh: { use: shell, maxTimeout: 5s }",
        "rules: [{ tool: search_docs, level: confirm }, { tool: sh, level: safe }, { tool: web_search, level: deny }]",
      ].join("\n"),
    );
    const rows = (await run("list", "--json"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { name: string });
    expect(rows.filter(({ name }) => ["search_docs", "web_search", "sh"].includes(name))).toMatchObject([
      { name: "web_search", level: "deny" },
      { name: "search_docs", level: "confirm", source: "builtin", available: true },
      // A second shell is a shell: it always asks.
      { name: "sh", level: "confirm" },
    ]);
    const defined = JSON.parse(await run("list", "--format", "anthropic")) as {
      readonly name: string;
      readonly description: string;
      readonly input_schema: { readonly properties: Readonly<Record<string, { default?: unknown; maximum?: number }>> };
    }[];
    const find = (wanted: string) => defined.find(({ name }) => name === wanted);
    expect(find("search_docs")).toMatchObject({
      description: "Search the manuals.",
      input_schema: { properties: { max_results: { default: 3 } } },
    });
    expect(find("web_search")?.input_schema.properties["max_results"]?.default).toBe(5);
    expect(find("sh")?.input_schema.properties["timeout"]?.maximum).toBe(5);
  });

  it("a second tool is denied where the lists omit it, whatever they say of the first", async () => {
    folder.write(
      "config/system/tools.yaml",
      "permissions: { safe: [web_search] }\ntools: { search_docs: { use: web_search } }\n",
    );
    expect(await run("list")).toMatch(/^search_docs +deny /m);
  });
});

describe("options", () => {
  it("the option hosts limits fetch to these hosts, and no redirect leads away from them", async () => {
    const site = await startSite((request, response) => {
      if (request.url === "/away") response.writeHead(302, { location: "https://other.example/" }).end();
      else response.writeHead(200, { "content-type": "text/plain" }).end("hello");
    });
    const guardedFetch = createGuardedFetch({ allowAddress: allowSites(site) });
    const read = (url: string, hosts?: string[]) => {
      const tool = createFetchTool({ guardedFetch, ...(hosts && { hosts }), maxBytes: 4 });
      return tool.run(tool.input.parse({ url }), createToolContext());
    };
    expect(await read(`${site.origin}/`, ["127.0.0.1"])).toMatchObject({ ok: true, output: { content: "hell" } });
    const refused = { ok: false, error: expect.stringMatching(/is not among the hosts this tool may read/) };
    expect(await read(`${site.origin}/`, ["*.example.com"])).toMatchObject(refused);
    expect(await read(`${site.origin}/away`, ["127.0.0.1"])).toMatchObject(refused);
  });

  it("the options of web_search set the order of engines and limit the sites", async () => {
    const asked: SearchQuestion[] = [];
    const urls = [
      "https://docs.python.org/3/",
      "https://evil.example/",
      "https://a.docs.python.org/",
      "https://xdocs.python.org/",
    ];
    const engine = {
      name: "E",
      search: async (question: SearchQuestion) => {
        asked.push(question);
        return { kind: "found" as const, results: urls.map((url) => ({ title: "t", url, snippet: "s" })) };
      },
    };
    const tool = createWebSearchTool({ engines: [engine], sites: ["docs.python.org"], depth: "advanced" });
    const found = await tool.run(tool.input.parse({ query: "asyncio" }), createToolContext());
    expect(found).toMatchObject({
      found: [urls[0], urls[2]],
      output: { results: [{ url: urls[0] }, { url: urls[2] }] },
    });
    expect(asked).toMatchObject([{ sites: ["docs.python.org"], depth: "advanced", maxResults: 5 }]);
    expect(asked.map(writeSites)).toEqual(["asyncio site:docs.python.org"]);
    const settings = { searxngUrl: "http://s.example", tavilyApiKey: "t", braveApiKey: "b" };
    expect(listSearchEngines(settings, ["brave", "searxng"]).map(({ name }) => name)).toEqual(["Brave", "SearXNG"]);
    expect(listSearchEngines({ tavilyApiKey: "t" }, ["brave"])).toEqual([]);
  });

  it("the options of the other tools set defaults and limits of their arguments", async () => {
    const parts = {} as Parameters<typeof createGrepTool>[0] & Parameters<typeof createShellTool>[0];
    expect(createGrepTool({ ...parts, limit: 7 }).input.parse({ pattern: "a" })).toMatchObject({ limit: 7 });
    const shell = createShellTool({ ...parts, maximumTimeoutSeconds: 2 });
    expect(shell.input.parse({ command: "ls" })).toMatchObject({ timeout: 2 });
    expect(shell.input.safeParse({ command: "ls", timeout: 3 }).success).toBe(false);
    const limits: (number | undefined)[] = [];
    const workspace = {
      readBytes: async (_session: string, _path: string, limit?: number) => {
        limits.push(limit);
        return { ok: false, error: "too large." };
      },
    } as unknown as Parameters<typeof createSendFileTool>[0]["workspace"];
    const delivery = { limitFor: () => 50, deliver: () => Promise.reject(new Error("never")) };
    const place = { session: "s", chatKind: "private", language: "zh" } as const;
    for (const maxBytes of [10, 90])
      await createSendFileTool({ workspace, delivery, maxBytes }).inspect?.({ path: "a", caption: "" }, place);
    expect(limits).toEqual([10, 50]);
  });

  it("an option that a tool lacks, or a second tool under an existing name, is a fault at its place", () => {
    folder.write(
      "config/system/tools.yaml",
      [
        "tools:",
        "  fetch: { sites: [a.example], hosts: [https://a.example] }",
        "  grep: { use: glob }",
        "  Second: { use: web_search, limit: 3 }",
        "  clock: { use: clock }",
        "  lamp: { use: fetch }",
        "  mcp__x__y: { timeout: 5s, limit: 3 }",
        "http: { lamp: { description: A lamp., endpoint: http://home.lan/lamp } }",
      ].join("\n"),
    );
    expect(folder.faults().map((line) => line.replace(/^.*?tools\.yaml:/, ""))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^2:40 tools\.fetch\.hosts\.0: must be the name of a host/),
        expect.stringMatching(/^5:17 tools\.clock\.use: must be one of time, /),
      ]),
    );
    folder.write(
      "config/system/tools.yaml",
      [
        "tools:",
        "  fetch: { sites: [a.example] }",
        "  grep: { use: glob }",
        "  Second: { use: web_search, limit: 3 }",
        "  lamp: { use: fetch }",
        "  mcp__x__y: { timeout: 5s, limit: 3 }",
        "http: { lamp: { description: A lamp., endpoint: http://home.lan/lamp } }",
      ].join("\n"),
    );
    expect(folder.faults().map((line) => line.replace(/^.*?tools\.yaml:/, ""))).toEqual([
      "2:19 tools.fetch.sites: is an option of web_search only",
      "3:16 tools.grep.use: grep is a tool itself; give the second one another name",
      "4:11 tools.Second: must be a snake_case name",
      "4:37 tools.Second.limit: is an option of file_read, glob, grep only",
      "5:16 tools.lamp.use: http has a tool lamp as well",
      "6:36 tools.mcp__x__y.limit: is an option of file_read, glob, grep only",
    ]);
  });
});
