import { describe, expect, it } from "vitest";
import { createWebSearchTool, listSearchEngines } from "../../../src/features/work-tools/web-search.ts";
import { createBrave } from "../../../src/features/work-tools/web-search/brave.ts";
import type { SearchEngine } from "../../../src/features/work-tools/web-search/search-engine.ts";
import { createSearxng } from "../../../src/features/work-tools/web-search/searxng.ts";
import { createTavily } from "../../../src/features/work-tools/web-search/tavily.ts";
import { createToolContext } from "../../support/tool-context.ts";
import { foundPages, startBrave, startSearxng, startTavily } from "../../support/web-search/search-servers.ts";

const search = (
  engines: readonly SearchEngine[],
  given: Partial<Parameters<ReturnType<typeof createWebSearchTool>["run"]>[0]> = {},
) =>
  createWebSearchTool({ engines }).run(
    { query: "time machine", max_results: 5, search_depth: "basic", ...given },
    createToolContext(),
  );

/** Each engine, real requests to a strict server of ours. */
const kinds = [
  {
    name: "SearXNG",
    start: async () => {
      const server = await startSearxng();
      return { server, engine: createSearxng(server.site.origin), wrong: undefined };
    },
  },
  {
    name: "Tavily",
    start: async () => {
      const server = await startTavily("tvly-good");
      const { origin } = server.site;
      return { server, engine: createTavily("tvly-good", origin), wrong: createTavily("tvly-bad", origin) };
    },
  },
  {
    name: "Brave",
    start: async () => {
      const server = await startBrave("BSA-good");
      const { origin } = server.site;
      return { server, engine: createBrave("BSA-good", origin), wrong: createBrave("BSA-bad", origin) };
    },
  },
] as const;

describe.each(kinds)("$name", ({ name, start }) => {
  it("the engine gets the documented request and returns titles, links and plain snippets", async () => {
    const { server, engine } = await start();
    const found = await search([engine], { max_results: 2, query: "世线 & 時間?" });
    expect(found).toMatchObject({
      ok: true,
      output: {
        results: [1, 2].map((number) => ({
          title: `Page ${number}`,
          url: `https://pages.example/${number}`,
          snippet: `About time & ${number}`,
        })),
      },
    });
    expect(found.display).toEqual({
      kind: "table",
      header: ["网站", "标题"],
      rows: [
        ["pages.example", "Page 1"],
        ["pages.example", "Page 2"],
      ],
    });
    expect(server.asked.map((query) => query.replace(" (basic)", ""))).toEqual(["世线 & 時間?"]);
  });

  it("takes the longest question and the most results that the tool lets through", async () => {
    const { engine } = await start();
    const query = "a b ".repeat(100).trim();
    const found = await search([engine], { max_results: 20, query, search_depth: "advanced" });
    expect(found).toMatchObject({ ok: true });
    expect(found.ok && (found.output as { results: unknown[] }).results.length).toBe(20);
  });

  it.each([401, 403, 429, 500])("says what status %d means", async (status) => {
    const { server, engine } = await start();
    server.trouble.current = { status, body: { error: "no" } };
    const found = await search([engine]);
    expect(found.ok ? "" : found.error).toMatch(new RegExp(`^The search failed\\. ${name} [\\w ]+.*\\.$`));
    expect(found.ok ? "" : found.error).not.toContain("undefined");
  });

  it("the tool rejects a malformed answer of the engine and follows no redirect", async () => {
    const { server, engine } = await start();
    for (const body of ["<html>", { results: "none", web: { results: [{}] } }, { results: [{ url: 1 }], web: 3 }]) {
      server.trouble.current = { status: 200, body };
      expect((await search([engine])).ok).toBe(false);
    }
    server.trouble.current = { status: 302, body: "" };
    expect((await search([engine])).ok).toBe(false);
  });

  if (name === "SearXNG") return;

  it("says so when its key is wrong, without the key", async () => {
    const { wrong } = await start();
    if (wrong === undefined) throw new Error(`${name} takes a key`);
    const found = await search([wrong]);
    expect(found.ok ? "" : found.error).toMatch(/key|KEY/);
    expect(found.ok ? "" : found.error).not.toContain("bad");
  });
});

describe("web_search", () => {
  it("asks the next engine when one fails or finds nothing", async () => {
    const searxng = await startSearxng();
    const tavily = await startTavily("key");
    const engines = [createSearxng(searxng.site.origin), createTavily("key", tavily.site.origin)];
    await search(engines);
    expect([searxng.asked.length, tavily.asked.length]).toEqual([1, 0]);
    searxng.trouble.current = { status: 403, body: "Forbidden" };
    expect(await search(engines)).toMatchObject({ ok: true, message: "5 results by Tavily" });
    searxng.trouble.current = { status: 200, body: { results: [] } };
    expect(await search(engines)).toMatchObject({ ok: true, message: "5 results by Tavily" });
    tavily.trouble.current = { status: 200, body: { results: [] } };
    expect(await search(engines)).toMatchObject({ ok: true, output: { results: [] } });
    searxng.trouble.current = { status: 429, body: "" };
    tavily.trouble.current = { status: 432, body: "" };
    const found = await search(engines);
    expect(found.ok ? "" : found.error).toMatch(/SearXNG asks us to slow down.*Tavily says the plan's searches/s);
  });

  it("tells Tavily how deep to look, and reads a second page of SearXNG for it", async () => {
    const tavily = await startTavily("key");
    await search([createTavily("key", tavily.site.origin)], { search_depth: "advanced" });
    expect(tavily.asked).toEqual(["time machine (advanced)"]);
    const searxng = await startSearxng({ perPage: 10 });
    const engine = createSearxng(searxng.site.origin);
    const wide = { max_results: 15, search_depth: "advanced" } as const;
    const found = await search([engine], wide);
    expect(found.ok && (found.output as { results: unknown[] }).results.length).toBe(15);
    expect(searxng.asked.length).toBe(2);
  });

  it("leaves out what is no page, and what it has already", async () => {
    const searxng = await startSearxng();
    const results = ["https://a.example/", "javascript:alert(1)", "https://a.example/", "file:///etc/passwd"];
    searxng.trouble.current = { status: 200, body: { results: results.map((url) => ({ title: "a", url })) } };
    expect(await search([createSearxng(searxng.site.origin)])).toMatchObject({
      output: { results: [{ title: "a", url: "https://a.example/", snippet: "" }] },
    });
  });

  it("says it in a sentence when the engine is not there, or takes too long for the person", async () => {
    const gone = await search([createSearxng("http://127.0.0.1:1")]);
    expect(gone.ok ? "" : gone.error).toMatch(/^The search failed\. SearXNG could not be reached/);
    const stopped = createWebSearchTool({ engines: [createSearxng("http://127.0.0.1:1")] }).run(
      { query: "a", max_results: 1, search_depth: "basic" },
      createToolContext({ signal: AbortSignal.abort(new Error("stop")) }),
    );
    expect(await stopped).toEqual({ ok: false, error: "Stopped." });
  });

  it("web_search is offered only with an engine, the operator's own first", () => {
    expect(createWebSearchTool({ engines: [] }).availability?.()).toMatchObject({ ok: false });
    const all = { searxngUrl: "http://127.0.0.1:8888/", tavilyApiKey: "a", braveApiKey: "b" };
    expect(listSearchEngines(all).map(({ name }) => name)).toEqual(["SearXNG", "Tavily", "Brave"]);
    expect(createWebSearchTool({ engines: listSearchEngines(all) }).availability?.()).toEqual({ ok: true });
    expect(foundPages.length).toBeGreaterThan(20);
  });
});
