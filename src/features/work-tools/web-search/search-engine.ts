import type { z } from "zod";
import type { EndpointAnswer } from "../../../web/ask-endpoint.ts";

export interface SearchQuestion {
  readonly query: string;
  /** 1 to 20. */
  readonly maxResults: number;
  readonly depth: "basic" | "advanced";
  /** Only pages of these hosts and of names below them. */
  readonly sites?: readonly string[];
  readonly signal: AbortSignal;
}

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

export type SearchAnswer =
  | { readonly kind: "found"; readonly results: readonly SearchResult[] }
  /** The remedy, beginning with the engine's name. */
  | { readonly kind: "failed"; readonly reason: string };

/** A place that can be asked for pages. Never throws for what the place does. */
export interface SearchEngine {
  readonly name: string;
  search(question: SearchQuestion): Promise<SearchAnswer>;
}

interface ReadingRules<T> {
  readonly engine: string;
  readonly schema: z.ZodType<T>;
  readonly list: (body: T) => readonly SearchResult[];
  /** Sentences for the statuses this engine documents. */
  readonly statuses: Readonly<Record<number, string>>;
}

/** An answer that is not what the engine documents is a failure, so that the next engine is asked. */
export function readAnswer<T>(
  answer: EndpointAnswer,
  { engine, schema, list, statuses }: ReadingRules<T>,
): SearchAnswer {
  const fail = (reason: string): SearchAnswer => ({ kind: "failed", reason: `${engine} ${reason}.` });
  if (answer.kind === "failed") return fail(`could not be reached (${answer.reason})`);
  const { status, body } = answer;
  if (status !== 200) return fail(statuses[status] ?? `answered with status ${status}; try again later`);
  const parsed = schema.safeParse(body);
  if (!parsed.success) return fail("gave an answer that is not what it promises");
  return { kind: "found", results: list(parsed.data).filter(({ url }) => /^https?:\/\//i.test(url)) };
}

/** The question with its sites in the operator that search engines know. */
export function writeSites({ query, sites = [] }: SearchQuestion): string {
  return [query, sites.map((site) => `site:${site}`).join(" OR ")].join(" ").trim();
}

/** Some engines mark the words that were found. */
export function toPlainText(text: string): string {
  return text
    .replaceAll(/<\/?\w[^<>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll(/&#(?:39|x27);/gi, "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();
}
