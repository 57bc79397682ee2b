import { z } from "zod";
import { askEndpoint } from "../../../web/ask-endpoint.ts";
import { readAnswer, toPlainText, type SearchEngine, writeSites } from "./search-engine.ts";

const answerSchema = z.object({
  web: z
    .object({
      results: z.array(z.object({ title: z.string(), url: z.string(), description: z.string().nullish() })),
    })
    .nullish(),
});

const refusedKey = "refuses the key: check BRAVE_API_KEY and the plan it belongs to";
const statuses = {
  401: refusedKey,
  403: refusedKey,
  // Also what a question that is too long or a wrong key gets.
  422: "refuses the request: check BRAVE_API_KEY, or ask with fewer words",
  429: "asks us to slow down, or the plan's searches are used up; wait or change the plan",
};

/** It takes no more than this many words. */
const maxWords = 50;

/** https://api-dashboard.search.brave.com/app/documentation/web-search/get-started; it knows no search depth. */
export function createBrave(apiKey: string, baseUrl = "https://api.search.brave.com"): SearchEngine {
  return {
    name: "Brave",
    async search(question) {
      const url = new URL(`${baseUrl}/res/v1/web/search`);
      const { maxResults, signal } = question;
      const words = writeSites(question).split(/\s+/).slice(0, maxWords).join(" ");
      url.search = new URLSearchParams({
        q: words,
        count: String(maxResults),
        result_filter: "web",
        text_decorations: "false",
      }).toString();
      const answer = await askEndpoint({ url, method: "GET", headers: { "x-subscription-token": apiKey }, signal });
      return readAnswer(answer, {
        engine: "Brave",
        schema: answerSchema,
        list: ({ web }) =>
          (web?.results ?? []).map(({ title, url: found, description }) => ({
            title: toPlainText(title),
            url: found,
            snippet: toPlainText(description ?? ""),
          })),
        statuses,
      });
    },
  };
}
