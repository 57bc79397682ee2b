import { z } from "zod";
import { askEndpoint } from "../../../web/ask-endpoint.ts";
import {
  readAnswer,
  toPlainText,
  type SearchAnswer,
  type SearchEngine,
  type SearchQuestion,
  writeSites,
} from "./search-engine.ts";

const answerSchema = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string(), content: z.string().nullish() })),
});

const statuses = {
  403: "refuses JSON: add json to search.formats in its settings.yml",
  429: "asks us to slow down: switch its limiter off for us (server.limiter) or wait",
};

/** https://docs.searxng.org/dev/search_api.html. It knows no number of results; a page has about ten to twenty. */
export function createSearxng(baseUrl: string): SearchEngine {
  async function readPage(question: SearchQuestion, page: number): Promise<SearchAnswer> {
    const url = new URL(`${baseUrl.replace(/\/+$/, "")}/search`);
    url.search = new URLSearchParams({ q: writeSites(question), format: "json", pageno: String(page) }).toString();
    return readAnswer(await askEndpoint({ url, method: "GET", headers: {}, signal: question.signal }), {
      engine: "SearXNG",
      schema: answerSchema,
      list: ({ results }) =>
        results.map(({ title, url: found, content }) => ({
          title: toPlainText(title),
          url: found,
          snippet: toPlainText(content ?? ""),
        })),
      statuses,
    });
  }

  return {
    name: "SearXNG",
    async search(question) {
      const first = await readPage(question, 1);
      if (first.kind === "failed" || question.depth === "basic" || first.results.length >= question.maxResults)
        return first;
      const second = await readPage(question, 2);
      return second.kind === "failed" ? first : { kind: "found", results: [...first.results, ...second.results] };
    },
  };
}
