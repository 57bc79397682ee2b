import { LLMock, type ChatCompletionRequest, type FixtureResponse } from "@copilotkit/aimock";
import { untilTestEnds, type KeepUntil } from "../keep-until.ts";

export type ModelRequest = ChatCompletionRequest;
export type ModelAnswer = FixtureResponse;

/** What the model says to a request; undefined = as the obedient model below would. */
export type ModelScript = (request: ModelRequest) => ModelAnswer | undefined | Promise<ModelAnswer | undefined>;

export interface ScriptedModel {
  /** The variables that make Kurisu ask it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Every chat request, oldest first, whole. */
  readonly requests: readonly ModelRequest[];
}

/** A model server (aimock) on 127.0.0.1 that answers from a script. */
export async function startScriptedModel(
  script: ModelScript = () => undefined,
  keep: KeepUntil = untilTestEnds,
  chunkMs = 0,
): Promise<ScriptedModel> {
  const mock = new LLMock({ port: 0, chunkSize: 8, latency: chunkMs });
  const requests: ModelRequest[] = [];
  mock.on({ predicate: () => true }, async (request) => {
    requests.push(structuredClone(request));
    return (await script(request)) ?? obey(request);
  });
  await mock.start();
  keep(() => mock.stop());
  return {
    requests,
    environment: { KURISU_MODEL: "openai:test", OPENAI_BASE_URL: `${mock.url}/v1`, OPENAI_API_KEY: modelKey },
  };
}

/** A canary: it must never be seen anywhere but in the header of a request. */
export const modelKey = "sk-canary-5f1d2c3b4a596877-model";

export function callTools(
  ...calls: readonly { readonly name: string; readonly arguments: object | string }[]
): ModelAnswer {
  return {
    toolCalls: calls.map((call, index) => ({
      id: `call_${index}`,
      name: call.name,
      arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
    })),
  };
}

export const callShell = (command: string): ModelAnswer => callTools({ name: "shell", arguments: { command } });

/** Runs what it is told to run, tells the time when asked for it, and reports what came of it. */
function obey(request: ModelRequest): ModelAnswer {
  const results = resultsOfThisTurn(request);
  if (results.length > 0) return { content: results.map(report).join("") };
  const said = lastWords(request);
  const command = /运行\s*(.+)$/s.exec(said)?.[1];
  if (command !== undefined) return callShell(command.trim());
  if (/几点/.test(said)) return callTools({ name: "time", arguments: {} });
  return { content: "嗯，我在听。" };
}

function report(result: string): string {
  const { ok, kind, error } = JSON.parse(result) as { ok: boolean; kind?: string; error?: string };
  if (ok) return "好了，我看过结果了。";
  // A model that plays it down: the person must hear it all the same.
  if (kind === "unknown") return "嗯，就这样。";
  if (/said no/.test(error ?? "")) return "好吧，那就不做了。";
  if (/asked already/.test(error ?? "")) return "这件事我已经问过你了，还在等你。";
  return "这一步没有做成。";
}

/** What the person wrote, without the block that Kurisu puts before it. */
export function lastWords(request: ModelRequest): string {
  const message = request.messages.findLast(isWords);
  return textOf(message?.content).split("</context>").at(-1)?.trim() ?? "";
}

/** Texts of the tool results after the last message of a person. */
export function resultsOfThisTurn(request: ModelRequest): readonly string[] {
  const start = request.messages.findLastIndex(isWords);
  return request.messages
    .slice(start + 1)
    .filter(({ role }) => role === "tool")
    .map(({ content }) => textOf(content));
}

/** Records of the gateway, such as the pictures of a result, are nobody's words. */
function isWords({ role, content }: ModelRequest["messages"][number]): boolean {
  return role === "user" && !textOf(content).startsWith("[record]");
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (part as { text?: string }).text ?? "").join("");
}
