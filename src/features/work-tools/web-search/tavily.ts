import { z } from "zod";
import { askEndpoint } from "../../../web/ask-endpoint.ts";
import { readAnswer, toPlainText, type SearchEngine } from "./search-engine.ts";

const answerSchema = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string(), content: z.string() })),
});

const statuses = {
  400: "did not understand the question; word it differently",
  401: "refuses the key: check TAVILY_API_KEY",
  429: "asks us to slow down; wait a minute",
  432: "says the plan's searches are used up; wait for the next month or change the plan",
  433: "says the limit of paid searches is reached; raise it or wait",
};

/** https://docs.tavily.com/documentation/api-reference/endpoint/search */
export function createTavily(apiKey: string, baseUrl = "https://api.tavily.com"): SearchEngine {
  return {
    name: "Tavily",
    async search({ query, maxResults, depth, sites, signal }) {
      const answer = await askEndpoint({
        url: new URL(`${baseUrl}/search`),
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}` },
        body: { query, search_depth: depth, max_results: maxResults, ...(sites && { include_domains: [...sites] }) },
        signal,
      });
      return readAnswer(answer, {
        engine: "Tavily",
        schema: answerSchema,
        list: ({ results }) =>
          results.map(({ title, url, content }) => ({ title: toPlainText(title), url, snippet: toPlainText(content) })),
        statuses,
      });
    },
  };
}
