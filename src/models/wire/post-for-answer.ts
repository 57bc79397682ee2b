import { createPostJson } from "../../web/post-json.ts";
import { readCapped } from "../../web/read-capped.ts";
import { readBody, type BodyEvent } from "./read-body.ts";
import { readRefusal } from "./server-refusal.ts";

interface AnswerRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

export type PostForAnswer = (request: AnswerRequest, signal: AbortSignal) => AsyncGenerator<BodyEvent>;

const maxRefusalBytes = 64 * 1024;

/** Sends a request and reads the JSON values of its answer. Throws a ServerRefusal for a status other than success. */
export function createPostForAnswer(): PostForAnswer {
  const post = createPostJson();
  return async function* ({ url, headers, body }, signal) {
    const answer = await post(url, {
      headers: { accept: "text/event-stream, application/json", ...headers },
      body: JSON.stringify(body),
      signal,
    });
    if (answer.status >= 200 && answer.status < 300) return yield* readBody(answer.body);
    const { body: words } = await readCapped(answer.body, maxRefusalBytes);
    const location = answer.headers.get("location");
    const said = location === null ? words.toString("utf8") : `it redirects to ${location}; set that address instead`;
    throw readRefusal(answer.status, answer.headers, said);
  };
}

/** The address of one operation: the base as it was written, which may already end in it. */
export function resolveOperation(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl);
  const base = url.pathname.replace(/\/+$/, "");
  url.pathname = base.endsWith(path) ? base : `${base}${path}`;
  return url;
}
