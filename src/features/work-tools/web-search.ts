import { workToolWords } from "./words.ts";
import { countOf } from "../../core/words/count-of.ts";
import { z } from "zod";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import { engineNames, type EngineName, type ToolOptions } from "../../kernel/tools/tool-options.ts";
import { nameHosts } from "../../web/name-hosts.ts";
import { createBrave } from "./web-search/brave.ts";
import type { SearchEngine, SearchResult } from "./web-search/search-engine.ts";
import { createSearxng } from "./web-search/searxng.ts";
import { createTavily } from "./web-search/tavily.ts";

/** Characters of one snippet; the model reads the page if it needs more. */
const maxSnippetLength = 1_500;

/** Searches the web by the first engine that answers. */
export function createWebSearchTool({
  engines,
  maxResults: usualResults = 5,
  depth: usualDepth = "basic",
  sites,
}: {
  /** In the order in which they are asked; without one the tool is not offered. */
  readonly engines: readonly SearchEngine[];
} & Pick<ToolOptions, "maxResults" | "depth" | "sites">) {
  return defineTool({
    name: "web_search",
    kind: "search",
    description: {
      zh: "在网上搜索,返回标题、链接和摘要。会变的事实(新闻、价格、版本)先搜再答;摘要不够就用 fetch 读原文。",
      en: "Search the web: titles, links and snippets. Look facts up that change (news, prices, versions); read the page with fetch when the snippet is not enough.",
    },
    input: z.strictObject({
      query: z.string().trim().min(1).max(400).describe("What to search for, in the words of the pages wanted."),
      max_results: z.number().int().min(1).max(20).default(usualResults).describe("Results at most, 1 to 20."),
      search_depth: z
        .enum(["basic", "advanced"])
        .default(usualDepth)
        .describe("advanced looks further and takes longer, where the engine can."),
    }),
    level: "safe",
    readOnly: true,
    idempotent: true,
    taint: "untrusted",
    place: "network",
    timeoutMs: 40_000,
    summarize: ({ query }) => query,
    availability: () =>
      engines.length > 0
        ? { ok: true }
        : {
            ok: false,
            reason: "No search engine is set: SEARXNG_URL, TAVILY_API_KEY or BRAVE_API_KEY (docs/tools.md).",
          },
    async run({ query, max_results: maxResults, search_depth: depth }, { language, signal }) {
      const failures: string[] = [];
      let empty = false;
      for (const engine of engines) {
        const answer = await engine.search({ query, maxResults, depth, signal, ...(sites && { sites }) });
        if (signal.aborted) return { ok: false, error: "Stopped." };
        if (answer.kind === "failed") failures.push(answer.reason);
        else if (answer.results.length > 0) {
          // An engine may take the sites for a wish.
          const wanted = answer.results.filter(({ url }) => !sites || sites.some((site) => isUnder(url, site)));
          const results = dropRepeated(wanted).slice(0, maxResults);
          const found = results.map(({ url }) => url);
          const message = `${countOf(results.length, "result")} by ${engine.name}`;
          const site = workToolWords[language].site;
          const title = workToolWords[language].title;
          const rows = results.map((result) => [URL.parse(result.url)?.host ?? "", result.title]);
          const display = { kind: "table", header: [site, title], rows } as const;
          return { ok: true, output: { results }, message, found, sources: nameHosts(found), display };
        } else empty = true;
      }
      if (empty) return { ok: true, output: { results: [] }, message: "nothing found" };
      const reason = failures.length > 0 ? failures.join(" ") : "No search engine is set.";
      return { ok: false, error: `The search failed. ${reason}` };
    },
  });
}

/** The configured engines. A self-hosted one comes first, since it costs nothing and discloses nothing. */
export function listSearchEngines(
  settings: { readonly searxngUrl?: string; readonly tavilyApiKey?: string; readonly braveApiKey?: string },
  wanted: readonly EngineName[] = engineNames,
): SearchEngine[] {
  const { searxngUrl, tavilyApiKey, braveApiKey } = settings;
  const engines: Readonly<Record<EngineName, SearchEngine | undefined>> = {
    searxng: searxngUrl === undefined ? undefined : createSearxng(searxngUrl),
    tavily: tavilyApiKey === undefined ? undefined : createTavily(tavilyApiKey),
    brave: braveApiKey === undefined ? undefined : createBrave(braveApiKey),
  };
  return wanted.flatMap((name) => engines[name] ?? []);
}

/** The site itself or a name below it. */
function isUnder(url: string, site: string): boolean {
  const host = URL.parse(url)?.hostname ?? "";
  return host === site || host.endsWith(`.${site}`);
}

function dropRepeated(results: readonly SearchResult[]) {
  const seen = new Set<string>();
  return results
    .filter(({ url }) => !seen.has(url) && seen.add(url))
    .map(({ title, url, snippet }) => ({ title, url, snippet: snippet.slice(0, maxSnippetLength) }));
}
