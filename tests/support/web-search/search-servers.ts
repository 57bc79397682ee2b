import type { IncomingMessage } from "node:http";
import { startSite, type TestSite } from "../web-server.ts";

/** Search engines as they document themselves: what they need they insist on, and what they do not know they refuse. */

export const foundPages = Array.from({ length: 30 }, (_, index) => ({
  title: `Page ${index + 1}`,
  url: `https://pages.example/${index + 1}`,
  text: `About <strong>time</strong> &amp; ${index + 1}`,
}));

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Engine {
  /** What goes before the usual answer from now on, until it is taken away. */
  readonly trouble: { current: Answer | undefined };
  readonly site: TestSite;
  /** Queries that were answered. */
  readonly asked: readonly string[];
}

type Handle = (request: IncomingMessage, url: URL, body: string) => Answer & { readonly query?: string };

async function startEngine(handle: Handle): Promise<Engine> {
  const trouble: Engine["trouble"] = { current: undefined };
  const asked: string[] = [];
  const site = await startSite((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const usual = handle(request, new URL(request.url ?? "/", "http://engine"), Buffer.concat(chunks).toString());
      const { status, body } = trouble.current ?? usual;
      if (usual.query !== undefined && status === 200) asked.push(usual.query);
      const text = typeof body === "string" ? body : JSON.stringify(body);
      response.writeHead(status, { "content-type": "application/json" }).end(text);
    });
  });
  return { trouble, site, asked };
}

export const startSearxng = (options: { readonly perPage?: number } = {}): Promise<Engine> =>
  startEngine((request, url) => {
    const { perPage = 10 } = options;
    const unknown = [...url.searchParams.keys()].filter((key) => !["q", "format", "pageno", "language"].includes(key));
    const query = url.searchParams.get("q") ?? "";
    const page = Number(url.searchParams.get("pageno") ?? 1);
    if (request.method !== "GET" || url.pathname !== "/search" || unknown.length > 0) return { status: 404, body: "" };
    if (url.searchParams.get("format") !== "json") return { status: 200, body: "<html></html>" };
    if (query === "" || !Number.isInteger(page)) return { status: 400, body: { error: "No query" } };
    const results = foundPages
      .slice((page - 1) * perPage, page * perPage)
      .map(({ title, url: found, text }) => ({ title, url: found, content: text, engine: "x", score: 1 }));
    return {
      status: 200,
      query,
      body: { query, number_of_results: 0, results, suggestions: [], unresponsive_engines: [] },
    };
  });

const tavilyFields = ["query", "search_depth", "max_results", "topic", "include_answer"];

export const startTavily = (key: string): Promise<Engine> =>
  startEngine((request, url, text) => {
    if (request.method !== "POST" || url.pathname !== "/search") return { status: 404, body: { detail: "Not Found" } };
    if (request.headers.authorization !== `Bearer ${key}`) {
      return { status: 401, body: { detail: { error: "Unauthorized: missing or invalid API key." } } };
    }
    if (request.headers["content-type"] !== "application/json") return { status: 422, body: { detail: [] } };
    const body = JSON.parse(text) as Record<string, unknown>;
    const { query, search_depth: depth = "basic", max_results: most = 5 } = body;
    const wrong =
      typeof query !== "string" ||
      query === "" ||
      typeof most !== "number" ||
      most < 0 ||
      most > 20 ||
      !["basic", "advanced"].includes(String(depth)) ||
      Object.keys(body).some((field) => !tavilyFields.includes(field));
    if (wrong) return { status: 400, body: { detail: { error: "Invalid request" } } };
    const results = foundPages
      .slice(0, most)
      .map(({ title, url: found, text: content }) => ({ title, url: found, content, score: 0.9, raw_content: null }));
    const fields = { query: `${query} (${String(depth)})`, answer: null, images: [], results, response_time: 1.2 };
    return { status: 200, query: fields.query, body: fields };
  });

const braveParameters = ["q", "count", "offset", "result_filter", "text_decorations", "search_lang", "country"];

export const startBrave = (key: string): Promise<Engine> =>
  startEngine((request, url) => {
    const problem = (status: number, code: string) => ({
      status,
      body: { type: "ErrorResponse", error: { code, status } },
    });
    if (request.method !== "GET" || url.pathname !== "/res/v1/web/search") return problem(404, "NOT_FOUND");
    if (request.headers["x-subscription-token"] !== key) return problem(422, "SUBSCRIPTION_TOKEN_INVALID");
    const { searchParams } = url;
    const query = searchParams.get("q") ?? "";
    const count = Number(searchParams.get("count") ?? 20);
    const unknown = [...searchParams.keys()].some((name) => !braveParameters.includes(name));
    const wordy = query.length > 400 || query.split(/\s+/).length > 50;
    if (unknown || query === "" || wordy || !(count >= 1 && count <= 20)) return problem(422, "VALIDATION");
    const results = foundPages
      .slice(0, count)
      .map(({ title, url: found, text }) => ({ type: "search_result", title, url: found, description: text }));
    return {
      status: 200,
      query,
      body: { type: "search", query: { original: query }, web: { type: "search", results } },
    };
  });
