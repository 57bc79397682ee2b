import type { IncomingMessage } from "node:http";
import { untilTestEnds, type KeepUntil } from "../keep-until.ts";
import { serveRequests, type GivenRequest } from "./serve-requests.ts";

type Mood =
  | "well"
  /** Status 503. */
  | "failing"
  /** It takes the request and never answers. */
  | "silent"
  /** It begins an answer and never ends it. */
  | "dripping"
  /** Vectors of another length each time. */
  | "uneven"
  /** One vector too few. */
  | "few"
  /** Texts where numbers belong. */
  | "nonsense";

export interface EmbeddingsServer {
  readonly url: string;
  /** The variables that make Kurisu ask it. */
  readonly environment: Readonly<Record<string, string>>;
  /** The texts it was asked for, one list a request, oldest first. */
  readonly asked: readonly (readonly string[])[];
  /** Requests that it refused, with the reason. */
  readonly refused: readonly string[];
  /** Requests whose client went away before the answer. */
  abandoned(): number;
  be(mood: Mood): void;
  /** From now on answers go out only when this is called. */
  hold(): () => void;
}

/** A canary: it must never be seen anywhere but in the header of a request. */
export const embeddingsKey = "sk-canary-77aa88bb99cc-vectors";
const model = "test-vectors";
const maxInputs = 32;

/**
 * POST /v1/embeddings as OpenAI documents it, and nothing else: it refuses a wrong key, model, form or kind of input as
 * that server does. A text's vector says which of the `topics` it is about.
 */
export async function startEmbeddingsServer(
  topics: readonly RegExp[] = [],
  keep: KeepUntil = untilTestEnds,
): Promise<EmbeddingsServer> {
  const asked: (readonly string[])[] = [];
  const refused: string[] = [];
  const state = { mood: "well" as Mood, abandoned: 0, held: Promise.resolve() };

  const vectorOf = (text: string): readonly number[] => [0.1, ...topics.map((topic) => (topic.test(text) ? 1 : 0))];

  async function answer({ request, response, body: bytes, send }: GivenRequest): Promise<void> {
    response.on("close", () => {
      if (!response.writableEnded) state.abandoned += 1;
    });
    const body = bytes.toString("utf8");
    const problem = findProblem(request, body);
    if (problem !== undefined) {
      refused.push(problem.message);
      send(problem.status, { error: { message: problem.message, type: "invalid_request_error", code: null } });
      return;
    }
    const { input } = JSON.parse(body) as { input: readonly string[] };
    asked.push(input);
    await state.held;
    if (state.mood === "silent") return;
    if (state.mood === "dripping") {
      response.writeHead(200, { "content-type": "application/json" }).write('{"object":"list","data":[');
      return;
    }
    if (state.mood === "failing") {
      send(503, { error: { message: "overloaded", type: "server_error", code: null } });
      return;
    }
    const vectors = input.map((text, index): readonly unknown[] => {
      const vector = vectorOf(text);
      if (state.mood === "uneven") return [...vector, ...Array.from({ length: asked.length + index }, () => 0)];
      return state.mood === "nonsense" ? vector.map(String) : vector;
    });
    const given = state.mood === "few" ? vectors.slice(1) : vectors;
    send(200, {
      object: "list",
      data: given.map((embedding, index) => ({ object: "embedding", index, embedding })),
      model,
      usage: { prompt_tokens: input.length, total_tokens: input.length },
    });
  }

  const url = await serveRequests(answer, keep);
  return {
    url,
    environment: { EMBEDDINGS_BASE_URL: url, EMBEDDINGS_API_KEY: embeddingsKey, EMBEDDINGS_MODEL: model },
    asked,
    refused,
    abandoned: () => state.abandoned,
    be: (mood) => (state.mood = mood),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      state.held = promise;
      return resolve;
    },
  };
}

function findProblem(
  { method, url, headers }: IncomingMessage,
  body: string,
): { readonly status: number; readonly message: string } | undefined {
  const refuse = (message: string, status = 400) => ({ status, message });
  if (method !== "POST" || url !== "/v1/embeddings") return refuse(`no ${method} ${url}`, 404);
  if (headers.authorization !== `Bearer ${embeddingsKey}`) return refuse("incorrect API key", 401);
  if (headers["content-type"]?.startsWith("application/json") !== true) return refuse("not JSON");
  const given = JSON.parse(body) as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).find((key) => !["model", "input", "encoding_format"].includes(key));
  if (unknown !== undefined) return refuse(`unknown argument ${unknown}`);
  if (given["model"] !== model) return refuse(`the model ${String(given["model"])} does not exist`, 404);
  if (given["encoding_format"] !== "float") return refuse("only floats here");
  const { input } = given;
  const fits = Array.isArray(input) && input.every((text) => typeof text === "string" && text.trim() !== "");
  if (!fits || input.length === 0) return refuse("input must be a list of texts, none empty");
  return input.length > maxInputs ? refuse(`at most ${maxInputs} inputs`, 413) : undefined;
}
