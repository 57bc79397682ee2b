import OpenAI, { type ClientOptions } from "openai";
import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import { afterAll, beforeAll, expect } from "vitest";
import { untilTestEnds, type KeepUntil } from "../keep-until.ts";
import { checkChunks } from "../api/check-chunks.ts";
import { checkRecords } from "./check-records.ts";
import { findFreePort } from "./find-free-port.ts";
import { createKurisuFolder, type KurisuFolder } from "./kurisu-folder.ts";
import { startScriptedModel, type ModelScript, type ScriptedModel } from "./scripted-model.ts";
import { startKurisu, type RunningKurisu } from "./start-kurisu.ts";

/** A canary: nobody may ever read it anywhere. */
export const apiToken = "canary-api-token-0123456789";

export interface ApiStory {
  readonly folder: KurisuFolder;
  readonly model: ScriptedModel;
  /** Where the API is, over restarts. */
  readonly baseURL: string;
  start(): Promise<RunningKurisu>;
  /** The official client, with no retries unless they are asked for. */
  client(options?: ClientOptions): OpenAI;
  /** One question and its answer; without `stream` as one object. */
  ask(text: string, how?: Asking): Promise<string>;
}

interface Asking {
  readonly user?: string;
  readonly conversation?: string;
  readonly stream?: boolean;
  readonly client?: OpenAI;
}

/** The real program with its API, and programs that talk to it by the official client of OpenAI. */
export async function startApiStory(
  options: {
    readonly files?: Readonly<Record<string, string>>;
    readonly script?: ModelScript;
    readonly environment?: Readonly<Record<string, string>>;
    readonly keep?: KeepUntil;
  } = {},
): Promise<ApiStory> {
  const { keep = untilTestEnds } = options;
  const folder = createKurisuFolder(options.files, undefined, keep);
  const model = await startScriptedModel(options.script, keep);
  const started: RunningKurisu[] = [];
  const heard: { readonly text: string }[] = [];
  keep(() => checkRecords({ folder, sent: heard, model, started, secrets: [apiToken] }));
  const port = await findFreePort();
  const baseURL = `http://127.0.0.1:${port}/v1`;
  const environment = {
    KURISU_PORT: String(port),
    KURISU_API_TOKEN: apiToken,
    ...model.environment,
    ...options.environment,
  };
  const client = (more: ClientOptions = {}) => new OpenAI({ baseURL, apiKey: apiToken, maxRetries: 0, ...more });

  return {
    folder,
    model,
    baseURL,
    client,
    async start() {
      const kurisu = await startKurisu({ folder, environment, keep });
      started.push(kurisu);
      return kurisu;
    },
    async ask(text, { client: asking = client(), conversation, stream = false, user } = {}) {
      const body = {
        model: "kurisu",
        messages: [{ role: "user", content: text }],
        ...(user !== undefined && { user }),
      } satisfies OpenAI.ChatCompletionCreateParams;
      const headers = conversation === undefined ? {} : { "X-Conversation-Id": conversation };
      const answer = stream
        ? await readStream(await asking.chat.completions.create({ ...body, stream }, { headers }))
        : ((await asking.chat.completions.create(body, { headers })).choices[0]?.message.content ?? "");
      heard.push({ text: answer });
      return answer;
    },
  };
}

/**
 * One running Kurisu for all tests of a file that want no other settings. Each test begins a chapter: a conversation and a
 * workspace of its own, and its own answers of the model. At the end she must stop well.
 */
export function shareApiStory(): (script?: ModelScript) => Omit<ApiStory, "start"> {
  const ends = new AsyncDisposableStack();
  let story: ApiStory | undefined;
  let kurisu: RunningKurisu | undefined;
  let begun = 0;
  let current: ModelScript | undefined;

  beforeAll(async () => {
    story = await startApiStory({ script: (request) => current?.(request), keep: (end) => ends.defer(end) });
    kurisu = await story.start();
  });
  afterAll(async () => {
    try {
      if (kurisu !== undefined) expect((await kurisu.stop()).code).toBe(0);
    } finally {
      await ends.disposeAsync();
    }
  });

  return (script) => {
    if (story === undefined) throw new Error("a chapter begins in a test");
    const { folder, model, ...whole } = story;
    begun += 1;
    const conversation = `chapter-${begun}`;
    current = script;
    const asked = model.requests.length;
    const older = new Set(folder.workspaces());
    const client = (more: ClientOptions = {}) =>
      whole.client({ defaultHeaders: { "X-Conversation-Id": conversation }, ...more });
    return {
      ...whole,
      folder: { ...folder, workspaceLines: (file) => folder.workspaceLines(file, (name) => !older.has(name)) },
      model: {
        ...model,
        get requests() {
          return model.requests.slice(asked);
        },
      },
      client,
      ask: (text, how = {}) => whole.ask(text, { client: client(), ...how }),
    };
  };
}

/** The words of a stream, each chunk of it checked. */
export async function readStream(stream: AsyncIterable<ChatCompletionChunk>): Promise<string> {
  const chunks: ChatCompletionChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  checkChunks(chunks);
  return chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
}
