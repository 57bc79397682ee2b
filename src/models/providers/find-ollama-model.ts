import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { z } from "zod";
import { parseJson } from "../../core/parse-json.ts";
import { trimEnd } from "../../core/trim-edges.ts";

const tagList = z.object({ models: z.array(z.object({ name: z.string() })) });
/** A list of models is far smaller; a longer answer is no Ollama's. */
const maxAnswerLength = 4_000_000;

/**
 * Asks an Ollama server for its models (GET /api/tags) and answers the first one that can chat, or undefined when there
 * is none or no server answers in time. Never throws.
 */
export async function findOllamaModel(host: string | undefined, timeoutMs = 500): Promise<string | undefined> {
  const body = await readTags(resolveOllamaUrl(host), AbortSignal.timeout(timeoutMs));
  const parsed = tagList.safeParse(body);
  return parsed.success ? parsed.data.models.find(({ name }) => !/embed/i.test(name))?.name : undefined;
}

/**
 * OLLAMA_HOST as Ollama itself reads it: scheme and port may be left out, and the address a server listens on
 * (0.0.0.0) is reached at 127.0.0.1.
 */
export function resolveOllamaUrl(host: string | undefined): string {
  const written = host?.trim() || "127.0.0.1:11434";
  const scheme = /^https?:\/\//i.test(written);
  const url = URL.parse(scheme ? written : `http://${written}`);
  if (url === null) return "http://127.0.0.1:11434";
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  if (!scheme && url.port === "") url.port = "11434";
  return trimEnd(url.href, /^\/$/);
}

function readTags(base: string, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    const send = base.startsWith("https:") ? requestHttps : requestHttp;
    // By Node's own agent, which follows a proxy of the environment.
    const request = send(`${base}/api/tags`, { signal, headers: { connection: "close" } }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > maxAnswerLength) response.destroy();
        else chunks.push(chunk);
      });
      response.on("end", () => resolve(parseJson(Buffer.concat(chunks).toString())));
      response.on("close", () => resolve(undefined));
      response.on("error", () => resolve(undefined));
    });
    request.on("error", () => resolve(undefined));
    request.end();
  });
}
